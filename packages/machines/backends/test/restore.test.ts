import type { BlobStore } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import type { DamagedState } from '../src/index.js';
import { ChangeRecorder, begin, operate, part } from './operations.js';
import { DEV, keysOf, lease, newStack, open, textAt, urnsOf, urnOf } from './world.js';

/** A checkpoint that cannot be read, and the copy that replaces it. */

const CHECKPOINT = '.pulumi/stacks/shop/dev.json';
const up = (name: string) => new ChangeRecorder().creates(part(name)).records;

async function cutOff(store: BlobStore): Promise<void> {
  const blob = await store.get(CHECKPOINT);
  await store.put(CHECKPOINT, blob!.bytes.subarray(0, 100));
}

/** Writes a state as another tool stores it, later than any of ours. */
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
  await expect(
    backend.bucket.restore(DEV, () => Promise.reject(new Error('asked'))),
  ).resolves.toBeUndefined();
});

test('the state that the last change left; the damaged one is kept; without an agreement nothing is done', async () => {
  const { store, backend } = await newStack();
  await operate(backend, up('a'), 'succeeded');
  await operate(backend, up('b'), 'succeeded');
  const whole = await textAt(store, CHECKPOINT);
  await cutOff(store);
  const asked: DamagedState[] = [];
  await backend.bucket.restore(DEV, async (damaged) => (asked.push(damaged), false));
  expect((await textAt(store, CHECKPOINT)).length).toBe(100);
  const kept = await backend.bucket.restore(DEV, async () => true);
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
    await backend.bucket.restore(DEV, async (damaged) => (asked.push(damaged), true));
    expect(asked[0]?.copy).toMatchObject({ resources: 1, is: { what: 'base', change: 2 } });
    // The copy beside the journal is compressed, but a state is stored in the form that its name says.
    expect((await store.get(CHECKPOINT))!.bytes[0]).toBe('{'.charCodeAt(0));
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
  await backend.bucket.restore(DEV, async (damaged) => (asked.push(damaged), false));
  expect(asked[0]?.copy).toMatchObject({ time: '2031-05-05T10:00:00.123456789+02:00', is: undefined });
  for (const key of [
    ...(await keysOf(store, '.pulumi/history')),
    ...(await keysOf(store, '.pulumi/backups')),
  ])
    await store.delete(key);
  await store.delete(`${CHECKPOINT}.bak`);
  expect(await backend.bucket.restore(DEV, async (damaged) => (asked.push(damaged), true))).toBeUndefined();
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
  await backend.bucket.restore(DEV, async (damaged) => (asked.push(damaged), false));
  expect(asked[0]?.copy).toMatchObject({ resources: 1, is: undefined });
});

const LATER = '2031-05-05T10:00:00.123456789+02:00';
/** Copies as they are found, the newest file first, and the one that is taken. */
test.each<[string, readonly (readonly [known: boolean, time: 'same' | 'later'])[], number]>([
  [
    'of two of one time the one that is known, second',
    [
      [false, 'same'],
      [true, 'same'],
    ],
    1,
  ],
  [
    'of two of one time the one that is known, first',
    [
      [true, 'same'],
      [false, 'same'],
    ],
    0,
  ],
  [
    'a later one, not the one that is known',
    [
      [false, 'later'],
      [true, 'same'],
    ],
    0,
  ],
  [
    'a later one, although the one that is known is a newer file',
    [
      [true, 'same'],
      [false, 'later'],
    ],
    1,
  ],
  [
    'of two of one time that nobody knows the newer file',
    [
      [false, 'same'],
      [false, 'same'],
    ],
    0,
  ],
])('%s', async (_, copies, taken) => {
  const { store, backend } = await newStack();
  await operate(backend, up('a'), 'succeeded');
  const text = await textAt(store, CHECKPOINT);
  for (const folder of ['history', 'backups'])
    for (const key of await keysOf(store, `.pulumi/${folder}`)) await store.delete(key);
  await store.delete(`${CHECKPOINT}.bak`);
  const keys = copies.map((_copy, index) => `.pulumi/backups/shop/dev/dev.190000000000000000${index}.json`);
  for (const [index, [known, time]] of copies.entries()) {
    const other = known ? text : `${text}${' '.repeat(index + 1)}`;
    const put = time === 'same' ? other : other.replace(/"time":"[^"]*"/, `"time":"${LATER}"`);
    await store.put(keys[index] as string, Buffer.from(put));
  }
  await cutOff(store);
  const newestFirst = Object.assign(Object.create(store) as BlobStore, {
    list: async (prefix: string) =>
      (await store.list(prefix)).map((row) => ({ ...row, modified: -keys.indexOf(row.key) })),
  });
  const other = await open(newestFirst, { pid: 10, dead: new Set() });
  const asked: DamagedState[] = [];
  await other.bucket.restore(DEV, async (damaged) => (asked.push(damaged), false));
  expect(asked[0]?.copy?.key).toBe(keys[taken]);
});

test('what did nothing, and what has no readable record, says nothing of the state', async () => {
  const { store, backend, dead } = await newStack();
  await operate(backend, up('a'), 'succeeded');
  await begin(await open(store, { pid: 11, dead }), []);
  dead.add(11);
  await (await lease(backend)).release();
  await cutOff(store);
  const asked: DamagedState[] = [];
  const look = () => backend.bucket.restore(DEV, async (damaged) => (asked.push(damaged), false));
  await look();
  await store.put('.pulumi/journals/shop/dev/000002/operation.json', Buffer.from('{'));
  await look();
  const last = { what: 'last', change: 1 };
  expect(asked.map(({ copy }) => copy?.is)).toEqual([last, last]);
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
    await expect(other.bucket.restore(DEV, () => Promise.reject(new Error('asked')))).rejects.toThrow(
      failure,
    );
  }
  await expect(
    backend.bucket.restore(DEV, () => Promise.reject(new Error('asked'))),
  ).resolves.toBeUndefined();
});
