import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRuntimeOptions } from './runtime-options.js';
import { programStart } from './program-command.js';
import { findProgramSdk } from './program-sdk.js';

let root: string;
beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-sdk-')))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const PARTS = ['index.js', 'run.js', 'program.cjs', 'cmd/run/index.js'];

test.each([
  {
    what: 'our SDK is run from its script, and programs import what is in it',
    name: '@cairn/sdk',
    exports: { './run': './run.js', './program': './program.cjs' },
    runner: 'program.cjs',
    preload: 'packed/index.js',
    flags: ['--max-semi-space-size=4', '--enable-source-maps', '--conditions=cairn-program', '--own'],
  },
  {
    what: 'our SDK of a version without a script is run as a module',
    name: '@cairn/sdk',
    exports: { './run': './run.js' },
    runner: 'run.js',
    preload: 'index.js',
    flags: ['--max-semi-space-size=4', '--enable-source-maps', '--own'],
  },
  {
    what: 'the other SDK is run by its own runner, and nothing of it is loaded before',
    name: '@pulumi/pulumi',
    exports: { './cmd/run': './cmd/run/index.js' },
    runner: 'cmd/run/index.js',
    preload: undefined,
    flags: ['--own'],
  },
])('$what', ({ name, exports, runner, preload, flags }) => {
  const folder = join(root, 'node_modules', name);
  mkdirSync(join(folder, 'cmd', 'run'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, exports }));
  for (const part of PARTS) writeFileSync(join(folder, part), '');
  const entry = { path: join(root, 'index.ts'), isModule: true, manifest: undefined };
  const sdk = findProgramSdk(root, entry, undefined);
  expect(sdk).toMatchObject({ name, runner: join(folder, runner) });
  expect(sdk.preload).toBe(preload === undefined ? undefined : join(folder, preload));
  const start = programStart(sdk, parseRuntimeOptions({}), { args: ['--own'], env: {} });
  expect(start.args).toEqual(flags);
});
