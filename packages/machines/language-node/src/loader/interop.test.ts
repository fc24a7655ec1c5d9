import { transformSync } from 'esbuild';
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { keepModuleIdentity } from './interop.js';

const require = createRequire(__filename);

/** Returns a source's exports after transpiling, with `require` answering from the given modules. */
function run(
  source: string,
  modules: Record<string, unknown> = {},
): { exports: Record<string, unknown>; code: string } {
  const code = keepModuleIdentity(
    transformSync(source, { loader: 'ts', format: 'cjs', platform: 'node' }).code,
  );
  const module = { exports: {} as Record<string, unknown> };
  const load = (name: string): unknown => modules[name] ?? require(name);
  vm.runInThisContext(`(function (require, module, exports) {${code}\n})`)(load, module, module.exports);
  return { exports: module.exports, code };
}

const plain = { named: 1 };
const compiled = Object.defineProperty({ named: 1, default: 2 }, '__esModule', { value: true });

test.each([
  [
    'a namespace import of a plain module is the module',
    'import * as m from "m"; export const same = m;',
    plain,
    { same: plain },
  ],
  [
    'a namespace import of a compiled module is the module',
    'import * as m from "m"; export const same = m;',
    compiled,
    { same: compiled },
  ],
  [
    'a default import of a plain module is the module',
    'import m from "m"; export const same = m;',
    plain,
    { same: plain },
  ],
  [
    'a default import of a compiled module is its default',
    'import m from "m"; export const two = m;',
    compiled,
    { two: 2 },
  ],
  [
    'default and named together',
    'import m, { named } from "m"; export const all = [m, named];',
    plain,
    { all: [plain, 1] },
  ],
  [
    'default and namespace together',
    'import d, * as m from "m"; export const all = [d, m.named];',
    plain,
    { all: [plain, 1] },
  ],
  [
    'the default of a namespace',
    'import * as m from "m"; export const same = m.default;',
    plain,
    { same: plain },
  ],
  ['named imports', 'import { named as n } from "m"; export const one = n;', plain, { one: 1 }],
])('%s', (_, source, module, expected) => {
  const { exports } = run(source, { m: module });
  expect({ ...exports }).toEqual(expected);
  for (const [name, value] of Object.entries(expected)) {
    if (name === 'same') expect(exports[name]).toBe(value);
  }
});

test('a name that is part of another, or a member of something else, is not taken for it', () => {
  const source =
    'import * as m from "m"; const mm = { default: 1 }; const o = { m: { default: 2 } }; export const all = [mm.default, o.m.default, m];';
  const { exports, code } = run(source, { m: plain });
  expect(exports['all']).toEqual([1, 2, plain]);
  expect(code).toContain('= require("m");');
});

test('lines stay where they are', () => {
  const source = 'import a from "a";\nimport * as b from "b";\nexport const x = [a, b];\n';
  const before = transformSync(source, { loader: 'ts', format: 'cjs', platform: 'node' }).code.split('\n');
  const after = keepModuleIdentity(before.join('\n')).split('\n');
  expect(after.findIndex((line) => line.startsWith('const x'))).toBe(
    before.findIndex((line) => line.startsWith('const x')),
  );
});
