import { createHash } from 'node:crypto';
import type { ChangeRecord } from '@cairn/changes';
import type { BlobStore } from '@cairn/blobs';
import { ChangeRecorder, begin, operate, part } from './operations.js';
import { DEV, failureOf, keysOf, lease, newStack, open, textAt, urnsOf } from './world.js';

const JOURNAL = '.pulumi/journals/shop/dev/00000001/';

/** Records of a change that takes no step. */
function quiet(): readonly ChangeRecord[] {
  const recorder = new ChangeRecorder().add({ record: 'data', key: 'registered', value: true });
  return recorder.add({ record: 'complete' }).records;
}

/** Store that notes the keys that are read from it. */
function noting(store: BlobStore): { readonly store: BlobStore; readonly read: string[] } {
  const read: string[] = [];
  const get: BlobStore['get'] = (key) => {
    read.push(key);
    return store.get(key);
  };
  return { store: { ...store, get }, read };
}

test('the records of a change without steps are in the file that closes it', async () => {
  const { store, backend } = await newStack();
  await operate(backend, quiet(), 'succeeded');
  expect(await keysOf(store, JOURNAL)).toEqual(
    ['fold', 'operation', 'sealed'].map((name) => `${JOURNAL}${name}.json`),
  );
  const { records, row } = await backend.change(DEV, 1);
  expect(records).toEqual(quiet());
  expect(row).toMatchObject({ result: 'succeeded', tasks: { total: 0 } });
  const seen: ChangeRecord[] = [];
  await backend.follow(DEV, 1, (more) => seen.push(...more), new AbortController().signal);
  expect(seen).toEqual(quiet());
});

test('an operation that leaves the state as it is keeps the state before that as `.bak`, and makes no backup', async () => {
  const { store, backend } = await newStack();
  const place = '.pulumi/stacks/shop/dev.json';
  await operate(backend, new ChangeRecorder().creates(part('a')).records, 'succeeded');
  const [before, left] = [await textAt(store, `${place}.bak`), await textAt(store, place)];
  await operate(backend, quiet(), 'succeeded');
  expect(await textAt(store, `${place}.bak`)).toBe(before);
  expect(await textAt(store, place)).not.toBe(left);
  expect(await keysOf(store, '.pulumi/backups/')).toHaveLength(1);
  expect(await backend.history(DEV)).toHaveLength(2);
  expect((await backend.stateAfter(DEV, 2))?.resources).toHaveLength(1);
});

test('records before the first step are in the segment with it, in order', async () => {
  const { store, backend } = await newStack();
  const log = await begin(backend, []);
  const { records } = new ChangeRecorder().creates(part('a'));
  await log.store.append(records.slice(0, 1));
  expect(await log.store.load()).toEqual(records.slice(0, 1));
  expect(await keysOf(store, `${JOURNAL}000001.log`)).toEqual([]);
  await log.store.append(records.slice(1));
  expect(await log.store.load()).toEqual(records);
  await log.finish({ result: 'succeeded', resourceChanges: {} });
  expect((await backend.change(DEV, 1)).records).toEqual(records);
  expect(await textAt(store, `${JOURNAL}sealed.json`)).not.toContain('"records"');
});

test('an operation that dies before its first step has done nothing', async () => {
  const { store, backend, dead } = await newStack();
  await begin(backend, quiet());
  dead.add(10);
  const next = await open(store, { pid: 11, dead });
  const held = await lease(next);
  expect(held.notes.map(({ summary }) => summary).join()).toContain('ended before it did anything');
  await held.release();
  expect((await next.change(DEV, 1)).row.result).toBe('nothing');
});

test('no step begins once another process has closed the journal before the first one', async () => {
  const { store, backend, dead } = await newStack();
  const paused = await begin(backend, quiet());
  dead.add(10);
  const next = await open(store, { pid: 11, dead });
  await (await lease(next)).release();
  const step = paused.store.append(new ChangeRecorder().creates(part('a')).records.slice(1));
  expect((await failureOf(step)).code).toBe('CAIRN-LEASE-LOST');
  const end = paused.finish({ result: 'failed', resourceChanges: {} });
  expect((await failureOf(end)).code).toBe('CAIRN-LEASE-LOST');
  expect(await urnsOf(next)).toEqual([]);
});

test('the next operation reads one file of the one before, and two if an older version wrote it', async () => {
  const { store, backend, dead } = await newStack();
  await operate(backend, quiet(), 'succeeded');
  const readOf = async (): Promise<readonly string[]> => {
    const { store: noted, read } = noting(store);
    const held = await lease(await open(noted, { pid: 11, dead }));
    await held.release();
    return read
      .filter((key) => key.startsWith(JOURNAL))
      .map((key) => key.slice(JOURNAL.length))
      .sort();
  };
  expect(await readOf()).toEqual(['sealed.json']);
  const {
    began,
    records: _,
    sum: _sum,
    ...older
  } = JSON.parse(await textAt(store, `${JOURNAL}sealed.json`)) as Record<string, unknown>;
  expect(JSON.parse(await textAt(store, `${JOURNAL}operation.json`))).toMatchObject(began as object);
  await store.put(`${JOURNAL}sealed.json`, Buffer.from(JSON.stringify(older)));
  expect(await readOf()).toEqual(['operation.json', 'sealed.json']);
});

test('a resource that stays keeps its text, in a file that the operation before wrote and in no other', async () => {
  const { store, backend } = await newStack();
  await operate(backend, new ChangeRecorder().creates(part('a')).records, 'succeeded');
  const checkpoint = '.pulumi/stacks/shop/dev.json';
  const plain = await textAt(store, checkpoint);
  const odd = Buffer.from(plain.replace('"custom":false', '"custom": false'));
  await store.put(checkpoint, odd);
  await operate(backend, quiet(), 'succeeded');
  expect(await textAt(store, checkpoint)).toContain('"custom":false');
  const last = `${JOURNAL.replace('1', '2')}sealed.json`;
  const { sum: _sum, ...sealed } = JSON.parse(await textAt(store, last)) as Record<string, unknown>;
  const digest = createHash('sha256').update(odd).digest('hex');
  await store.put(last, Buffer.from(JSON.stringify({ ...sealed, checkpoint: digest })));
  await store.put(checkpoint, odd);
  await operate(backend, quiet(), 'succeeded');
  expect(await textAt(store, checkpoint)).toContain('"custom": false');
});
