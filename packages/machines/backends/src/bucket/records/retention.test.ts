import type { ContinuesHow } from '../../model/change-row.js';
import { relevant } from './prune.js';
import { prunable } from './retention.js';
import type { Retained } from './retention.js';
import { NO_TASKS } from '../../model/tally.js';

function change(number: number, more: Partial<Retained> = {}): Retained {
  return {
    number,
    kind: 'up',
    continues: undefined,
    result: 'succeeded',
    tasks: NO_TASKS,
    base: `s${number - 1}`,
    left: `s${number}`,
    ...more,
  };
}

const on = (number: number, how: ContinuesHow = 'resume'): Partial<Retained> => ({
  continues: { number, how },
});
const doubt: Partial<Retained> = { result: 'failed', tasks: { ...NO_TASKS, total: 1, doubt: 1 } };

test.each<readonly [string, readonly Retained[], number, readonly number[]]>([
  ['no more than are to be kept', [change(1), change(2)], 2, []],
  ['the oldest beyond them', [change(1), change(2), change(3)], 2, [1]],
  ['the newest always stays', [change(1), change(2)], 0, [1]],
  ['a lineage stays whole', [change(1), change(2), change(3, on(2)), change(4, on(3)), change(5)], 2, [1]],
  ['the newest lineage stays whole', [change(1), change(2), change(3, on(2))], 1, [1]],
  ['a journal that is not closed stays', [change(1, { result: undefined }), change(2), change(3)], 1, [2]],
  [
    'a step in doubt keeps its change',
    [change(1, doubt), change(2, { result: 'failed' }), change(3, { result: 'waiting' })],
    1,
    [2],
  ],
  [
    'until a later operation has ended well',
    [change(1, doubt), change(2), change(3, { result: 'failed' })],
    1,
    [1, 2],
  ],
  ['an edit of the state settles nothing', [change(1, doubt), change(2, { kind: 'edit' })], 1, []],
  ['one that ended well beside it settles nothing', [change(1, doubt), change(2, { base: 's0' })], 1, []],
  ['operations that ran beside each other', [change(1), change(2), change(3), change(4, on(2))], 1, [1, 3]],
])('%s', (_title, changes, keep, gone) => {
  expect([...prunable(changes, keep)]).toEqual(gone);
});

/** Twenty changes. The later ones continue each other, ran beside each other, or did nothing. */
const HISTORIES: readonly (readonly [string, readonly Partial<Retained>[], number])[] = [
  ['each began with what the one before left', [], 7],
  ['the oldest is gone on with', [{}, on(1)], 8],
  ['the oldest is gone on with after one beside it', [{}, { base: 's0' }, on(1), on(2)], 9],
  ['after one that came to nothing', [{}, { result: 'nothing', base: 's1' }, on(1)], 8],
  ['the oldest is not closed', [{ result: undefined }], 7],
  ['the oldest has a step in doubt', [doubt], 20],
  [
    'the newest continue each other',
    [...Array<Partial<Retained>>(16).fill({}), {}, on(17), on(18), on(19)],
    11,
  ],
];

test.each(HISTORIES)('%s: few tell which of the oldest may go', async (_title, special, most) => {
  const changes = Array.from({ length: 20 }, (_, index) => change(index + 1, special[index]));
  for (const beyond of [1, 2]) {
    let reads = 0;
    const few = await relevant(changes, beyond, async (each) => ((reads += 1), each));
    const kept = few.filter(({ number }) => number > beyond).length;
    const all = [...prunable(changes, changes.length - beyond)];
    expect([...prunable(few, kept)].filter((number) => number <= beyond)).toEqual(all);
    expect(reads).toBeLessThanOrEqual(most);
  }
});
