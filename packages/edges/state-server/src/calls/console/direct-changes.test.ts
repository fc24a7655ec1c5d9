import { cairnError } from '@cairn/diagnostics';
import type { ChangeRow } from '@cairn/backends';
import { DirectChanges } from './direct-changes.js';

const STACK = { project: 'shop', stack: 'dev' };

/** Bucket with three changes, of which the last one runs. It notes what is read. */
function bucket() {
  const read: string[] = [];
  const row = (number: number) =>
    ({
      number,
      kind: 'up',
      summary: '',
      spawned: '2030-01-01T00:00:00Z',
      running: number === 3,
    }) as ChangeRow;
  const backend = {
    changes: async (_stack: object, newest = 3) => {
      read.push(`newest ${newest}`);
      return [3, 2, 1].slice(0, newest).map(row);
    },
    changeRow: async (_stack: object, number: number) => {
      read.push(`change ${number}`);
      if (number > 3) throw cairnError('CAIRN-CHANGE-UNKNOWN', 'there is none');
      return row(number);
    },
  };
  return {
    read,
    changes: new DirectChanges(backend as unknown as ConstructorParameters<typeof DirectChanges>[0]),
  };
}

test.each([
  [{ newest: 2 }, ['newest 2'], [2, 3], 'change-3'],
  [{ number: 3 }, ['change 3'], [3], 'change-3'],
  [{ number: 1 }, ['change 1'], [1], undefined],
  [{ number: 9 }, ['change 9'], [], undefined],
  [undefined, ['newest 3'], [1, 2, 3], 'change-3'],
])('of a bucket, the choice %j reads %j alone', async (choice, expected, numbers, running) => {
  const { read, changes } = bucket();
  const listed = await changes.list(STACK, choice);
  expect([read, listed.changes.map(({ number }) => number), listed.running]).toEqual([
    expected,
    numbers,
    running,
  ]);
});
