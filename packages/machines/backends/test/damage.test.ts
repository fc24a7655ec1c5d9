import { isDeepStrictEqual } from 'node:util';
import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { isCairnError } from '@cairn/diagnostics';
import { ChangeRecorder, begin, operate, part } from './operations.js';
import { DEV, keysOf, lease, newStack, open, urnOf } from './world.js';

type Content = ReadonlyMap<string, Uint8Array>;

async function contentOf(store: BlobStore): Promise<Content> {
  const content = new Map<string, Uint8Array>();
  for (const key of await keysOf(store)) content.set(key, (await store.get(key))!.bytes);
  return content;
}

async function storeOf(content: Content): Promise<BlobStore> {
  const store = memoryBlobStore();
  for (const [key, bytes] of content) await store.put(key, bytes);
  return store;
}

/** Returns a stack with a closed change, one that failed with its successor, and one that died. */
async function stackWithRecords(died: boolean): Promise<Content> {
  const { store, backend } = await newStack();
  await operate(backend, new ChangeRecorder().creates(part('a')).records, 'succeeded');
  await operate(backend, new ChangeRecorder().creates(part('b')).records, 'waiting', {
    options: { targets: ['x'] },
  });
  await backend.tell(DEV, 2, { t: 'approve', task: '1', by: 'bob' });
  const resume = { continues: { change: '00000002', how: 'resume' }, goalKey: 'v1:key' } as const;
  const { records } = new ChangeRecorder().creates(part('c'));
  if (died) await begin(backend, records, resume);
  else await operate(backend, records, 'failed', resume);
  return contentOf(store);
}

/** Returns the other keys that a change of the store altered. Locks, and files of the damaged journal, may differ. */
function lost(before: Content, after: Content): readonly string[] {
  return [...before.keys()].filter(
    (key) =>
      !key.includes('/locks/') && Buffer.compare(after.get(key) ?? Buffer.of(), before.get(key)!) !== 0,
  );
}

const JOURNAL = '.pulumi/journals/shop/dev/0000000';
let mutations = 0;

/**
 * One byte in this many is altered, from the one that the seed of the property tests chooses: CAIRN_DAMAGE_EVERY=1
 * takes them all. A failure names the byte, and CAIRN_DAMAGE_FROM the first one to take.
 */
const EVERY = Number(process.env['CAIRN_DAMAGE_EVERY'] ?? 16);
const SEED = Number(process.env['CAIRN_PROPERTY_SEED'] ?? 1);
const FROM = Number(process.env['CAIRN_DAMAGE_FROM'] ?? SEED % EVERY);

/** Alters the file at one byte, and calls everything that reads the stack. */
async function damage(content: Content, file: string): Promise<void> {
  const bytes = content.get(file)!;
  for (let at = FROM; at < bytes.length; at += EVERY) {
    const altered = Buffer.from(bytes);
    altered[at]! ^= 1 << (at % 8);
    await survives(new Map(content).set(file, altered), `${file} at ${at}`);
    mutations += 1;
  }
  for (const length of [0, 1, bytes.length - 1]) {
    await survives(new Map(content).set(file, bytes.subarray(0, length)), `${file} cut to ${length}`);
    mutations += 1;
  }
}

async function survives(damaged: Content, what: string): Promise<void> {
  const store = await storeOf(damaged);
  const backend = await open(store, { pid: 30, dead: new Set([10]) });
  // A damaged journal is a row of the listing; the others are all there.
  const rows = await backend.changes(DEV);
  same(
    what,
    rows.map(({ id }) => id),
    ['3', '2', '1'],
  );
  for (const number of [1, 2, 3]) {
    await tolerated(
      backend.change(DEV, number).then((change) => change.base()),
      what,
    );
  }
  same(what, lost(damaged, await contentOf(store)), []);
  const held = await tolerated(lease(backend), what);
  if (held === undefined) {
    same(what, lost(damaged, await contentOf(store)), []);
    return;
  }
  const urns = held.deployment.resources.map(({ urn }) => urn);
  same(what, urns, ['c', 'b', 'a'].map(urnOf));
  if (held.unfinished !== undefined) {
    const before = held.unfinished.before.resources.map(({ urn }) => urn);
    same(what, before, [urnOf('a')]);
    same(what, held.unfinished.changes.at(-1)?.operation.goalKey, 'v1:key');
  } else {
    const codes = held.notes.map((note) => note.code);
    same(what, codes.includes('CAIRN-JOURNAL-CORRUPT'), true);
  }
  await held.release();
}

/**
 * Fails with the place of the damage if two values differ. It is called thousands of times, so it makes a report only
 * then.
 */
function same(what: string, got: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(got, wanted)) expect({ what, got }).toEqual({ what, got: wanted });
}

async function tolerated<T>(run: Promise<T>, what: string): Promise<T | undefined> {
  try {
    return await run;
  } catch (thrown) {
    if (!isCairnError(thrown)) throw new Error(what, { cause: thrown });
    same(what, thrown.diagnostics[0]?.code, 'CAIRN-JOURNAL-CORRUPT');
    return undefined;
  }
}

describe('a small file of a journal with any byte altered is reported, or its meaning is whole; nothing is overwritten', () => {
  test.each([
    '2/operation.json',
    '2/fold.json',
    '2/sealed.json',
    '2/control-000001.json',
    '3/operation.json',
    '3/fold.json',
    '3/sealed.json',
  ])('closed change: %s', async (file) => damage(await stackWithRecords(false), JOURNAL + file), 600_000);

  test.each(['2/base.json.gz', '3/operation.json'])(
    'change that died: %s',
    async (file) => damage(await stackWithRecords(true), JOURNAL + file),
    600_000,
  );

  afterAll(() => {
    process.stderr.write(
      `${mutations} mutations of the small files of journals: each reported, or without a meaning\n`,
    );
    expect(mutations).toBeGreaterThan(3000 / EVERY);
  });
});
