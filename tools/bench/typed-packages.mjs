// Time to generate a package of many resources, and the files that a program loads that uses one of them.
// node tools/bench/typed-packages.mjs [resources]   (build @cairn/sdk and @cairn/codegen first)
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { generatePackage, readSchema } from '../../packages/machines/codegen/dist/index.js';
import { toolOptions } from '../tool-options.mjs';

const { positionals } = toolOptions(import.meta.url, { allowPositionals: true });
const count = Number(positionals[0] ?? 5000);
const PROPERTIES = 20;
const MODULES = 100;

function schema() {
  const types = {};
  const resources = {};
  for (let index = 0; index < count; index += 1) {
    const module = `m${index % MODULES}/r${index}`;
    const properties = Object.fromEntries(
      Array.from({ length: PROPERTIES }, (_, at) => [
        `property${at}`,
        {
          type: at % 3 === 0 ? 'integer' : 'string',
          description: `What property ${at} is about, in a sentence.`,
        },
      ]),
    );
    types[`large:${module}:Rule${index}`] = { type: 'object', properties };
    const rule = { $ref: `#/types/large:${module}:Rule${index}` };
    const all = { ...properties, rules: { type: 'array', items: rule } };
    resources[`large:${module}:Thing${index}`] = {
      inputProperties: all,
      properties: all,
      stateInputs: { properties: all },
    };
  }
  return { name: 'large', version: '1.0.0', meta: { moduleFormat: '(.*)(?:/[^/]*)' }, types, resources };
}

const folder = mkdtempSync(path.join(tmpdir(), 'typed-packages-'));
const text = JSON.stringify(schema());
const start = performance.now();
const { model } = readSchema(text);
let files = 0;
let bytes = 0;
const made = new Set();
for (const [file, code] of generatePackage(model, { sdkVersion: '0.1.0' })) {
  const full = path.join(folder, 'node_modules', '@cairn-sdks', 'large', file);
  const directory = path.dirname(full);
  if (!made.has(directory)) mkdirSync(directory, { recursive: true });
  made.add(directory);
  writeFileSync(full, code);
  files += 1;
  bytes += code.length;
}
const seconds = (performance.now() - start) / 1000;
console.log(
  `${count} resources, schema of ${(text.length / 1e6).toFixed(1)} MB: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, in ${seconds.toFixed(1)} s`,
);

symlinkSync(
  path.resolve(import.meta.dirname, '../../node_modules/@cairn'),
  path.join(folder, 'node_modules', '@cairn'),
);
writeFileSync(
  path.join(folder, 'load.mjs'),
  `
import { createRequire } from 'node:module';
import '@cairn/sdk';
import '@cairn/sdk/packages';
const start = performance.now();
const { m7 } = await import('@cairn-sdks/large');
const imported = performance.now();
m7.Thing107.name;
const used = performance.now();
const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('large'));
console.log('import ' + (imported - start).toFixed(1) + ' ms, first use ' + (used - imported).toFixed(1) + ' ms');
console.log('loaded: ' + loaded.map((file) => file.split('large/')[1]).join(', '));
`,
);
process.stdout.write(execFileSync(process.execPath, ['load.mjs'], { cwd: folder, encoding: 'utf8' }));
rmSync(folder, { recursive: true });
