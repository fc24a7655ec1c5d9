import { capital } from '@cairn/addresses';
import type {
  EnumModel,
  FunctionModel,
  ObjectTypeModel,
  PackageModel,
  ResourceModel,
} from '../schema/model.js';
import { tokenParts } from '../schema/token.js';
import { BASE_MEMBERS } from '../source/member-name.js';
import { FileScope, NameScope, className, functionName, identifier } from './names.js';

/** Resource with the names of its code. */
export interface PlacedResource {
  readonly model: ResourceModel;
  readonly folder: string;
  /** Name of its files without the extension. */
  readonly file: string;
  readonly name: string;
  readonly args: string;
  /** Empty if its id alone finds it. */
  readonly state: string;
  readonly methods: readonly PlacedMethod[];
}

export interface PlacedMethod {
  readonly name: string;
  readonly model: FunctionModel;
  /** Empty if it has no arguments. */
  readonly args: string;
  /** Empty if its result is not an object of its own. */
  readonly result: string;
}

export interface PlacedFunction {
  readonly model: FunctionModel;
  readonly folder: string;
  readonly file: string;
  readonly name: string;
  readonly outputName: string;
  readonly args: string;
  readonly outputArgs: string;
  readonly result: string;
}

export interface PlacedType<T> {
  readonly model: T;
  readonly folder: string;
  readonly name: string;
}

/** Module of a package: a folder with the exports of its index. */
export interface Module {
  readonly folder: string;
  /** Modules in it: names of exports to parts of the folder. */
  readonly children: ReadonlyMap<string, string>;
  readonly resources: readonly PlacedResource[];
  readonly functions: readonly PlacedFunction[];
  readonly enums: readonly PlacedType<EnumModel>[];
  readonly objects: readonly PlacedType<ObjectTypeModel>[];
}

/** Positions and names of all parts of a package. */
export interface Layout {
  readonly modules: readonly Module[];
  readonly resources: ReadonlyMap<string, PlacedResource>;
  readonly types: ReadonlyMap<string, PlacedType<ObjectTypeModel | EnumModel>>;
}

/** Files of modules besides those of resources and functions. */
const MODULE_FILES = [
  'index',
  'members',
  'inputs',
  'outputs',
  'plain',
  'enums',
  'config',
  'package',
  'classes',
  'defaults',
  'readme',
];
/** Name of the package in the index of a module; no export has this name. */
export const OPENED_PACKAGE = '__pkg';

/** Exports of modules besides those of the schema. */
const MODULE_NAMES = ['inputs', 'outputs', 'plain', 'config', OPENED_PACKAGE];

/** Assigns positions and names. The same schema gets the same names; the first member keeps its own. */
export function layoutOf(model: PackageModel): Layout {
  const folderOf = ({ token }: { readonly token: string }): string =>
    model.folders.get(tokenParts(token)?.module ?? '') ?? '';
  const groups = {
    resources: grouped(model.resources, folderOf),
    functions: grouped(model.functions, folderOf),
    enums: grouped([...model.enums.values()], folderOf),
    objects: grouped([...model.objects.values()], folderOf),
  };
  const folders = foldersWithParents(Object.values(groups).flatMap((group) => [...group.keys()]));
  const modules = folders.map((folder) => {
    const children = folders.filter((other) => parentOf(other) === folder);
    return moduleOf(model, folder, children, {
      resources: groups.resources.get(folder) ?? [],
      functions: groups.functions.get(folder) ?? [],
      enums: groups.enums.get(folder) ?? [],
      objects: groups.objects.get(folder) ?? [],
    });
  });
  return {
    modules,
    resources: byToken(modules.flatMap(({ resources }) => resources)),
    types: byToken(modules.flatMap(({ enums, objects }) => [...enums, ...objects])),
  };
}

interface Contents {
  readonly resources: readonly ResourceModel[];
  readonly functions: readonly FunctionModel[];
  readonly enums: readonly EnumModel[];
  readonly objects: readonly ObjectTypeModel[];
}

function moduleOf(
  model: PackageModel,
  folder: string,
  inside: readonly string[],
  contents: Contents,
): Module {
  const scope = new NameScope(MODULE_NAMES);
  const files = new FileScope([...MODULE_FILES, ...inside.map((child) => lastPart(child).toLowerCase())]);
  const provider = folder === '' ? [placedResource(model.provider, folder, scope, files, 'Provider')] : [];
  const children = new Map(
    inside.map((child) => [scope.claim(identifier(lastPart(child))), lastPart(child)]),
  );
  const named = contents.resources.map((each) => ({ each, name: scope.claim(className(nameOf(each))) }));
  const free = contents.functions.map((each) => ({ each, name: scope.claim(functionName(nameOf(each))) }));
  const enums = contents.enums.map((each) => ({
    model: each,
    folder,
    name: enumName(scope, className(nameOf(each))),
  }));
  const typeScope = new NameScope();
  return {
    folder,
    children,
    resources: [
      ...provider,
      ...named.map(({ each, name }) => placedResource(each, folder, scope, files, name, true)),
    ],
    functions: free.map(({ each, name }) => placedFunction(each, folder, scope, files, name)),
    enums,
    objects: contents.objects.map((each) => ({
      model: each,
      folder,
      name: typeScope.claim(className(nameOf(each))),
    })),
  };
}

function placedResource(
  model: ResourceModel,
  folder: string,
  scope: NameScope,
  files: FileScope,
  wanted: string,
  isClaimed = false,
): PlacedResource {
  const name = isClaimed ? wanted : scope.claim(wanted);
  const taken = new NameScope([...BASE_MEMBERS, ...model.outputs.map((output) => output.name)]);
  return {
    model,
    folder,
    name,
    file: files.claim(functionName(name)),
    args: scope.claim(`${name}Args`),
    state: model.state === undefined ? '' : scope.claim(`${name}State`),
    methods: model.methods.map((method) => ({
      name: taken.claim(functionName(method.name)),
      model: method.function,
      args: method.function.inputs.length === 0 ? '' : scope.claim(`${name}${className(method.name)}Args`),
      result:
        method.function.result.kind === 'object' ? scope.claim(`${name}${className(method.name)}Result`) : '',
    })),
  };
}

function placedFunction(
  model: FunctionModel,
  folder: string,
  scope: NameScope,
  files: FileScope,
  name: string,
): PlacedFunction {
  const hasArgs = model.inputs.length > 0 && model.positional.length === 0;
  return {
    model,
    folder,
    name,
    file: files.claim(name),
    outputName: scope.claim(`${name}Output`),
    args: hasArgs ? scope.claim(`${capital(name)}Args`) : '',
    outputArgs: hasArgs ? scope.claim(`${capital(name)}OutputArgs`) : '',
    result: model.result.kind === 'object' ? scope.claim(`${capital(name)}Result`) : '',
  };
}

function enumName(scope: NameScope, wanted: string): string {
  const claimed = scope.claim(wanted);
  return claimed === wanted ? wanted : scope.claim(`${wanted}Enum`);
}

function nameOf({ token }: { readonly token: string }): string {
  return tokenParts(token)?.name ?? token;
}

function grouped<T>(items: readonly T[], folderOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const folder = folderOf(item);
    const group = groups.get(folder);
    if (group === undefined) groups.set(folder, [item]);
    else group.push(item);
  }
  return groups;
}

function byToken<T extends { readonly model: { readonly token: string } }>(
  items: readonly T[],
): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.model.token, item]));
}

function foldersWithParents(folders: readonly string[]): readonly string[] {
  const all = new Set<string>(['']);
  for (let folder of folders) {
    for (; folder !== ''; folder = parentOf(folder)) all.add(folder);
  }
  return [...all].sort();
}

/** Returns the parent folder; that of the root is not a folder. */
function parentOf(folder: string): string {
  return folder === '' ? '/' : folder.split('/').slice(0, -1).join('/');
}

function lastPart(folder: string): string {
  return folder.split('/').at(-1) ?? '';
}
