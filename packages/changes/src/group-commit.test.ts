import { decodeSegment } from './frame.js';
import { groupCommit, segmentStore } from './group-commit.js';
import type { SegmentWriter } from './group-commit.js';
import type { ChangeRecord } from './records.js';

/** A writer whose writes end when the test says so. */
function slowWriter(): SegmentWriter & { writes: string[]; closed: boolean; end(error?: Error): void } {
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  return {
    writes: [],
    closed: false,
    write(bytes) {
      if (waiting.length > 0) throw new Error('two writes at a time');
      this.writes.push(Buffer.from(bytes).toString());
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    close() {
      this.closed = true;
      return Promise.resolve();
    },
    end(error) {
      const write = waiting.shift();
      if (error === undefined) write?.resolve();
      else write?.reject(error);
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const bytes = (text: string): Uint8Array => Buffer.from(text);

test('one write in flight; what comes meanwhile goes together into the next; calls resolve in order', async () => {
  const writer = slowWriter();
  const commit = groupCommit(writer);
  const done: string[] = [];
  const append = (text: string): void => void commit.append(bytes(text)).then(() => done.push(text));
  append('a');
  await turn();
  append('b');
  append('c');
  await turn();
  expect([writer.writes, done]).toEqual([['a'], []]);
  writer.end();
  await turn();
  expect([writer.writes, done]).toEqual([['a', 'bc'], ['a']]);
  append('d');
  writer.end();
  await turn();
  writer.end();
  await turn();
  expect([writer.writes, done]).toEqual([
    ['a', 'bc', 'd'],
    ['a', 'b', 'c', 'd'],
  ]);
});

test('after a failed write every later append fails with the same cause and nothing more is written', async () => {
  const writer = slowWriter();
  const commit = groupCommit(writer);
  const cause = new Error('disk full');
  const first = commit.append(bytes('a'));
  await turn();
  const second = commit.append(bytes('b'));
  writer.end(cause);
  await expect(first).rejects.toBe(cause);
  await expect(second).rejects.toBe(cause);
  await expect(commit.append(bytes('c'))).rejects.toBe(cause);
  expect(writer.writes).toEqual(['a']);
});

test('closing waits for what was appended and refuses more', async () => {
  const writer = slowWriter();
  const commit = groupCommit(writer);
  const appended = commit.append(bytes('a'));
  const closed = commit.close();
  await turn();
  expect(writer.closed).toBe(false);
  writer.end();
  await Promise.all([appended, closed]);
  expect(writer.closed).toBe(true);
  await expect(commit.append(bytes('b'))).rejects.toThrow('closed');
});

test('a segment store writes frames that decode to what was appended', async () => {
  const writer = slowWriter();
  const store = segmentStore(writer, () => Promise.resolve([]));
  const record: ChangeRecord = { seq: 1, tx: 1, at: '2030-01-01T00:00:00Z', record: 'complete' };
  void store.append([record]);
  await turn();
  expect(decodeSegment(bytes(writer.writes.join('')), { name: 'x' }).records).toEqual([record]);
  expect(await store.load()).toEqual([]);
});
