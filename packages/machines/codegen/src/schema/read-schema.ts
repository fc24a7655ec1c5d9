import { readDocumentation, readProperties } from './read-property.js';
import { readFunction, readMethods } from './read-function.js';
import type {
  FunctionModel,
  ObjectTypeModel,
  EnumModel,
  PackageModel,
  ResourceModel,
  BasePluginModel,
} from './model.js';
import { Node } from './node.js';
import { Problems } from './problem.js';
import type { SchemaProblem } from './problem.js';
import { readEnum } from './read-enum.js';
import { SchemaDefinitions } from './definitions.js';
import { MODULE_FORMATS, folderOf, tokenParts } from './token.js';
import type { FolderRules, ModulePathFormat } from './token.js';

/** Result of reading a schema, with its problems. */
interface ReadSchema {
  /** Undefined if there are errors. */
  readonly model: PackageModel | undefined;
  readonly problems: readonly SchemaProblem[];
}

/** Properties of every resource. */
const EVERY_RESOURCE: ReadonlySet<string> = new Set(['id', 'urn']);

/**
 * Reads a package schema in the form of a plugin's answer to GetSchema (version 0) [PKG-4]. `dangling` is the severity
 * of a reference to a missing definition; such a reference becomes a value of any type.
 */
export function readSchema(text: string, dangling?: SchemaProblem['severity']): ReadSchema {
  const problems = new Problems(dangling);
  const root = new Node(parsed(text, problems), '', problems);
  const model = problems.list.length === 0 && root.isObject() ? readPackage(root) : undefined;
  const failed = problems.list.some(({ severity }) => severity === 'error');
  return { model: failed ? undefined : model, problems: problems.list };
}

function parsed(text: string, problems: Problems): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    problems.error(
      '',
      `is not JSON: ${(error as Error).message}`,
      'Pass the JSON that `cairn package get-schema` prints.',
    );
    return undefined;
  }
}

function readPackage(root: Node): PackageModel {
  const name = root.at('name').text();
  if (!/^[a-zA-Z][\w.-]{0,199}$/.test(name))
    root
      .at('name')
      .error(
        name === '' ? 'the package has no name' : `"${name}" is not a valid name of a package`,
        'Use at most 200 letters, digits and dashes, beginning with a letter.',
      );
  const definitions = new SchemaDefinitions(root, name);
  const functions = readFunctions(root, definitions);
  const resources = readResources(root, definitions, functions.all);
  const provider = readResource(root.at('provider'), `pulumi:providers:${name}`, definitions, functions.all);
  const [objects, enums] = readTypes(root, definitions);
  const nodejs = root.at('language').at('nodejs');
  return {
    name,
    version: root.at('version').text().replace(/^v/, ''),
    description: root.at('description').text(),
    homepage: root.at('homepage').text(),
    license: root.at('license').text(),
    repository: root.at('repository').text(),
    pluginDownloadURL: root.at('pluginDownloadURL').text(),
    base: readBase(root),
    resources,
    functions: functions.free,
    objects,
    enums,
    config: readProperties(
      root.at('config').at('variables'),
      { required: root.at('config').at('defaults') },
      definitions,
    ),
    provider,
    folders: readFolders(root, [...resources, ...functions.free, ...objects.values(), ...enums.values()]),
    liftsSingleResults: nodejs.at('liftSingleValueMethodReturns').flag(),
    references: [...definitions.references].sort(),
    overlays: definitions.overlays,
  };
}

function readBase(root: Node): BasePluginModel | undefined {
  const replacing = root.at('parameterization');
  const extending = root.at('extensionParameterization');
  const node = replacing.present ? replacing : extending;
  if (!node.present || node.value === null) return undefined;
  const base = node.at('baseProvider');
  const name = base.at('name').text();
  if (name === '')
    base.at('name').error('the base plugin has no name', 'Name the plugin that takes the parameter.');
  return {
    name,
    version: base.at('version').text().replace(/^v/, ''),
    value: node.at('parameter').text(),
    pluginDownloadURL: base.at('pluginDownloadURL').text() || root.at('pluginDownloadURL').text(),
    extension: node === extending,
  };
}

function readResources(
  root: Node,
  definitions: SchemaDefinitions,
  functions: ReadonlyMap<string, FunctionModel>,
): readonly ResourceModel[] {
  return root
    .at('resources')
    .members()
    .filter(([token]) => definitions.resource(token)?.kind === 'resource')
    .map(([token, node]) => readResource(node, token, definitions, functions));
}

function readResource(
  node: Node,
  token: string,
  definitions: SchemaDefinitions,
  functions: ReadonlyMap<string, FunctionModel>,
): ResourceModel {
  const state = node.at('stateInputs');
  const forbidden = EVERY_RESOURCE;
  return {
    token,
    isComponent: node.at('isComponent').flag(),
    inputs: readProperties(
      node.at('inputProperties'),
      { required: node.at('requiredInputs'), plain: node.at('plainInputs'), forbidden },
      definitions,
    ),
    outputs: readProperties(node.at('properties'), { required: node.at('required'), forbidden }, definitions),
    state: state.present
      ? readProperties(state.at('properties'), { required: state.at('required'), forbidden }, definitions)
      : undefined,
    aliases: node
      .at('aliases')
      .items()
      .map((alias) => alias.at('type').text())
      .filter((type) => type !== '' && type !== token),
    methods: readMethods(node.at('methods'), functions),
    ...readDocumentation(node),
  };
}

/** Returns all functions by token, and those that are not methods. */
function readFunctions(
  root: Node,
  definitions: SchemaDefinitions,
): { readonly all: ReadonlyMap<string, FunctionModel>; readonly free: readonly FunctionModel[] } {
  const all = new Map<string, FunctionModel>();
  const free: FunctionModel[] = [];
  const methods = methodTokens(root);
  for (const [token, node] of root.at('functions').members()) {
    if (!definitions.isOwn(token, node)) continue;
    const read = readFunction(token, node, definitions);
    all.set(token, read);
    if (!methods.has(token)) free.push(read);
  }
  return { all, free };
}

function methodTokens(root: Node): ReadonlySet<string> {
  const owners = [
    root.at('provider'),
    ...root
      .at('resources')
      .members()
      .map(([, node]) => node),
  ];
  return new Set(
    owners.flatMap((owner) =>
      owner
        .at('methods')
        .members()
        .map(([, method]) => method.text()),
    ),
  );
}

function readTypes(
  root: Node,
  definitions: SchemaDefinitions,
): [ReadonlyMap<string, ObjectTypeModel>, ReadonlyMap<string, EnumModel>] {
  const objects = new Map<string, ObjectTypeModel>();
  const enums = new Map<string, EnumModel>();
  for (const [token, node] of root.at('types').members()) {
    const kind = definitions.type(token)?.kind;
    if (kind === 'enum') enums.set(token, readEnum(token, node));
    if (kind !== 'object') continue;
    const reported = node.at('language').at('nodejs').at('requiredOutputs');
    const rules = { required: node.at('required'), plain: node.at('plain'), reported };
    const properties = readProperties(node.at('properties'), rules, definitions);
    objects.set(token, { token, properties, ...readDocumentation(node) });
  }
  return [objects, enums];
}

/** Returns the folders of all modules that have members. */
function readFolders(
  root: Node,
  members: readonly { readonly token: string }[],
): ReadonlyMap<string, string> {
  const rules = folderRules(root);
  const folders = new Map<string, string>();
  for (const { token } of members) {
    const module = tokenParts(token)?.module ?? '';
    if (!folders.has(module)) folders.set(module, folderOf(module, rules));
  }
  return folders;
}

function folderRules(root: Node): FolderRules {
  const format = root.at('meta').at('moduleFormat');
  const named = root.at('language').at('nodejs').at('moduleToPackage').members();
  return {
    format: moduleFormat(format),
    named: new Map(named.map(([module, folder]) => [module, folder.text()])),
  };
}

function moduleFormat(node: Node): ModulePathFormat {
  const text = node.text().replace(/^\^/, '').replace(/\$$/, '');
  const format = MODULE_FORMATS.get(text);
  if (format !== undefined) return format;
  const known = [...MODULE_FORMATS.keys()].slice(1, 5).join(', ');
  node.error('is not a module format that Cairn supports', `Write one of ${known}, or leave it out.`);
  return (module) => module;
}
