import { SharedReads } from './shared-reads.js';

/** Reads that end when the test says. */
function heldReads() {
  const ends: ((value: number | Error) => void)[] = [];
  const make = (): Promise<number> =>
    new Promise((resolve, reject) => {
      ends.push((value) => (value instanceof Error ? reject(value) : resolve(value)));
    });
  return { ends, make };
}

test('calls during a read share the next one, which begins after them', async () => {
  const reads = new SharedReads();
  const { ends, make } = heldReads();
  const first = reads.read('a', make);
  const later = [reads.read('a', make), reads.read('a', make), reads.read('a', make)];
  expect(ends.length).toBe(1);
  ends[0]?.(1);
  expect(await first).toBe(1);
  expect(ends.length).toBe(2);
  const last = reads.read('a', make);
  ends[1]?.(2);
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  expect(ends.length).toBe(3);
  ends[2]?.(3);
  expect(await last).toBe(3);
});

test('a read that fails fails its callers, and not those after it', async () => {
  const reads = new SharedReads();
  const { ends, make } = heldReads();
  const first = reads.read('a', make);
  const second = reads.read('a', make);
  ends[0]?.(new Error('no'));
  await expect(first).rejects.toThrow('no');
  ends[1]?.(2);
  expect(await second).toBe(2);
});

test('reads of different keys do not wait for each other, and an ended one is not kept', async () => {
  const reads = new SharedReads();
  const { ends, make } = heldReads();
  const [one, other] = [reads.read('a', make), reads.read('b', make)];
  expect(ends.length).toBe(2);
  ends[1]?.(2);
  ends[0]?.(1);
  expect(await Promise.all([one, other])).toEqual([1, 2]);
  const again = reads.read('a', make);
  ends[2]?.(3);
  expect(await again).toBe(3);
});
