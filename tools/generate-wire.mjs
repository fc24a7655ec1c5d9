#!/usr/bin/env node
// Generates packages/wire/src/generated from proto/ with buf and ts-proto (both from npm; no network, no protoc).
// With --check nothing is written: the exit code says whether the generated files are up to date.
//
// Three things are changed on the way:
// - google.protobuf.Struct and Value become `optional bytes`, which have the same encoding. The value codec of
//   packages/wire reads and writes those bytes itself, so no message objects are made for property values.
// - Maps have no prototype, so that a key such as "__proto__" is data like any other.
// - The runtime import becomes our own reader and writer (packages/wire/src/protobuf).
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'packages/wire/src/generated');
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
  'outputTypeAnnotations=false',
  'removeEnumPrefix=false',
];

const files = (dir) =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .sort();

function structsAsBytes(text) {
  return text
    .replace(/^(\s*)(?:optional )?google\.protobuf\.(?:Struct|Value) (\w+ = \d+)/gm, '$1optional bytes $2')
    .replace(/^import "google\/protobuf\/struct\.proto";\n/m, '');
}

function mapsWithoutPrototype(text) {
  const empty = 'globalThis.Object.create(null)';
  return text
    .replace(/\b(?!options\b)(\w+): \{\}(?=,| \})/g, `$1: ${empty}`)
    .replace(/^(\s*)\{\},$/gm, `$1${empty},`)
    .replace(/\}, \{\}\);$/gm, `}, ${empty});`);
}

function ownRuntime(text, file) {
  const runtime = relative(join(target, dirname(file)), join(target, '../protobuf/wire.js'));
  return text.replaceAll('"@bufbuild/protobuf/wire"', JSON.stringify(runtime));
}

function generate() {
  const work = mkdtempSync(join(tmpdir(), 'cairn-wire-'));
  try {
    cpSync(join(root, 'proto'), join(work, 'proto'), { recursive: true });
    for (const file of files(join(work, 'proto'))) {
      const path = join(work, 'proto', file);
      writeFileSync(path, structsAsBytes(readFileSync(path, 'utf8')));
    }
    writeFileSync(join(work, 'buf.yaml'), 'version: v2\nmodules:\n  - path: proto\n');
    writeFileSync(
      join(work, 'buf.gen.yaml'),
      `version: v2\nplugins:\n  - local: ${JSON.stringify(bin('protoc-gen-ts_proto'))}\n    out: out\n` +
        `    opt: [${options.join(', ')}]\n    include_imports: true\n    include_wkt: true\n`,
    );
    execFileSync(bin('buf'), ['generate'], { cwd: work, stdio: ['ignore', 'inherit', 'inherit'] });
    const out = join(work, 'out');
    return new Map(
      files(out).map((file) => [
        file,
        ownRuntime(mapsWithoutPrototype(readFileSync(join(out, file), 'utf8')), file),
      ]),
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const generated = generate();
if (process.argv.includes('--check')) {
  const present = new Map(files(target).map((file) => [file, readFileSync(join(target, file), 'utf8')]));
  const names = new Set([...generated.keys(), ...present.keys()]);
  const stale = [...names].filter((file) => generated.get(file) !== present.get(file));
  if (stale.length > 0) {
    console.error(
      `not up to date, run "npm run generate -w @cairn/wire":\n${stale.map((file) => `  ${file}`).join('\n')}`,
    );
    process.exitCode = 1;
  }
} else {
  rmSync(target, { recursive: true, force: true });
  for (const [file, text] of generated) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    writeFileSync(join(target, file), text);
  }
}
