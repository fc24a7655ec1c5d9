import { backendForStore } from '../src/index.js';
import type { Backend } from '../src/index.js';
import type { BlobStore } from '@cairn/blobs';
import { ChangeRecorder, begin, operate, part } from './operations.js';
import { DEV, lease, newStack, portsOf } from './world.js';

function at(store: BlobStore, pid: number, dead: Set<number>, time: string): Promise<Backend> {
  return backendForStore(store, { ...portsOf({ pid, dead }), now: () => new Date(time) });
}

const up = (name: string): ChangeRecorder['records'] => new ChangeRecorder().creates(part(name)).records;

test('a clock that is set back changes neither numbers nor the order of changes and history', async () => {
  const { store, dead } = await newStack();
  await operate(await at(store, 11, dead, '2030-06-01T00:00:00Z'), up('a'), 'succeeded', { message: 'one' });
  await operate(await at(store, 12, dead, '2020-01-01T00:00:00Z'), up('b'), 'failed', { message: 'two' });
  const backend = await at(store, 13, dead, '2020-01-01T00:00:00Z');
  await operate(backend, up('c'), 'succeeded', { message: 'three' });
  expect((await backend.changes(DEV)).map((row) => row.summary)).toEqual(['three', 'two', 'one']);
  expect((await backend.history(DEV)).map((entry) => entry.message)).toEqual(['three', 'two', 'one']);
});

test('a change that ends before it began, by the clock, ends when it began', async () => {
  const { store, dead } = await newStack();
  const log = await begin(await at(store, 11, dead, '2030-06-01T00:00:00Z'), up('a'));
  expect(log.changeId).toBe('00000001');
  dead.add(11);
  const next = await at(store, 12, dead, '2020-01-01T00:00:00Z');
  await (await lease(next)).release();
  expect(await next.changes(DEV)).toMatchObject([
    { result: 'interrupted', spawned: '2030-06-01T00:00:00.000Z', ended: '2030-06-01T00:00:00.000Z' },
  ]);
});
