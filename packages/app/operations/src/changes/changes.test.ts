import { findChange, selectChanges } from './changes.js';

const all = [
  { number: 4, running: true, unfinished: true },
  { number: 3, running: false, unfinished: false },
  { number: 2, running: false, unfinished: true },
  { number: 1, running: false, unfinished: false },
];

test.each([
  ['all', [1, 2, 3, 4]],
  ['in-progress', [2, 4]],
  ['ready', [1, 3]],
] as const)('a selection of %s', (selection, numbers) =>
  expect(selectChanges(all, selection).map(({ number }) => number)).toEqual(numbers),
);

describe('finding a change', () => {
  /** Makes a stack with the changes 3 (up), 2 (destroy) and 1 (up), and counts the rows that are read. */
  function stackOfThree(): { readonly stack: Parameters<typeof findChange>[0]; readonly read: () => number } {
    let read = 0;
    const rows = ['up', 'destroy', 'up'].map((kind, index) => ({ kind, number: 3 - index }));
    const backend = {
      newestChange: async (_id: unknown, isWanted: (row: (typeof rows)[0]) => boolean) => {
        for (const row of rows) {
          read += 1;
          if (isWanted(row)) return row;
        }
        return undefined;
      },
      changeRow: async (_id: unknown, number: number) => rows.find((row) => row.number === number),
    };
    const stack = { backend, id: { project: 'p', stack: 'dev' } };
    return { stack: stack as unknown as Parameters<typeof findChange>[0], read: () => read };
  }

  test.each([
    [{ id: '2', last: undefined }, 2, 0],
    [{ id: undefined, last: 'update' }, 3, 1],
    [{ id: undefined, last: 'destroy?' }, 2, 2],
    [{ id: undefined, last: 'refresh?' }, undefined, 3],
  ])('%j is change %s and reads %i rows', async (choice, number, rows) => {
    const { stack, read } = stackOfThree();
    expect((await findChange(stack, choice))?.number).toBe(number);
    expect(read()).toBe(rows);
  });

  test('a kind that no change has is refused by its name', async () => {
    const found = findChange(stackOfThree().stack, { id: undefined, last: 'refresh' });
    await expect(found).rejects.toThrow('no changes of type "refresh" found');
  });
});
