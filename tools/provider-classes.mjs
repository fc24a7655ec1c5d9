#!/usr/bin/env node
/**
 * Writes the classes with which programs use our providers: `src/generated` of each from the schema of its definition.
 * With `--check`, reports files that are out of date and properties without a description, and ends with 1 then.
 */
import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inPackage } from './workspaces.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');

/** The providers, by the word that their classes begin with. */
const PROVIDERS = { Local: 'local', Postgresql: 'postgresql', Random: 'random' };

const HEADER = '// Written by tools/provider-classes.mjs from the schema of the provider.\n';

const { codegen, definitions } = await sources();
const problems = [];
for (const [prefix, name] of Object.entries(PROVIDERS)) {
  const { model } = codegen.readSchema(codegen.packageSchema(definitions[prefix]));
  problems.push(
    ...withoutDescription(model).map((property) => `${model.name}: ${property} has no description`),
  );
  for (const [file, text] of files(model, prefix)) {
    const place = inPackage(`provider-${name}/src/generated/${file}`);
    if (!check) {
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, text);
    } else if (stored(place) !== text)
      problems.push(`${path.relative(root, place)} is not up to date: node tools/provider-classes.mjs`);
  }
}
if (problems.length > 0) console.log(problems.join('\n'));
process.exitCode = check && problems.length > 0 ? 1 : 0;

function stored(file) {
  try {
    return readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return undefined;
  }
}

/** The parts of the generator, and the definitions of the providers, from their sources. */
async function sources() {
  const from = (file) => JSON.stringify(inPackage(file).replaceAll('\\', '/'));
  const parts = {
    docComment: 'codegen/src/source/doc-comment.ts',
    layoutOf: 'codegen/src/typed-package/layout.ts',
    memberName: 'codegen/src/source/member-name.ts',
    objectTypes: 'codegen/src/typed-package/type-files.ts',
    packageSchema: 'provider-sdk/src/index.ts',
    readSchema: 'codegen/src/index.ts',
    typeUse: 'codegen/src/typed-package/type-use.ts',
    TypeWriter: 'codegen/src/typed-package/type-writer.ts',
    doc: 'codegen/src/typed-package/type-writer.ts',
  };
  const contents = [
    ...Object.entries(parts).map(([part, file]) => `export { ${part} } from ${from(file)};`),
    ...Object.entries(PROVIDERS).map(
      ([prefix, name]) =>
        `export { ${name}Provider as ${prefix} } from ${from(`provider-${name}/src/definition.ts`)};`,
    ),
  ].join('\n');
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-classes-'));
  const outfile = path.join(folder, 'sources.cjs');
  try {
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      ...{ bundle: true, format: 'cjs', platform: 'node', logLevel: 'error', outfile },
      ...{ conditions: ['cairn-src'], external: ['pg-native'] },
      define: { 'import.meta.url': '"file:///nowhere"' },
    });
    const loaded = createRequire(import.meta.url)(outfile);
    return { codegen: loaded, definitions: loaded };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns properties without a description for editors. */
function withoutDescription({ resources, provider, objects }) {
  return [
    ...[...resources, provider].flatMap(({ token, inputs, outputs = [] }) =>
      [...inputs, ...outputs].map((property) => [token, property]),
    ),
    ...[...objects.values()].flatMap(({ token, properties }) =>
      properties.map((property) => [token, property]),
    ),
  ]
    .filter(([, { description }]) => description === '')
    .map(([token, { name }]) => `${token} ${name}`);
}

/** The files of a package's classes, as paths and texts. */
function files(model, prefix) {
  const layout = prefixed(codegen.layoutOf(model), prefix);
  const context = { layout, use: codegen.typeUse(model), externals: new Map() };
  return layout.modules.flatMap((module) => {
    const enums = module.enums.map(enumText);
    return [
      ['classes.ts', classes(module, context)],
      ...codegen.objectTypes(module, context).map(([form, text]) => [`${form}.ts`, typeImports(text)]),
      ...(enums.length > 0 ? [['enums.ts', enums.join('\n')]] : []),
    ].map(([file, text]) => [path.join(module.folder, file), HEADER + text]);
  });
}

/** A layout in which all classes of a module are in one file, and names begin with the prefix. */
function prefixed(layout, prefix) {
  const named = (each) => ({ ...each, name: prefix + each.name });
  const modules = layout.modules.map((module) => ({
    ...module,
    resources: module.resources.map((each) => ({
      ...named(each),
      args: prefix + each.args,
      file: 'classes',
    })),
    enums: module.enums.map(named),
    objects: module.objects.map(named),
  }));
  const byToken = (all) => new Map(all.map((each) => [each.model.token, each]));
  return {
    modules,
    resources: byToken(modules.flatMap(({ resources }) => resources)),
    types: byToken(modules.flatMap(({ enums, objects }) => [...enums, ...objects])),
  };
}

function enumText({ name, model }) {
  const values = model.members.map(({ value }) => ` | '${value}'`).join('');
  return `${codegen.docComment(model)}export type ${name} =${values.slice(2)};\n`;
}

function classes(module, context) {
  const wanted = module.resources.filter(
    ({ model }) => !model.token.startsWith('pulumi:providers:') || model.inputs.length > 0,
  );
  const bases = [...new Set(wanted.map(baseOf))].sort();
  const writer = new codegen.TypeWriter(context, module.folder, [
    ...bases,
    ...wanted.flatMap(({ name, args }) => [name, args]),
  ]);
  const parts = wanted.flatMap((placed) => [
    classText(placed, writer),
    writer.interface(placed.args, placed.model.inputs, 'inputs', `What a {@link ${placed.name}} is made of.`),
  ]);
  const types = typeImports(writer.imports());
  return [`import { ${bases.join(', ')} } from '@cairn/sdk';\n${types}`, ...parts].join('\n');
}

/** Marks imports of types as such in source files; declarations need not. */
function typeImports(text) {
  return text.replace(/^import \{/m, 'import type {');
}

function baseOf({ model }) {
  return model.token.startsWith('pulumi:providers:') ? 'ProviderResource' : 'CustomResource';
}

function classText(placed, writer) {
  const { model, name, args } = placed;
  const provider = /^pulumi:providers:(.*)/.exec(model.token)?.[1];
  const options = provider === undefined ? 'CustomResourceOptions' : 'ResourceOptions';
  const needed = model.inputs.some(({ required, standard }) => required && standard === undefined);
  const comment =
    model.description ||
    (provider === undefined
      ? ''
      : `An instance of the provider, given to resources as \`provider\` when the stack's\nconfiguration of \`${provider}\` is not meant.`);
  return [
    `${codegen.docComment({ ...model, description: comment })}export class ${name} extends ${baseOf(placed)} {`,
    `  constructor(name: string, args: ${args}${needed ? '' : ' = {}'}, options?: ${writer.sdk(options)}) {`,
    `    super('${provider ?? model.token}', name, args, options);`,
    '  }',
    ...model.outputs.flatMap((output) => {
      const type = writer.property(output, 'outputs') + (output.required ? '' : ' | undefined');
      return [
        '',
        `${codegen.doc(output, 'outputs')}  get ${codegen.memberName(output.name)}(): ${writer.sdk('Output')}<${type}> {`,
        `    return this.outputOf('${output.name}');`,
        '  }',
      ];
    }),
    '}\n',
  ].join('\n');
}
