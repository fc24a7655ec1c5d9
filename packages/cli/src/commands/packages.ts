import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { npmNameOf, readSchema } from '@cairn/codegen';
import type { PackageModel } from '@cairn/codegen';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { packageSource } from '@cairn/operations';
import type { Command, Invocation } from '../command-spec.js';
import { generateSdks } from '../session/packages/generate-sdks.js';
import { addPackage, counts, packageSummary } from '../session/packages/add-package.js';
import {
  askPackage,
  checkedModel,
  obtainSchema,
  problemText,
  schemaError,
  schemaFile,
} from '../session/packages/obtain-schema.js';
import { packageUser } from '../session/packages/package-user.js';
import { referencesOf } from '../session/packages/references.js';
import { writePackage } from '../session/packages/write-package.js';
import { printJson } from '../terminal/json-output.js';

/** `package add` */
export const add: Command = async ({ args, flags }, world) => {
  const project = await packageUser(world.cwd);
  const obtained = await obtainSchema(world, flags, ...sourceOf(args));
  const { model, written, instructions } = await addPackage(world, flags, project, obtained);
  if (written !== undefined)
    world.stderr.write(`Import it with: import * as ${variable(model.name)} from '${written.npmName}';\n`);
  else if (instructions !== '') world.stderr.write(`${instructions}\n`);
  return EXIT.ok;
};

/** `package gen-sdk` */
export const genSdk: Command = async ({ args, flags }, world) => {
  const obtained = await obtainSchema(world, flags, ...sourceOf(args));
  const model = checkedModel(world, obtained);
  if (flags.text('language') !== undefined) return generateSdks(world, flags, model, obtained);
  if (flags.on('local')) throw cairnError('CAIRN-USAGE', '--local needs --language');
  const folder = path.resolve(world.cwd, flags.text('out') ?? path.join('sdks', model.name));
  const references = await referencesOf(world, flags, model, path.dirname(folder));
  const written = await writePackage(model, folder, references);
  world.stderr.write(`${packageSummary(model, written, path.relative(world.cwd, folder) || '.')}\n`);
  return EXIT.ok;
};

/** `package get-schema` */
export const getSchema: Command = async ({ args, flags }, world) => {
  const schema = withoutNulls((await obtainSchema(world, flags, ...sourceOf(args))).schema);
  const out = flags.text('out');
  if (out === undefined) world.raw.stdout.write(schema.endsWith('\n') ? schema : `${schema}\n`);
  else {
    const file = path.resolve(world.cwd, out);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, schema);
  }
  return EXIT.ok;
};

/** A null says of a member what leaving it out says; a schema without any stays as it is, byte by byte. */
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
export const getMapping: Command = async ({ args, flags }, world) => {
  const [key = '', text = '', wanted, ...parameters] = args.filter((arg) => arg !== undefined);
  const source = await packageSource(text, world.cwd);
  if (source.t === 'schema')
    throw cairnError('CAIRN-USAGE', 'a schema in a file has no mappings', {
      hint: 'name the plugin of the package',
    });
  const mapping = await askPackage(world, flags, source, parameters, async ({ provider }) => {
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
            ? 'it was not made from a provider of that ecosystem'
            : `it maps ${mapping.listed.join(', ')}`,
      },
    );
  world.raw.stdout.write(Buffer.from(mapping.found.data));
  return EXIT.ok;
};

/** `package info` */
export const info: Command = async ({ args, flags }, world) => {
  const model = checkedModel(world, await obtainSchema(world, flags, ...sourceOf(args)));
  const type = flags.text('resource');
  const tokens = {
    resources: model.resources.map(({ token }) => token),
    functions: model.functions.map(({ token }) => token),
  };
  if (type !== undefined && !tokens.resources.includes(type))
    throw cairnError('CAIRN-USAGE', `${model.name} has no resource ${type}`, {
      hint: `\`cairn package info ${args[0] ?? ''}\` lists what it has`,
    });
  if (flags.on('json')) printJson(world, { ...headOf(model), ...tokens });
  else world.stdout.write(type === undefined ? overview(model) : resourceText(model, type));
  return EXIT.ok;
};

/** `schema check` */
export const check: Command = async ({ args }, world) => {
  const file = path.resolve(world.cwd, args[0] ?? '');
  const { model, problems } = readSchema(await schemaFile(file));
  for (const problem of problems.filter(({ severity }) => severity === 'warning'))
    world.stdout.write(`warning: ${problemText(problem)}\n`);
  if (model === undefined) throw schemaError(args[0] ?? file, problems);
  world.stdout.write(`${nameOf(model)}: ${counts(model)}, no errors\n`);
  return EXIT.ok;
};

function sourceOf(args: Invocation['args']): [string, readonly string[]] {
  const [source = '', ...parameters] = args.filter((arg) => arg !== undefined);
  return [source, parameters];
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

function resourceText(model: PackageModel, type: string): string {
  const found = model.resources.find(({ token }) => token === type);
  if (found === undefined) return '';
  const rows = (title: string, properties: typeof found.inputs) =>
    properties.length === 0
      ? ''
      : `\n${title}\n${properties.map(({ name, required, secret }) => `  ${name}${required ? ' (required)' : ''}${secret ? ' (secret)' : ''}\n`).join('')}`;
  return `${type}\n${found.description === '' ? '' : `${found.description.split('\n')[0]}\n`}${rows('Inputs', found.inputs)}${rows('Outputs', found.outputs)}`;
}

/** A name that an import can have; words that the language keeps get an underscore. */
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
