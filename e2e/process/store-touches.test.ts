import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * Directories, files, attributes and flushes of the store that whole commands touch. None of it depends on the machine,
 * and only a list of all changes depends on how many operations are kept [STORE-14].
 */
interface Touches {
  readonly directories: number;
  readonly files: number;
  readonly attributes: number;
  readonly flushes: number;
}

const counter = path.resolve(__dirname, '..', '..', 'tools', 'bench', 'touched.cjs');
const REFRESH = 'refresh --yes --skip-preview';

/** The most that each command may touch, however many operations are kept. */
const LIMITS: Readonly<Record<string, Touches>> = {
  'stack ls': { directories: 5, files: 3, attributes: 3, flushes: 0 },
  'stack output': { directories: 5, files: 3, attributes: 1, flushes: 0 },
  'stack export': { directories: 5, files: 2, attributes: 1, flushes: 0 },
  'change --last=refresh': { directories: 13, files: 9, attributes: 1, flushes: 0 },
  'refresh --preview-only': { directories: 10, files: 3, attributes: 1, flushes: 0 },
  'stack history --page-size 5 --page 1': { directories: 3, files: 6, attributes: 1, flushes: 0 },
  [REFRESH]: { directories: 11, files: 29, attributes: 10, flushes: 20 },
};
/** Directories, files and flushes that a list of all changes needs for one more change. */
const ROW: Touches = { directories: 1, files: 1, attributes: 0, flushes: 0 };

const NAMES = ['directories', 'files', 'attributes', 'flushes'] as const;

let box: Sandbox;
beforeAll(() => {
  box = sandbox();
  box.env['CAIRN_JOURNAL_RETENTION'] = '1000';
  giveStack(box);
});
afterAll(() => box.remove());

async function touches(words: string): Promise<Touches> {
  const record = path.join(box.home, 'touched.jsonl');
  rmSync(record, { force: true });
  const env = {
    CAIRN_TOUCHED: record,
    CAIRN_TOUCHED_STORE: box.state,
    NODE_OPTIONS: `--require=${counter}`,
  };
  expectOk(await box.process(words.split(' '), { env }));
  const [line = '', ...others] = readFileSync(record, 'utf8').trim().split('\n');
  expect(others).toEqual([]);
  const { directories, files, attributes, flushes } = JSON.parse(line) as Touches;
  return { directories, files, attributes, flushes };
}

/** Directories, files and flushes of each command in a stack with so many kept operations. */
async function touchesWith(kept: number): Promise<Readonly<Record<string, Touches>>> {
  const changes = JSON.parse(expectOk(await box.cairn(['changes', '--json'])).stdout) as readonly unknown[];
  for (let count = changes.length; count < kept; count += 1) expectOk(await box.cairn(REFRESH.split(' ')));
  const found: Record<string, Touches> = {};
  for (const words of ['changes', ...Object.keys(LIMITS)]) found[words] = await touches(words);
  return found;
}

test('commands touch the same of a store with 5 and with 50 kept operations', async () => {
  const { changes: listOfFew, ...few } = await touchesWith(5);
  const { changes: listOfMany, ...many } = await touchesWith(50);
  expect(many).toEqual(few);
  const added = NAMES.map((name) => (listOfMany?.[name] ?? 0) - (listOfFew?.[name] ?? 0));
  expect(added).toEqual(NAMES.map((name) => 45 * ROW[name]));
  const over = Object.entries(LIMITS).filter(([words, most]) =>
    NAMES.some((name) => (few[words]?.[name] ?? Infinity) > most[name]),
  );
  expect(over.map(([words]) => [words, few[words]])).toEqual([]);
});
