import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { resourceEntry } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import type { BucketBackend } from '../src/index.js';
import { operate } from './operations.js';
import { DEV, Recorder, START, lease, newStack, providerEntry, rootUrn, textAt, thing } from './world.js';

/** Number of things on the stack. Its checkpoint is some 500 kB. */
const THINGS = 2000;
const CHECKPOINT = '.pulumi/stacks/shop/dev.json';
const ends = 2 * (1 << 16);

/** Kinds of stores by what they read of a checkpoint: both ends in a directory, the start in a bucket. */
const KINDS = ['ends', 'start'] as const;
type Kind = (typeof KINDS)[number];

/** Bytes that an answer about the state takes of the checkpoint. A listing of a bucket has the version already. */
const TAKEN = {
  ends: { outputs: ends, resources: ends },
  start: { outputs: ends / 2, resources: 0 },
} as const;

/** Store that can read a part of a blob, and counts what is read of checkpoints. */
function countingStore(kind: Kind, inner: BlobStore, read: { bytes: number }): BlobStore {
  const partsOf = async (key: string, most: number, parts: number) => {
    const blob = await inner.get(key);
    if (blob === undefined) return undefined;
    const length = Math.min(most, blob.bytes.length);
    read.bytes += parts * length;
    return { ...blob, start: blob.bytes.subarray(0, length), end: blob.bytes.subarray(-length) };
  };
  const counting: BlobStore = {
    ...inner,
    get: async (key) => {
      const blob = await inner.get(key);
      if (key === CHECKPOINT) read.bytes += blob?.bytes.length ?? 0;
      return blob;
    },
  };
  if (kind === 'ends')
    return {
      ...counting,
      getEnds: async (key, most) => {
        const found = await partsOf(key, most, 2);
        return found && { start: found.start, end: found.end, size: found.bytes.length };
      },
    };
  return {
    ...counting,
    getStart: async (key, most) => {
      const found = await partsOf(key, most, 1);
      return found && { ...found, bytes: found.start };
    },
    list: async (prefix) =>
      Promise.all(
        (await inner.list(prefix)).map(async (row) => {
          const version = (await inner.get(row.key))?.version;
          return { ...row, ...(version !== undefined && { version }) };
        }),
      ),
  };
}

const rootEntry = resourceEntry({
  urn: rootUrn,
  type: 'pulumi:pulumi:Stack',
  custom: false,
  outputs: propertyMap({ address: 'https://shop' }),
});

/** Returns a stack with many things after one operation, and how much is read to answer a question about it. */
async function largeStack(kind: Kind) {
  const inner = memoryBlobStore();
  const count = { bytes: 0 };
  const { backend } = await newStack(countingStore(kind, inner, count));
  const things = Array.from({ length: THINGS }, (_, index) => thing(`thing-${index}`));
  await operate(backend, new Recorder().creates(rootEntry, providerEntry, ...things), 'succeeded');
  const read = async (ask: (from: BucketBackend) => Promise<unknown>) => {
    count.bytes = 0;
    const answer = await ask(backend);
    return { answer, bytes: count.bytes };
  };
  return { inner, backend, read };
}

const outputs = async (backend: BucketBackend) =>
  (await backend.readRoot(DEV))?.resources.map((resource) => resource.outputs);
const resources = async (backend: BucketBackend) => (await backend.summary(DEV)).resources;
const OUTPUTS = [{ address: 'https://shop' }];

test.each(KINDS)(
  'outputs and the row of a listing take the %s of a checkpoint, whatever its size',
  async (kind) => {
    const { inner, read } = await largeStack(kind);
    expect((await textAt(inner, CHECKPOINT)).length).toBeGreaterThan(3 * ends);
    expect(await read(outputs)).toEqual({ answer: OUTPUTS, bytes: TAKEN[kind].outputs });
    const { resources: taken } = TAKEN[kind];
    expect(await read(resources)).toEqual({ answer: THINGS + 2, bytes: taken });
  },
);

describe.each(KINDS)('by its %s', (kind) => {
  test.each<[string, (text: string) => string, number]>([
    ['another time', (text) => text.replace(/"time":"[^"]*"/, '"time":"2031-01-01T00:00:00.5Z"'), THINGS + 2],
    [
      'one entry less at the end',
      (text) => text.replace(/,\{"urn":"[^"]*thing-1999".*?\}(?=\])/, ''),
      THINGS + 1,
    ],
  ])('a checkpoint that another tool wrote, with %s, is read whole', async (_title, write, left) => {
    const { inner, read } = await largeStack(kind);
    const before = await textAt(inner, CHECKPOINT);
    const text = write(before);
    expect(text).not.toBe(before);
    await inner.put(CHECKPOINT, Buffer.from(text));
    expect(await read(outputs)).toEqual({
      answer: OUTPUTS,
      bytes: text.length + (kind === 'ends' ? ends : 0),
    });
    expect(await read(resources)).toEqual({
      answer: left,
      bytes: text.length + (kind === 'ends' ? ends : 0),
    });
  });
});

test('the state of an operation that has not ended is read whole, with its records', async () => {
  const { backend, read } = await largeStack('ends');
  const held = await lease(backend);
  const log = await held.begin(START);
  await log.store.append(new Recorder().creates(thing('late')));
  expect((await read(resources)).answer).toBe(THINGS + 3);
  await log.abandon();
  await held.release();
});

test('an outline with another form is no outline', async () => {
  const { inner, read } = await largeStack('ends');
  const key = '.pulumi/journals/shop/dev/00000001/sealed.json';
  const text = (await textAt(inner, key))
    .replace(/"resources":\d+/, '"resources":"x"')
    .replace(/,"sum".*/, '}');
  await inner.put(key, Buffer.from(text));
  expect((await read(resources)).answer).toBe(THINGS + 2);
});
