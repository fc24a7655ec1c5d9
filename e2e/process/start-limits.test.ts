import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { recordStart } from '../support/start-record.js';

/** The most that commands open: code files of the command, and their kilobytes. Stored compiled code is not counted. */
const LIMITS: readonly (readonly [string, number, number])[] = [
  ['version', 2, 4],
  ['help', 5, 223],
  ['completion bash', 6, 223],
  ['stack ls', 6, 1098],
  ['stack output', 6, 1098],
  ['stack export', 6, 1098],
  ['config get size', 6, 1098],
  ['changes', 6, 1098],
  ['preview', 8, 2677],
  ['up --yes --skip-preview', 8, 2677],
];

/** The most that the process of an empty program compiles: files of Cairn, and their kilobytes. */
const PROGRAM_LIMITS: readonly (readonly [string, number, number])[] = [
  ['index.ts', 9, 398],
  ['required.cts', 9, 398],
];

const packages = path.resolve(__dirname, '..', '..', 'packages') + path.sep;
const cli = path.join(packages, 'edges', 'cli') + path.sep;

let box: Sandbox;
beforeAll(async () => {
  box = sandbox({
    'index.ts': `import { getStack } from '@cairn/sdk'; export const x = getStack();\n`,
    'required.cts': `import cairn = require('@cairn/sdk'); export const x = cairn.getStack();\n`,
  });
  expectOk(await box.start(['stack', 'init', 'dev']).finished);
  expectOk(await box.start(['config', 'set', 'size', '3']).finished);
});
afterAll(() => box.remove());

test.each(LIMITS)(
  '%s opens at most %d code files of %d KB, and none of npm packages',
  async (words, most, size) => {
    const run = await recordStart(box, words.split(' '));
    expectOk(run);
    const code = Object.entries(run.files).filter(([file]) => /\.([cm]?js|json)$/.test(file));
    expect(code.filter(([file]) => file.includes(`${path.sep}node_modules${path.sep}`))).toEqual([]);
    const ours = code.filter(([file]) => file.startsWith(cli));
    expect(ours.map(([file]) => file)).toContain(path.join(cli, 'bin', 'cairn.cjs'));
    expect(ours.length).toBeLessThanOrEqual(most);
    expect(ours.reduce((sum, [, bytes = 0]) => sum + bytes, 0) / 1000).toBeLessThanOrEqual(size);
  },
);

test.each(PROGRAM_LIMITS)(
  'the process of %s opens at most %d code files of %d KB',
  async (main, most, size) => {
    box.write('Cairn.yaml', `name: shop\nruntime: nodejs\nmain: ${main}\n`);
    const run = await recordStart(box, ['preview']);
    expectOk(run);
    const code = Object.entries(run.program?.files ?? {}).filter(([file]) => /\.[cm]?js$/.test(file));
    const ours = code.filter(([file]) => file.startsWith(packages));
    expect(ours.map(([file]) => file)).toContain(
      path.join(packages, 'authors', 'sdk', 'dist', 'packs', 'program.cjs'),
    );
    expect(ours.length).toBeLessThanOrEqual(most);
    expect(ours.reduce((sum, [, bytes = 0]) => sum + bytes, 0) / 1000).toBeLessThanOrEqual(size);
  },
);
