#!/usr/bin/env node
// Generates the code of proto/ with buf and ts-proto (both from npm; no network, no protoc): that of proto/tfplugin
// into packages/boundary/tfplugin/src/generated, the rest into packages/boundary/wire/src/generated.
// With --check nothing is written: the exit code tells whether the generated files are up to date.
//
// Two things differ from the generator's output for proto/:
// - google.protobuf.Struct and Value are `optional bytes`, which have the same encoding. The value codec of
//   packages/boundary/wire reads and writes those bytes itself, so no message objects are made for property values. The
//   descriptors say so before they are given to the generator, which has no option for it.
// - The runtime import is our own reader and writer (packages/ground/protobuf); its name is fixed in the generator.
// That generator does not make one file of packages/boundary/wire: shapes.ts, names and types of all fields as data,
// for displays of messages.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const targets = [
  {
    target: join(root, 'packages/boundary/wire/src/generated'),
    chosen: ['--exclude-path', join(root, 'proto/tfplugin')],
    shapes: true,
  },
  {
    target: join(root, 'packages/boundary/tfplugin/src/generated'),
    chosen: ['--path', join(root, 'proto/tfplugin')],
  },
];
const bin = (name) => join(root, 'node_modules/.bin', name);

const options = [
  'esModuleInterop=true',
  'importSuffix=.js',
  'env=both',
  'oneof=unions-value',
  'enumsAsLiterals=true',
  'unrecognizedEnum=false',
  'outputJsonMethods=false',
  'outputServices=generic-definitions',
  'outputIndex=false',
  'useExactTypes=false',
  'useMapType=true',
  'outputTypeAnnotations=false',
  'removeEnumPrefix=false',
];

const files = (dir) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .sort();

const VALUES = ['.google.protobuf.Struct', '.google.protobuf.Value'];
const STRUCT_PROTO = 'google/protobuf/struct.proto';

/** The files of an image of descriptors (buf's JSON), with `optional bytes` for every Struct and Value. */
function structsAsBytes({ file }) {
  const kept = file.filter(({ name }) => name !== STRUCT_PROTO);
  for (const each of kept) {
    each.dependency = each.dependency?.filter((name) => name !== STRUCT_PROTO);
    each.messageType?.forEach(bytesInMessage);
  }
  return { file: kept };
}

function bytesInMessage(message) {
  for (const field of message.field ?? []) {
    if (!VALUES.includes(field.typeName)) continue;
    if (field.label === 'LABEL_REPEATED' || 'oneofIndex' in field)
      throw new Error(`${message.name}.${field.name}: a repeated value or one of a oneof cannot be bytes`);
    const optional = {
      oneofIndex: (message.oneofDecl ??= []).push({ name: `_${field.name}` }) - 1,
      proto3Optional: true,
    };
    Object.assign(field, { type: 'TYPE_BYTES', typeName: undefined, ...optional });
  }
  message.nestedType?.forEach(bytesInMessage);
}

function ownRuntime(text) {
  return text.replaceAll('"@bufbuild/protobuf/wire"', '"@cairn/protobuf"');
}

/** Names of the scalars of proto/ in shapes. */
const SCALARS = {
  TYPE_STRING: 'string',
  TYPE_BYTES: 'bytes',
  TYPE_BOOL: 'bool',
  TYPE_INT32: 'int32',
  TYPE_UINT32: 'uint32',
  TYPE_INT64: 'int64',
  TYPE_DOUBLE: 'double',
};

/** Fields of messages, names of enum values and types of methods, as a module of data. */
function shapesOf({ file }) {
  const [messages, enums, methods, maps] = [{}, {}, {}, []];
  const addEnum = (scope, { name, value }) =>
    (enums[`${scope}.${name}`] = Object.fromEntries(value.map((each) => [each.number ?? 0, each.name])));
  const addMessage = (scope, message) => {
    const name = `${scope}.${message.name}`;
    messages[name] = (message.field ?? []).map((field) => {
      const type = field.typeName?.slice(1) ?? SCALARS[field.type];
      if (type === undefined) throw new Error(`${name}.${field.name}: shapes know no ${field.type}`);
      return [field.number, field.jsonName, type, ...(field.label === 'LABEL_REPEATED' ? ['repeated'] : [])];
    });
    if (message.options?.mapEntry === true) maps.push(name);
    message.nestedType?.forEach((each) => addMessage(name, each));
    message.enumType?.forEach((each) => addEnum(name, each));
  };
  for (const { package: scope, messageType, enumType, service } of file) {
    messageType?.forEach((each) => addMessage(scope, each));
    enumType?.forEach((each) => addEnum(scope, each));
    for (const { name, method } of service ?? [])
      for (const each of method)
        methods[`/${scope}.${name}/${each.name}`] = [each.inputType.slice(1), each.outputType.slice(1)];
  }
  const lines = (table) =>
    Object.entries(table).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  const table = (name, type, rows) =>
    `\nexport const ${name}: Readonly<Record<string, ${type}>> = {\n${lines(rows).join('')}};\n`;
  return (
    `/** Number, name in JSON, type, and whether it is repeated. */\n` +
    `export type FieldShape = readonly [number, string, string, "repeated"?];\n` +
    table('messages', 'readonly FieldShape[]', messages) +
    table('enums', 'Readonly<Record<number, string>>', enums) +
    table('methods', 'readonly [request: string, answer: string]', methods) +
    `\n/** Messages that are entries of maps. */\nexport const maps: readonly string[] = ${JSON.stringify(maps)};\n`
  );
}

function generate({ chosen, shapes }) {
  const work = mkdtempSync(join(tmpdir(), 'cairn-wire-'));
  try {
    const buf = (...more) =>
      execFileSync(bin('buf'), more, { cwd: work, stdio: ['ignore', 'inherit', 'inherit'] });
    const image = join(work, 'image.json');
    buf('build', join(root, 'proto'), ...chosen, '-o', image);
    const built = JSON.parse(readFileSync(image, 'utf8'));
    const data = shapes === true ? [['shapes.ts', shapesOf(built)]] : [];
    writeFileSync(image, JSON.stringify(structsAsBytes(built)));
    writeFileSync(
      join(work, 'buf.gen.yaml'),
      `version: v2\nplugins:\n  - local: ${JSON.stringify(bin('protoc-gen-ts_proto'))}\n    out: out\n` +
        `    opt: [${options.join(', ')}]\n    include_imports: true\n    include_wkt: true\n`,
    );
    buf('generate', image);
    const out = join(work, 'out');
    const code = files(out).map((file) => [file, ownRuntime(readFileSync(join(out, file), 'utf8'))]);
    return new Map([...code, ...data]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

for (const { target, ...from } of targets) {
  const generated = generate(from);
  if (process.argv.includes('--check')) check(target, generated);
  else write(target, generated);
}

function check(target, generated) {
  const present = new Map(files(target).map((file) => [file, readFileSync(join(target, file), 'utf8')]));
  const names = new Set([...generated.keys(), ...present.keys()]);
  const stale = [...names].filter((file) => generated.get(file) !== present.get(file));
  if (stale.length === 0) return;
  console.error(
    `not up to date, run "npm run generate -w @cairn/wire":\n${stale.map((file) => `  ${file}`).join('\n')}`,
  );
  process.exitCode = 1;
}

function write(target, generated) {
  rmSync(target, { recursive: true, force: true });
  for (const [file, text] of generated) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    writeFileSync(join(target, file), text);
  }
}
