import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { errorsOfSourcesThatRun } from './running-errors.js';
import type { SourcesThatRun } from './typecheck-request.js';

let root: string;
beforeEach(() => (root = realpathSync(mkdtempSync(path.join(tmpdir(), 'cairn-types-')))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const WRONG = "export const wrong: number = 'text'; export interface Shape { a: number }";
const TS2322 = "error TS2322: Type 'string' is not assignable to type 'number'.";
const QUICK = { types: [], lib: ['es5'] };

function errorsOf(
  files: Readonly<Record<string, string>>,
  what: Partial<SourcesThatRun> = {},
): readonly string[] {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  const request: SourcesThatRun = {
    t: 'run',
    tsconfig: 'tsconfig.json' in files ? path.join(root, 'tsconfig.json') : undefined,
    entry: path.join(root, 'index.ts'),
    modules: 'node',
    compilerOptions: QUICK,
    ignored: [],
    files: false,
    ...what,
  };
  return errorsOfSourcesThatRun(ts, request, root);
}

/** Files, and the reported lines. */
const CASES: readonly [
  string,
  Readonly<Record<string, string>>,
  readonly string[],
  Partial<SourcesThatRun>?,
][] = [
  ['a mistake in the entry', { 'index.ts': WRONG }, [`index.ts(1,14): ${TS2322}`]],
  [
    'what cannot be parsed',
    { 'index.ts': 'const a = ;' },
    ['index.ts(1,11): error TS1109: Expression expected.'],
  ],
  [
    'an imported file',
    { 'index.ts': "import { wrong } from './a'; export const b = wrong;", 'a.ts': WRONG },
    [`a.ts(1,14): ${TS2322}`],
  ],
  [
    'a file that another one requires',
    { 'index.ts': "import a = require('./a'); a;", 'a.ts': "export * from './b';", 'b.ts': WRONG },
    [`b.ts(1,14): ${TS2322}`],
  ],
  [
    'a file of which only types are used',
    { 'index.ts': "import { Shape } from './a'; export const b: Shape = { a: 1 };", 'a.ts': WRONG },
    [],
  ],
  ['a file that nobody imports', { 'index.ts': 'export {};', 'a.ts': WRONG, 'tsconfig.json': '{}' }, []],
  [
    'declarations and packages',
    {
      'index.ts': "/// <reference path='a.d.ts' /> \nimport { wrong } from 'one'; wrong;",
      'a.d.ts': 'declare const a: Missing;',
      'node_modules/one/package.json': '{"name":"one","main":"index.ts"}',
      'node_modules/one/index.ts': WRONG,
    },
    [],
  ],
  ['a code that is no mistake', { 'index.ts': WRONG }, [], { ignored: [2322] }],
  [
    'an option that there is not',
    { 'index.ts': 'export {};', 'tsconfig.json': '{"compilerOptions":{"strickt":true}}' },
    [expect.stringMatching(/error TS50\d\d: Unknown compiler option 'strickt'/) as unknown as string],
  ],
  [
    'strictness of a tsconfig that is extended',
    {
      'index.ts': 'export const a: string = null;',
      'tsconfig.json': '{"extends":"./base.json"}',
      'base.json': '{"compilerOptions":{"strict":true,"module":"amd"}}',
    },
    ["index.ts(1,14): error TS2322: Type 'null' is not assignable to type 'string'."],
  ],
  [
    'global declarations that a tsconfig covers are unknown',
    { 'index.ts': 'export const b = a;', 'a.d.ts': 'declare const a: 1;', 'tsconfig.json': '{}' },
    ["index.ts(1,18): error TS2304: Cannot find name 'a'."],
  ],
  [
    'unless ts-node is told to know them',
    {
      'index.ts': 'export const b = a;',
      'a.d.ts': 'declare const a: 1;',
      'other.ts': WRONG,
      'tsconfig.json': '{}',
    },
    [],
    { files: true },
  ],
];

test.each(CASES)('%s', (...[, files, lines, what]) => {
  expect(errorsOf(files, what)).toEqual(lines);
});
