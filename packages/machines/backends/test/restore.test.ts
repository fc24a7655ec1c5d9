import type { BlobStore } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import type { DamagedState } from '../src/index.js';
import { ChangeRecorder, begin, operate, part } from './operations.js';
import { DEV, keysOf, lease, newStack, open, textAt, urnsOf, urnOf } from './world.js';

/** A checkpoint that cannot be read, and which of its copies takes its place. */

const CHECKPOINT = '.pulumi/stacks/shop/dev.json';
const up = (name: string) => new ChangeRecorder().creates(part(name)).records;

async function cutOff(store: BlobStore): Promise<void> {
  const blob = await store.get(CHECKPOINT);
  await store.put(CHECKPOINT, blob!.bytes.subarray(0, 100));
}

/** A state as another tool stores it, later than anything of ours. */
async function laterCopy(store: BlobStore, key: string): Promise<void> {
  const text = await textAt(store, CHECKPOINT);
  await store.put(
    key,
    Buffer.from(text.replace(/"time":"[^"]*"/, '"time":"2031-05-05T10:00:00.123456789+02:00"')),
  );
}

test('nothing is done to a state that can be read', async () => {
  const { backend } = await newStack();
  await operate(backend, up('a'), 'succeeded');
  await expect(backend.restore(DEV, () => Promise.reject(new Error('asked')))).resolves.toBeUndefined();
});

test('the state that the last change left; the damaged one is kept; without an agreement nothing is done', async () => {
  const { store, backend } = await newStack();
  await operate(backend, up('a'), 'succeeded');
  await operate(backend, up('b'), 'succeeded');
  const whole = await textAt(store, CHECKPOINT);
  await cutOff(store);
  const asked: DamagedState[] = [];
  await backend.restore(DEV, async (damaged) => (asked.push(damaged), false));
  expect((await textAt(store, CHECKPOINT)).length).toBe(100);
  const kept = await backend.restore(DEV, async () => true);
  expect(asked[0]).toMatchObject({
    damage: {
      code: 'CAIRN-STATE-CORRUPT',
      summary: expect.stringContaining('the file was cut off') as unknown,
    },
    copy: { resources: 2, is: { what: 'last', change: 2 } },
  });
  expect(await textAt(store, CHECKPOINT)).toBe(whole);
  expect((await textAt(store, kept ?? '')).length).toBe(100);
  expect(await keysOf(store, '.pulumi/locks/')).toEqual([]);
});

test.each(['paced', 'each-step'])(
  'what a dead operation began with (%s): the next command adds what it recorded',
  async (pace) => {
    const { store, backend, dead } = await newStack();
    await operate(backend, up('a'), 'succeeded');
    await begin(await open(store, { pid: 11, dead }, { CAIRN_CHECKPOINT: pace }), up('b'));
    dead.add(11);
    await cutOff(store);
    const asked: DamagedState[] = [];
    await backend.restore(DEV, async (damaged) => (asked.push(damaged), true));
    expect(asked[0]?.copy).toMatchObject({ resources: 1, is: { what: 'base', change: 2 } });
    await (await lease(backend)).release();
    expect([...(await urnsOf(backend))].sort()).toEqual([urnOf('a'), urnOf('b')]);
  },
);

test('a newer copy, of another tool, counts; without any copy there is nothing to agree to', async () => {
  const { store, backend } = await newStack();
  await operate(backend, up('a'), 'succeeded');
  await laterCopy(store, '.pulumi/backups/shop/dev/dev.1900000000000000000.json');
  await cutOff(store);
  const asked: DamagedState[] = [];
  await backend.restore(DEV, async (damaged) => (asked.push(damaged), false));
  expect(asked[0]?.copy).toMatchObject({ time: '2031-05-05T10:00:00.123456789+02:00', is: undefined });
  for (const key of [
    ...(await keysOf(store, '.pulumi/history')),
    ...(await keysOf(store, '.pulumi/backups')),
  ])
    await store.delete(key);
  await store.delete(`${CHECKPOINT}.bak`);
  expect(await backend.restore(DEV, async (damaged) => (asked.push(damaged), true))).toBeUndefined();
  expect(asked[1]?.copy).toBeUndefined();
});

test('what is known of a copy goes by its content alone', async () => {
  const { store, backend } = await newStack();
  await operate(backend, up('a'), 'succeeded');
  const before = await textAt(store, CHECKPOINT);
  await operate(backend, up('b'), 'succeeded');
  for (const key of [
    ...(await keysOf(store, '.pulumi/history')),
    ...(await keysOf(store, '.pulumi/backups')),
  ])
    await store.delete(key);
  await store.put(`${CHECKPOINT}.bak`, Buffer.from(before));
  await cutOff(store);
  const asked: DamagedState[] = [];
  await backend.restore(DEV, async (damaged) => (asked.push(damaged), false));
  expect(asked[0]?.copy).toMatchObject({ resources: 1, is: undefined });
});

test('a state that only cannot be read now is not taken for a damaged one', async () => {
  const { store, backend } = await newStack();
  await operate(backend, up('a'), 'succeeded');
  for (const [failure, thrown] of [
    ['no permission', cairnError('CAIRN-STORE-DENIED', 'no permission')],
    ['no connection', new Error('no connection')],
  ] as const) {
    const failing = Object.assign(Object.create(store) as BlobStore, {
      get: (key: string) => (key === CHECKPOINT ? Promise.reject(thrown) : store.get(key)),
    });
    const other = await open(failing, { pid: 10, dead: new Set() });
    await expect(other.restore(DEV, () => Promise.reject(new Error('asked')))).rejects.toThrow(failure);
  }
  await expect(backend.restore(DEV, () => Promise.reject(new Error('asked')))).resolves.toBeUndefined();
});
