import { Gatherer } from './gatherer.js';
import type { GatherOutcome } from './gatherer.js';

/** Gatherer of numbers whose work waits for the test. */
function gathering(work: (items: readonly number[]) => readonly GatherOutcome<number>[]): {
  readonly gatherer: Gatherer<number, number>;
  readonly groups: (readonly number[])[];
  readonly open: () => void;
} {
  const groups: (readonly number[])[] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const run = async (items: readonly number[]): Promise<readonly GatherOutcome<number>[]> => {
    groups.push(items);
    await gate;
    return work(items);
  };
  return { gatherer: new Gatherer(run, { lanes: 2, most: 3 }), groups, open: () => open() };
}

const doubled = (items: readonly number[]): readonly GatherOutcome<number>[] =>
  items.map((item) => ({ value: item * 2 }));

test('items that wait while every lane is busy are worked on together, up to the limit', async () => {
  const { gatherer, groups, open } = gathering(doubled);
  const results = [1, 2, 3, 4, 5, 6, 7].map((item) => gatherer.add(item));
  expect(groups).toEqual([[1], [2]]);
  open();
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(groups).toEqual([[1], [2], [3, 4, 5], [6, 7]]);
});

test('an item that is refused refuses no other', async () => {
  const { gatherer, open } = gathering((items) =>
    items.map((item) => (item === 4 ? { refused: new Error('four') } : { value: item })),
  );
  const results = [1, 2, 3, 4, 5].map((item) => gatherer.add(item));
  open();
  expect((await Promise.allSettled(results)).map(({ status }) => status === 'fulfilled')).toEqual([
    ...[true, true, true],
    ...[false, true],
  ]);
});

test('after a failure of a group every item gets a try of its own, and later ones are worked on', async () => {
  const { gatherer, groups, open } = gathering((items) => {
    if (items.includes(4)) throw new Error('the group fails');
    return doubled(items);
  });
  const results = [1, 2, 3, 4, 5].map((item) => gatherer.add(item));
  open();
  const settled = await Promise.allSettled(results);
  expect(settled.map((each) => ('value' in each ? each.value : (each.reason as Error).message))).toEqual([
    ...[2, 4, 6, 'the group fails', 10],
  ]);
  expect(groups.slice(2)).toEqual([[3, 4, 5], [3], [4], [5]]);
  expect(await gatherer.add(9)).toBe(18);
});
