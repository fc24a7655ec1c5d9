import type { ChangeResult } from './change-result.js';
import type { ContinuesHow, TaskCounts } from './change-row.js';
import { currentLineages, leftBy } from './lineages.js';
import type { LineageMember, LineageState } from './lineages.js';
import { NO_TASKS } from './tally.js';

const BUSY: TaskCounts = { ...NO_TASKS, total: 3, done: 1, failed: 1, held: 1 };

interface Given {
  readonly n: number;
  readonly result?: ChangeResult;
  readonly on?: readonly [number, ContinuesHow];
  readonly tasks?: TaskCounts;
}

function member({ n, result, on, tasks = BUSY }: Given): LineageMember {
  const left = result === undefined || result === 'nothing' ? undefined : `s${n}`;
  return {
    number: n,
    kind: 'up',
    result,
    continues: on && { number: on[0], how: on[1] },
    tasks: result === 'nothing' ? NO_TASKS : tasks,
    base: `s${n - 1}`,
    left,
  };
}

type Row = readonly [
  title: string,
  changes: readonly Given[],
  numbers: readonly number[],
  state: LineageState,
  unfinished: boolean,
];

const rows: readonly Row[] = [
  ['one that succeeded', [{ n: 1, result: 'succeeded' }], [1], 'succeeded', false],
  ['one that died', [{ n: 1, result: 'interrupted' }], [1], 'interrupted', true],
  ['one that died and nobody has taken over yet', [{ n: 1 }], [1], 'interrupted', true],
  ['one that failed', [{ n: 1, result: 'failed' }], [1], 'failed', true],
  [
    'one that failed before it had a task',
    [{ n: 1, result: 'failed', tasks: NO_TASKS }],
    [1],
    'failed',
    false,
  ],
  ['one that waits', [{ n: 1, result: 'waiting' }], [1], 'waiting', true],
  ['one that failed and rolled itself back', [{ n: 1, result: 'rolled-back' }], [1], 'rolled-back', false],
  [
    'a later operation supersedes what did not end',
    [
      { n: 1, result: 'interrupted' },
      { n: 2, result: 'succeeded' },
    ],
    [2],
    'succeeded',
    false,
  ],
  [
    'a later operation that recorded nothing supersedes nothing',
    [
      { n: 1, result: 'interrupted' },
      { n: 2, result: 'nothing' },
    ],
    [1],
    'interrupted',
    true,
  ],
  [
    'going on with it died before it began: the lineage stays as it was',
    [
      { n: 1, result: 'failed' },
      { n: 2, result: 'nothing', on: [1, 'resume'] },
      { n: 3, result: 'nothing' },
    ],
    [1, 2],
    'failed',
    true,
  ],
  [
    'its rollback died before it began: it is still to be rolled back',
    [
      { n: 1, result: 'succeeded' },
      { n: 2, result: 'nothing', on: [1, 'rollback'] },
    ],
    [1, 2],
    'interrupted',
    true,
  ],
  [
    'begun anew after going on had died',
    [
      { n: 1, result: 'failed' },
      { n: 2, result: 'nothing', on: [1, 'resume'] },
      { n: 3, result: 'succeeded' },
    ],
    [3],
    'succeeded',
    false,
  ],
  [
    'resumed to its end',
    [
      { n: 1, result: 'interrupted' },
      { n: 2, result: 'succeeded', on: [1, 'resume'] },
    ],
    [1, 2],
    'succeeded',
    false,
  ],
  [
    'resumed, died again, resumed, failed',
    [
      { n: 4, result: 'waiting' },
      { n: 5, result: 'interrupted', on: [4, 'resume'] },
      { n: 6, result: 'nothing', on: [5, 'resume'] },
      { n: 7, result: 'failed', on: [5, 'resume'] },
    ],
    [4, 5, 7],
    'failed',
    true,
  ],
  [
    'going on was refused before anything was done: the program had changed',
    [
      { n: 1, result: 'interrupted' },
      { n: 2, result: 'failed', on: [1, 'resume'], tasks: NO_TASKS },
    ],
    [1, 2],
    'interrupted',
    true,
  ],
  [
    'the rollback died',
    [
      { n: 1, result: 'failed' },
      { n: 2, result: 'interrupted', on: [1, 'rollback'] },
    ],
    [1, 2],
    'interrupted',
    true,
  ],
  [
    'rolled back',
    [
      { n: 1, result: 'failed' },
      { n: 2, result: 'succeeded', on: [1, 'rollback'] },
    ],
    [1, 2],
    'rolled-back',
    false,
  ],
  [
    'a step in doubt was resolved: the rest is still to do',
    [
      { n: 1, result: 'interrupted' },
      { n: 2, result: 'succeeded', on: [1, 'resolve'] },
    ],
    [1, 2],
    'interrupted',
    true,
  ],
  [
    'a resolution that waits',
    [
      { n: 1, result: 'interrupted' },
      { n: 2, result: 'waiting', on: [1, 'resolve'] },
    ],
    [1, 2],
    'waiting',
    true,
  ],
  [
    'the state was edited in between, then it was rolled back',
    [
      { n: 1, result: 'failed' },
      { n: 2, result: 'succeeded', on: [1, 'edit'], tasks: NO_TASKS },
      { n: 3, result: 'succeeded', on: [2, 'rollback'] },
    ],
    [1, 2, 3],
    'rolled-back',
    false,
  ],
  [
    'a completed change was rolled back, and the rollback failed',
    [
      { n: 1, result: 'succeeded' },
      { n: 2, result: 'failed', on: [1, 'rollback'] },
    ],
    [1, 2],
    'failed',
    true,
  ],
];

test.each(rows)('%s', (_title, changes, numbers, state, unfinished) => {
  const lineage = currentLineages(changes.map(member).reverse())[0];
  expect(lineage?.members.map((each) => each.number)).toEqual(numbers);
  expect([lineage?.state, lineage?.unfinished, lineage?.whole]).toEqual([state, unfinished, true]);
});

test('operations that ran beside each other are lineages of their own, until a later one goes on from what they left', () => {
  const first = { ...member({ n: 1, result: 'succeeded' }), left: 's1' };
  const beside = [
    { ...member({ n: 4, result: 'succeeded', on: [3, 'resume'] }), base: 's1', left: 's4' },
    { ...member({ n: 3, result: 'nothing' }), base: 's1' },
    { ...member({ n: 2, result: 'interrupted' }), base: 's1', left: 's4' },
    first,
  ];
  const lineages = currentLineages(beside);
  expect(lineages.map((lineage) => [lineage.members.map((each) => each.number), lineage.state])).toEqual([
    [[3, 4], 'succeeded'],
    [[2], 'interrupted'],
  ]);
  const resumed = { ...member({ n: 5, result: 'succeeded', on: [2, 'resume'] }), base: 's4' };
  expect(
    currentLineages([resumed, ...beside]).map((lineage) => lineage.members.map((each) => each.number)),
  ).toEqual([[2, 5]]);
});

test('a stack without changes has no lineage', () => {
  expect(currentLineages([])[0]).toBeUndefined();
  expect(currentLineages([member({ n: 1, result: 'nothing' })])[0]).toBeUndefined();
});

test('a lineage whose first records are gone is not whole', () => {
  const lineage = currentLineages([member({ n: 3, result: 'interrupted', on: [2, 'resume'] })])[0];
  expect(lineage).toMatchObject({ whole: false, state: 'interrupted' });
});

test('what a lineage left is the state of its last member that stored one', () => {
  const changes = [
    member({ n: 1, result: 'interrupted' }),
    { ...member({ n: 2, on: [1, 'resume'] }), left: undefined },
  ];
  expect(leftBy(currentLineages([...changes].reverse())[0]!)).toBe('s1');
  expect(leftBy(currentLineages([member({ n: 5 })])[0]!)).toBe('s4');
});
