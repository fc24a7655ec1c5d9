import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { npmNameOf, readSchema } from '@cairn/codegen';
import type { PackageModel } from '@cairn/codegen';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { isGitSource } from '@cairn/operations';
import type { Command, Invocation } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import type { CommandContext } from '../command-context.js';
import {
  addPackage,
  askPackage,
  checkedModel,
  generateSdks,
  obtainSchema,
  packageOrigin,
  packageUser,
  problemText,
  referencesOf,
  schemaError,
  writePackage,
} from '@cairn/operations/packages';
import type { NamedPackage } from '@cairn/operations/packages';
import { makingPorts } from '../flows/making.js';
import { counts } from '../flows/package-text.js';
import { printJson } from '../terminal/json-output.js';

/** `package add` */
export const add: Command<Texts<'language' | 'server'>> = async ({ args, flags }, context) => {
  const user = await packageUser(context.cwd, flags.language);
  const ports = makingPorts(context, flags);
  const obtained = await obtainSchema(ports, namedBy(args, flags));
  const { model, written, instructions } = await addPackage(ports, user, obtained);
  if (written !== undefined)
    context.stderr.write(`Import it with: import * as ${variable(model.name)} from '${written.npmName}';\n`);
  else if (instructions !== '') context.stdout.write(`${instructions}\n`);
  return EXIT.ok;
};

/** `package gen-sdk` */
export const genSdk: Command<Texts<'language' | 'out' | 'server' | 'version'> & Switches<'local'>> = async (
  { args, flags },
  context,
) => {
  const named = namedBy(args, flags);
  const text = versioned(named.text, flags.version);
  const ports = makingPorts(context, flags);
  const obtained = await obtainSchema(ports, { ...named, text });
  const model = checkedModel(ports, obtained);
  const [language, local] = [flags.language, flags.local];
  if (language !== undefined) {
    await generateSdks(ports, model, obtained, { language, local, out: flags.out ?? 'sdk' });
    return EXIT.ok;
  }
  if (local) throw cairnError('CAIRN-USAGE', '--local needs --language');
  const folder = path.resolve(context.cwd, flags.out ?? path.join('sdks', model.name));
  const references = await referencesOf(ports, model, path.dirname(folder));
  const written = await writePackage(model, folder, { sdkVersion: ports.version, references });
  ports.interaction.making?.({ t: 'package', model, folder, written });
  return EXIT.ok;
};

/** Applies `--version`, which is allowed only for a plugin that is given by name. */
function versioned(named: string, version: string | undefined): string {
  if (version === undefined) return named;
  if (named.includes('@') || named.includes('/') || named.startsWith('.'))
    throw cairnError('CAIRN-USAGE', `--version cannot be used with ${named}`, {
      hint: 'Use --version only with the name of a plugin.',
    });
  return `${named}@${version}`;
}

/** `package get-schema` */
export const getSchema: Command<Texts<'out' | 'server'>> = async ({ args, flags }, context) => {
  const schema = withoutNulls((await obtainSchema(makingPorts(context, flags), namedBy(args, flags))).schema);
  await answer(context, flags.out, schema.endsWith('\n') ? schema : `${schema}\n`);
  return EXIT.ok;
};

async function answer(
  context: CommandContext,
  out: string | undefined,
  content: string | Uint8Array,
): Promise<void> {
  if (out === undefined) return void context.raw.stdout.write(content);
  const file = path.resolve(context.cwd, out);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Removes null members, which mean the same as missing ones. A schema without any remains unchanged, byte by byte. */
function withoutNulls(schema: string): string {
  let nulls = 0;
  const read: unknown = JSON.parse(schema, function (this: unknown, _key, value: unknown) {
    if (value !== null || Array.isArray(this)) return value;
    nulls += 1;
    return undefined;
  });
  return nulls === 0 ? schema : JSON.stringify(read, undefined, 2);
}

/** `package get-mapping` */
export const getMapping: Command<Texts<'out' | 'server'>> = async ({ args, flags }, context) => {
  const [key = '', text = '', wanted, ...parameters] = args.filter((arg) => arg !== undefined);
  const ports = makingPorts(context, flags);
  const source = await packageOrigin(ports, text, flags.server);
  if (source.t === 'schema')
    throw cairnError('CAIRN-USAGE', 'a schema in a file has no mappings', {
      hint: 'Name the plugin of the package.',
    });
  const asked = { source, parameters, server: flags.server };
  const mapping = await askPackage(ports, asked, async ({ provider }) => {
    const listed = (await provider.getMappings?.({ key })) ?? [];
    const name = wanted ?? listed[0] ?? '';
    return { listed, found: await provider.getMapping?.({ key, provider: name }) };
  });
  if (mapping.found === undefined || mapping.found.data.length === 0)
    throw cairnError(
      'CAIRN-USAGE',
      `${text} has no mapping for ${key}${wanted === undefined ? '' : ` of ${wanted}`}`,
      {
        hint:
          mapping.listed.length === 0
            ? 'Choose a package that was generated from a provider of that ecosystem.'
            : `Choose one that it maps: ${mapping.listed.join(', ')}.`,
      },
    );
  await answer(context, flags.out, Buffer.from(mapping.found.data));
  return EXIT.ok;
};

/** `package info` */
export const info: Command<Texts<'function' | 'module' | 'resource' | 'server'> & Switches<'json'>> = async (
  { args, flags },
  context,
) => {
  const ports = makingPorts(context, flags);
  const model = checkedModel(ports, await obtainSchema(ports, namedBy(args, flags)));
  const [type, token] = [flags.resource, flags.function];
  const module = flags.module;
  if (type !== undefined && token !== undefined)
    throw cairnError('CAIRN-USAGE', '--resource and --function cannot be used together');
  if (type !== undefined || token !== undefined) {
    const kind = type === undefined ? 'function' : 'resource';
    const found = itemNamed(model, kind, module, (type ?? token) as string);
    if (found === undefined)
      throw cairnError('CAIRN-USAGE', `${model.name} has no ${kind} ${type ?? token ?? ''}`, {
        hint: `Run \`cairn package info ${args[0] ?? ''}\` to list its resources and functions.`,
      });
    if (!flags.json) {
      context.stdout.write(itemText(found));
      return EXIT.ok;
    }
  }
  const shown = module === undefined ? model : onlyModule(model, module);
  const tokens = {
    resources: shown.resources.map((each) => each.token),
    functions: shown.functions.map((each) => each.token),
  };
  if (flags.json) printJson(context, { ...headOf(model), ...tokens });
  else context.stdout.write(overview(shown));
  return EXIT.ok;
};

/** `schema check` */
export const check: Command<Switches<'allowDanglingReferences'> & Texts<'server'>> = async (
  { args, flags },
  context,
) => {
  const given = namedBy(args, flags);
  const { text: named, parameters = [] } = given;
  const isFile =
    parameters.length === 0 && /[/\\.]/.test(named) && !named.includes('@') && !isGitSource(named);
  const text = isFile ? path.resolve(context.cwd, named) : named;
  const { schema } = await obtainSchema(makingPorts(context, flags), { ...given, text });
  const dangling = flags.allowDanglingReferences ? 'warning' : 'error';
  const { model, problems } = readSchema(schema, dangling);
  for (const problem of problems.filter(({ severity }) => severity === 'warning'))
    context.stdout.write(`warning: ${problemText(problem)}\n`);
  if (model === undefined) throw schemaError(named, problems);
  context.stdout.write(`${nameOf(model)}: ${counts(model)}, no errors\n`);
  return EXIT.ok;
};

function namedBy(args: Invocation['args'], flags: Texts<'server'>): NamedPackage {
  const [text = '', ...parameters] = args.filter((arg) => arg !== undefined);
  return { text, parameters, server: flags.server };
}

function nameOf({ name, version }: PackageModel): string {
  return version === '' ? name : `${name} ${version}`;
}

function headOf({ name, version, description, homepage, repository }: PackageModel) {
  return { name, version, description, homepage, repository, sdk: npmNameOf(name) };
}

function overview(model: PackageModel): string {
  const { description, homepage, resources, functions } = model;
  const list = (title: string, tokens: readonly string[]) =>
    tokens.length === 0 ? '' : `\n${title}\n${tokens.map((token) => `  ${token}\n`).join('')}`;
  return [
    `${nameOf(model)}\n`,
    description === '' ? '' : `${description}\n`,
    homepage === '' ? '' : `${homepage}\n`,
    `${counts(model)}\n`,
    list(
      'Resources',
      resources.map(({ token }) => token),
    ),
    list(
      'Functions',
      functions.map(({ token }) => token),
    ),
  ].join('');
}

type Item = Pick<PackageModel['resources'][number], 'token' | 'description' | 'inputs' | 'outputs'>;

/** Returns a resource or function by its token, or by its name in a module. */
function itemNamed(
  model: PackageModel,
  kind: 'resource' | 'function',
  module: string | undefined,
  name: string,
): Item | undefined {
  const items: readonly Item[] = kind === 'resource' ? model.resources : model.functions.map(functionItem);
  const isNamed = (token: string) =>
    token === name || (module !== undefined && isOf(token, module) && token.split(':').at(-1) === name);
  return items.find(({ token }) => isNamed(token));
}

function functionItem({ token, description, inputs, result }: PackageModel['functions'][number]): Item {
  return { token, description, inputs, outputs: result.kind === 'object' ? result.properties : [] };
}

/**
 * Tells whether a token belongs to a module. The module is named as in tokens, with or without the part after a slash.
 */
function isOf(token: string, module: string): boolean {
  const own = token.split(':')[1] ?? '';
  return own === module || own.split('/')[0] === module;
}

function onlyModule(model: PackageModel, module: string): PackageModel {
  const resources = model.resources.filter(({ token }) => isOf(token, module));
  const functions = model.functions.filter(({ token }) => isOf(token, module));
  if (resources.length + functions.length > 0) return { ...model, resources, functions };
  throw cairnError('CAIRN-USAGE', `${model.name} has no module ${module}`, {
    hint: 'Pass the middle part of a token: for aws:s3/bucket:Bucket, s3 or s3/bucket.',
  });
}

function itemText({ token, description, inputs, outputs }: Item): string {
  const rows = (title: string, properties: Item['inputs']) =>
    properties.length === 0
      ? ''
      : `\n${title}\n${properties.map(({ name, required, secret }) => `  ${name}${required ? ' (required)' : ''}${secret ? ' (secret)' : ''}\n`).join('')}`;
  return `${token}\n${description === '' ? '' : `${description.split('\n')[0]}\n`}${rows('Inputs', inputs)}${rows('Outputs', outputs)}`;
}

/** Returns a name that an import can have; reserved words get an underscore. */
function variable(name: string): string {
  const joined = name.replace(/[^A-Za-z0-9_$]+(.)?/g, (_all, next: string | undefined) =>
    (next ?? '').toUpperCase(),
  );
  return KEPT_WORDS.has(joined) ? `${joined}_` : joined;
}

const KEPT_WORDS: ReadonlySet<string> = new Set(
  'null true false this function import export default delete new void with package public static switch'.split(
    ' ',
  ),
);
