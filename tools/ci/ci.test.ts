import { allLanes } from './lanes.mjs';
import { runPool } from './pool.mjs';
import { processorSeconds } from '../timed.mjs';
import { failedLanes, failedTests, laneTable, overBudget, slowestFiles, totalsOf } from './report.mjs';

interface Lane {
  readonly name: string;
  readonly length: number;
  readonly width?: number | 'all';
  readonly after?: readonly string[];
  readonly fails?: boolean;
}

/** Runs lanes in two slots, with a turn per unit of length, and returns when each began. */
async function starts(lanes: readonly Lane[]): Promise<Record<string, number | string>> {
  const begun: Record<string, number | string> = {};
  const waiting: { at: number; end: () => void }[] = [];
  let now = 0;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const over = runPool(lanes, {
    slots: 2,
    length: ({ length }: Lane) => length,
    isFatal: ({ failed }: { failed: boolean }) => failed,
    skip: ({ name }: Lane, cause: string) => {
      begun[name] = `not run: ${cause}`;
      return { failed: true };
    },
    run: ({ name, length, fails }: Lane) => {
      begun[name] = now;
      return new Promise((resolve) =>
        waiting.push({ at: now + length, end: () => resolve({ failed: fails === true }) }),
      );
    },
  });
  for (await turn(); waiting.length > 0; await turn()) {
    waiting.sort((a, b) => b.at - a.at);
    const next = waiting.pop();
    now = next?.at ?? now;
    next?.end();
  }
  await over;
  return begun;
}

test.each<[string, readonly Lane[], Record<string, number | string>]>([
  [
    'the longest go first, two at a time',
    [
      { name: 'short', length: 1 },
      { name: 'long', length: 9 },
      { name: 'middle', length: 4 },
    ],
    { long: 0, middle: 0, short: 4 },
  ],
  [
    'one that needs every slot has them alone',
    [
      { name: 'build', length: 5, width: 'all' },
      { name: 'a', length: 2, after: ['build'] },
      { name: 'b', length: 3, after: ['build'] },
    ],
    { build: 0, a: 5, b: 5 },
  ],
  [
    'one for which a long one waits goes first',
    [
      { name: 'tests', length: 9, after: ['servers'] },
      { name: 'servers', length: 2 },
      { name: 'types', length: 3 },
      { name: 'lint', length: 4 },
    ],
    { servers: 0, lint: 0, tests: 2, types: 4 },
  ],
  [
    'nothing runs behind one without which it cannot',
    [
      { name: 'install', length: 1, fails: true },
      { name: 'build', length: 1, after: ['install'] },
      { name: 'tests', length: 1, after: ['build'] },
    ],
    { install: 0, build: 'not run: install', tests: 'not run: build' },
  ],
])('%s', async (_title, lanes, expected) => {
  expect(await starts(lanes)).toEqual(expected);
});

test('lanes that wait for each other are a mistake', async () => {
  const lanes = [
    { name: 'a', after: ['b'] },
    { name: 'b', after: ['a'] },
  ];
  const pool = runPool(lanes, { slots: 2, length: () => 1, run: unused, isFatal: unused, skip: unused });
  await expect(pool).rejects.toThrow('wait for each other');
});

function unused(): never {
  throw new Error('no lane runs');
}

test('lanes have names of their own, and wait for lanes that there are', () => {
  const lanes = allLanes({ seed: 1, times: 1 });
  const names = lanes.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { after = [] } of lanes) expect(names).toEqual(expect.arrayContaining([...after]));
});

test('random lanes take the seed, and as many times as many runs as are asked for', () => {
  const words = (times: number) =>
    allLanes({ seed: 7, times })
      .map((lane) => lane.words.join(' '))
      .filter((line) => line.includes('--seed 7'));
  const runs = (lines: readonly string[]) =>
    lines.map((line) => Number(/--(?:runs|random) (\d+)/.exec(line)?.[1]));
  expect(runs(words(1)).length).toBe(5);
  expect(runs(words(5))).toEqual(runs(words(1)).map((each) => each * 5));
});

test.each([
  ['0m0.010s 0m0.020s\n1m2.500s 0m1.000s\n', 63.53],
  ['0m0,010s 0m0,020s\n0m2,500s 0m1,000s\n', 3.53],
  ['', undefined],
])('the times of a shell %j are %p s', (text, seconds) => {
  const found = processorSeconds(text);
  expect(found === undefined ? undefined : Number(found.toFixed(2))).toBe(seconds);
});

const results = [
  { name: 'lint', code: 0, wall: 10.4, processor: 9.6, commands: 0, passed: 1, failed: 0, files: [] },
  {
    ...{ name: 'npm test', code: 1, wall: 100, processor: 150, commands: 12, passed: 80, failed: 2 },
    files: [
      { file: 'a.test.ts', seconds: 2, tests: 3 },
      { file: 'b.test.ts', seconds: 30, tests: 1 },
    ],
  },
];
const budgets = { unitSeconds: 2, processorSeconds: 100, tolerance: 0.2, lanes: { 'npm test': 100 } };

test('the table has the most expensive lane first, and the sum last', () => {
  const rows = laneTable(results, totalsOf(results, 60), budgets).split('\n').slice(2);
  expect(rows).toEqual([
    '| npm test | 100 | 150 | 100 | 1.50 | 12 | FAILED (exit code 1) |',
    '| lint | 10 | 10 | - | - | 0 | ok |',
    '| all | 60 | 160 | 100 | 1.60 | 12 | 81 passed, 2 failed |',
  ]);
});

test('the slowest files come first, with their lane', () => {
  expect(slowestFiles(results).split('\n').slice(2)).toEqual([
    '| b.test.ts | npm test | 30 | 1 |',
    '| a.test.ts | npm test | 2 | 3 |',
  ]);
});

test.each([
  [120, 2, 0, false],
  [121, 2, 0, true],
  // A machine that is half as fast takes twice as long for the same.
  [240, 4, 0, false],
  [241, 4, 0, true],
  // A failed lane may have ended early.
  [500, 2, 1, false],
])('%d s where a unit takes %d s, with %d failed: over budget is %p', (processor, unit, failed, isOver) => {
  const why = overBudget({ processor, unit, failed }, budgets);
  expect(why !== undefined).toBe(isOver);
  if (isOver) expect(why).toContain('21 % above the budget'.slice(3));
});

test('what has failed is told last, with the first lines of each message and the number of those left out', () => {
  const failure = (index: number) => ({
    file: `packages/a/src/${index}.test.ts`,
    test: 'adds',
    message: Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n'),
  });
  expect(failedTests([])).toBe('');
  expect(
    failedTests([failure(1)])
      .split('\n')
      .slice(0, 3),
  ).toEqual(['', 'failed: packages/a/src/1.test.ts: adds', '  line 0']);
  expect(failedTests([failure(1)])).toContain('  line 24\n');
  expect(failedTests([failure(1)])).not.toContain('line 25');
  const many = failedTests(Array.from({ length: 23 }, (_, index) => failure(index)));
  expect(many.match(/^failed: /gm)).toHaveLength(20);
  expect(many).toMatch(/\nand 3 more\n$/);
});

test('the end of a lane that failed and reports no tests is told', () => {
  const output = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
  const told = failedLanes([
    { name: 'kills', failed: 1, output },
    { name: 'lint', failed: 0, output },
    { name: 'npm test', failed: 2, output, failures: [{ file: 'a.test.ts', test: 'adds', message: 'no' }] },
    { name: 'not run', failed: 1, output: '' },
  ]);
  const lines = told.trim().split('\n');
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['failed: kills', '  line 28', '  line 39']);
  expect(lines).toHaveLength(13);
});
