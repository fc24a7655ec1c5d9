import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { encodeRecords } from '@cairn/changes';
import type { ChangeRecord } from '@cairn/changes';
import { checkIntegrity } from '@cairn/state';
import { dyingStore } from './dying-store.js';
import { ChangeRecorder, begin } from './operations.js';
import {
  DEV,
  Recorder,
  START,
  failureOf,
  keysOf,
  lease,
  newStack,
  open,
  providerEntry,
  root,
  rootUrn,
  providerUrn,
  textAt,
  thing,
  urnOf,
  urnsOf,
} from './world.js';

const JOURNAL = '.pulumi/journals/shop/dev/00000001/';
const CHECKPOINT = '.pulumi/stacks/shop/dev.json';

/** Returns a store as a dead operation left it: locked, its journal with the given bytes. */
async function deadOperation(bytes: Uint8Array): Promise<{ store: BlobStore; dead: Set<number> }> {
  const { store, backend, dead } = await newStack();
  const held = await lease(backend);
  await held.begin(START);
  dead.add(10);
  await store.put(`${JOURNAL}000001.log`, bytes);
  return { store, dead };
}

/** Returns all keys with their content, to copy a store or compare it. */
async function contentOf(store: BlobStore): Promise<ReadonlyMap<string, string>> {
  const content = new Map<string, string>();
  for (const key of await keysOf(store)) content.set(key, await textAt(store, key));
  return content;
}

async function copyOf(store: BlobStore): Promise<BlobStore> {
  const copy = memoryBlobStore();
  for (const key of await keysOf(store)) await copy.put(key, (await store.get(key))!.bytes);
  return copy;
}

const things = [root, providerEntry, thing('a'), thing('b', { dependencies: [urnOf('a')] })];
const records = new Recorder().creates(...things);

/** Returns the expected result of a fold of the first records: the urns that succeeded, the urns in doubt. */
function expectedAfter(kept: readonly ChangeRecord[]): { done: readonly string[]; doubt: readonly string[] } {
  const done = things.slice(0, Math.floor(kept.length / 2)).map((entry) => entry.urn);
  return { done, doubt: kept.length % 2 === 1 ? [things[done.length]!.urn] : [] };
}

test('a journal cut anywhere is folded up to its last whole record; nothing recorded is lost', async () => {
  const frames = records.map((record) => encodeRecords([record]));
  const all = Buffer.concat(frames);
  const ends = frames.map((_frame, index) => Buffer.concat(frames.slice(0, index + 1)).length);
  const cuts = new Set([
    0,
    ...ends,
    ...ends.flatMap((end, index) => [
      end - 1,
      end - 2,
      end - Math.floor(frames[index]!.length / 2),
      end - frames[index]!.length + 5,
    ]),
  ]);
  for (const cut of cuts) {
    const kept = records.slice(0, ends.filter((end) => end <= cut).length);
    const { store, dead } = await deadOperation(all.subarray(0, cut));
    const backend = await open(store, { pid: 11, dead });
    const held = await lease(backend);
    const { done, doubt } = expectedAfter(kept);
    const { deployment } = held;
    expect(deployment.resources.map((resource) => resource.urn)).toEqual(done);
    expect(deployment.pendingOperations.map((operation) => operation.resource.urn)).toEqual(doubt);
    expect(checkIntegrity(deployment, 'read').failure).toBeUndefined();
    const warned = held.notes
      .filter((note) => note.severity === 'warning')
      .map((note) => [note.code, note.urn]);
    expect(warned).toEqual(doubt.map((urn) => ['CAIRN-IN-DOUBT', urn]));
    await held.release();
  }
});

test('the one who takes over says whose lock and which operation it was', async () => {
  const { store, dead } = await deadOperation(encodeRecords(records.slice(0, 3)));
  const held = await lease(await open(store, { pid: 11, dead }));
  const infos = held.notes.filter((note) => note.severity === 'info').map((note) => note.summary);
  expect(infos).toEqual([
    'removed the lock of process 10, which is no longer running',
    'change 1 (up) ended early: 0 steps done',
  ]);
  const doubt = held.notes.find((note) => note.code === 'CAIRN-IN-DOUBT' && note.severity === 'warning');
  expect(doubt).toMatchObject({
    summary: expect.stringContaining('creating "default"'),
    hint: expect.stringMatching(/cairn change resolve [0-9a-f]{8} --created ID/),
  });
});

test('a second opening finds nothing left to do', async () => {
  const { store, dead } = await deadOperation(encodeRecords(records));
  const first = await lease(await open(store, { pid: 11, dead }));
  await first.release();
  const before = await contentOf(store);
  const second = await lease(await open(store, { pid: 12, dead }));
  expect(second.notes).toEqual([]);
  await second.release();
  expect(await contentOf(store)).toEqual(before);
});

test('an operation killed between any two writes of its end is folded exactly once', async () => {
  const outcomes: string[] = [];
  for (let writes = 0; ; writes++) {
    const { store: made, dead } = await newStack();
    const dying = dyingStore(made, Number.POSITIVE_INFINITY);
    const backend = await open(dying, { pid: 20, dead });
    const held = await lease(backend);
    const log = await held.begin(START);
    await log.store.append(records);
    const killed = await copyOf(made);
    // The same end on a copy of the store, cut after `writes` writes.
    const ended = await endOn(killed, writes, dead);
    outcomes.push(ended);
    dead.add(20).add(21);
    const recovered = await lease(await open(killed, { pid: 22, dead }));
    expect(recovered.deployment.resources.map((resource) => resource.urn)).toEqual([
      rootUrn,
      providerUrn,
      urnOf('a'),
      urnOf('b'),
    ]);
    expect((await (await open(killed, { pid: 23, dead })).history(DEV)).length).toBe(1);
    expect((await keysOf(killed, '.pulumi/history/')).length).toBe(2);
    expect((await keysOf(killed, '.pulumi/backups/')).length).toBe(1);
    await recovered.release();
    dead.clear();
    if (ended === 'finished') break;
  }
  expect(outcomes.length).toBeGreaterThan(5);
});

/** Ends a recovery on the store that is stopped after so many writes. */
async function endOn(store: BlobStore, writes: number, dead: Set<number>): Promise<string> {
  dead.add(20);
  try {
    const held = await lease(await open(dyingStore(store, writes), { pid: 21, dead }));
    await held.release();
    return 'finished';
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

test('an operation killed between any two writes of its end: what is shown without the lock is what the next one finds', async () => {
  const shown: string[] = [];
  for (let writes = 0; shown.at(-1) !== 'finished'; writes++) {
    const { store, dead } = await newStack();
    const log = await begin(await open(store, { pid: 20, dead }), new ChangeRecorder().creates(root).records);
    const whole = { ...store };
    const { put, copy, delete: remove } = dyingStore(whole, writes);
    Object.assign(store, { put, copy, delete: remove });
    const outcome = await log.finish({ result: 'succeeded', resourceChanges: {} }).then(
      () => 'finished',
      () => 'killed',
    );
    Object.assign(store, { put: whole.put, copy: whole.copy, delete: whole.delete });
    const running = (await (await open(store, { pid: 21, dead })).changes(DEV))[0]!;
    if (outcome === 'killed') expect(running).toMatchObject({ running: true, result: undefined });
    dead.add(20);
    const before = (await (await open(store, { pid: 22, dead })).changes(DEV))[0]!;
    const held = await lease(await open(store, { pid: 23, dead }));
    const { unstored, ...after } = (await (await open(store, { pid: 24, dead })).changes(DEV))[0]!;
    expect(unstored).toBeUndefined();
    const what = `${before.result ?? 'interrupted'}, ${before.unstored === true ? 'not stored yet' : 'stored'}`;
    if (outcome === 'killed' && before.result !== undefined) expect(before.unstored).toBe(true);
    expect([before.status, before.result ?? 'interrupted', before.unfinished, before.tasks]).toEqual([
      after.status,
      after.result,
      after.unfinished,
      after.tasks,
    ]);
    expect(held.finished.length).toBe(before.unstored === true ? 1 : 0);
    expect((await (await open(store, { pid: 25, dead })).history(DEV))[0]?.result).toBe(
      before.result === 'succeeded' ? 'succeeded' : 'failed',
    );
    await held.release();
    shown.push(what, outcome);
  }
  expect(new Set(shown)).toEqual(
    new Set(['interrupted, stored', 'succeeded, not stored yet', 'succeeded, stored', 'killed', 'finished']),
  );
});

test('a journal damaged in its middle is refused, and nothing is written', async () => {
  const bytes = Buffer.from(encodeRecords(records));
  bytes[60] = bytes[60]! ^ 1;
  const { store, dead } = await deadOperation(bytes);
  const before = await contentOf(store);
  const failure = await failureOf(lease(await open(store, { pid: 11, dead })));
  expect(failure).toMatchObject({
    code: 'CAIRN-JOURNAL-CORRUPT',
    summary: expect.stringContaining(`${JOURNAL}000001.log`),
  });
  const after = new Map(await contentOf(store));
  for (const [key, text] of before) if (!key.includes('/locks/')) expect(after.get(key)).toBe(text);
});

test('a journal that does not belong to the checkpoint is refused, and nothing is written', async () => {
  const { store, dead } = await deadOperation(encodeRecords(records));
  const text = await textAt(store, CHECKPOINT);
  await store.put(CHECKPOINT, Buffer.from(text.replace('"metadata":{}', '"metadata":{} ')));
  const failure = await failureOf(lease(await open(store, { pid: 11, dead })));
  expect(failure).toMatchObject({ code: 'CAIRN-STORE-CONFLICT', causes: [`its journal is ${JOURNAL}`] });
  expect(await urnsOf(await open(store, { pid: 12, dead }))).toEqual([]);
});

test('a journal in which nothing was recorded is sealed, and its change is one that did nothing', async () => {
  const { store, dead } = await deadOperation(new Uint8Array());
  const before = await textAt(store, CHECKPOINT);
  const held = await lease(await open(store, { pid: 11, dead }));
  expect(held.notes.map((note) => note.summary)).toEqual([
    'removed the lock of process 10, which is no longer running',
    'change 1 (up) ended before it did anything: everything is as it was',
  ]);
  expect(held.unfinished).toBeUndefined();
  expect(await held.lineage(1)).toMatchObject({ origin: '00000001', latest: '00000001', unfinished: false });
  expect(await textAt(store, CHECKPOINT)).toBe(before);
  expect(JSON.parse(await textAt(store, `${JOURNAL}sealed.json`))).toMatchObject({ result: 'nothing' });
});

test('a journal that its operation has withdrawn is sealed, though a dead process had begun to take it over', async () => {
  const { store, dead } = await deadOperation(new Uint8Array());
  await store.delete(`${JOURNAL}operation.json`);
  const before = await textAt(store, CHECKPOINT);
  const held = await lease(await open(store, { pid: 11, dead }));
  expect(held.unfinished).toBeUndefined();
  expect(await textAt(store, CHECKPOINT)).toBe(before);
  expect(JSON.parse(await textAt(store, `${JOURNAL}sealed.json`))).toMatchObject({ result: 'nothing' });
});

test('records whose operation is missing are refused, and nothing is written', async () => {
  const { store, dead } = await deadOperation(encodeRecords(records));
  await store.delete(`${JOURNAL}operation.json`);
  const kept = async (): Promise<readonly string[]> =>
    Promise.all([CHECKPOINT, `${JOURNAL}000001.log`].map((key) => textAt(store, key)));
  const before = await kept();
  const failure = await failureOf(open(store, { pid: 11, dead }).then(lease));
  expect(failure).toMatchObject({
    code: 'CAIRN-STORE-CONFLICT',
    summary: expect.stringContaining('its operation.json is missing'),
  });
  expect(await kept()).toEqual(before);
  expect(await keysOf(store, JOURNAL)).toEqual([`${JOURNAL}000001.log`]);
});

test.each(['creating', 'updating', 'deleting'] as const)(
  'a journal with tasks and no entries leaves a %s pending that was so before',
  async (type) => {
    const { store, backend, dead } = await newStack();
    const first = await lease(backend);
    const log = await first.begin(START);
    const recorder = new Recorder();
    await log.store.append(recorder.creates(root, providerEntry, thing('a')));
    await log.store.append([
      recorder.entry({ kind: 'begin', operationId: 9, operation: { type, resource: thing('a') } }),
    ]);
    dead.add(10);
    const second = await lease(await open(store, { pid: 11, dead }));
    const next = await second.begin(START);
    const at = '2026-01-01T00:00:00.000Z';
    await next.store.append([
      {
        seq: 1,
        tx: 1,
        at,
        record: 'task',
        id: '1',
        kind: 'in-doubt',
        summary: 'find out',
        lanes: [1],
      },
    ]);
    dead.add(11);
    const third = await lease(await open(store, { pid: 12, dead }));
    expect(third.deployment.pendingOperations.map((operation) => operation.type)).toEqual([type]);
  },
);

test('an operation that was overtaken cannot store its state', async () => {
  const { store, backend, dead } = await newStack();
  const held = await lease(backend);
  const log = await held.begin(START);
  await log.store.append(records.slice(0, 4));
  dead.add(10);
  const next = await lease(await open(store, { pid: 11, dead }));
  await expect(log.store.append(records.slice(4))).rejects.toThrow('was lost to another process');
  expect((await failureOf(log.finish({ result: 'succeeded', resourceChanges: {} }))).code).toBe(
    'CAIRN-LEASE-LOST',
  );
  await next.release();
  expect(await urnsOf(backend)).toEqual([rootUrn, providerUrn]);
});

describe('reading without a lock', () => {
  test('shows what a dead or running operation has recorded, says so, and writes nothing', async () => {
    const { store, dead } = await deadOperation(encodeRecords(records.slice(0, 5)));
    const before = await contentOf(store);
    const backend = await open(store, { pid: 11, dead });
    const { deployment, warnings } = await backend.read(DEV);
    expect(deployment?.resources.map((resource) => resource.urn)).toEqual([rootUrn, providerUrn]);
    expect(deployment?.pendingOperations.map((operation) => operation.resource.urn)).toEqual([urnOf('a')]);
    expect(warnings).toMatchObject([
      { code: 'CAIRN-IN-DOUBT', summary: expect.stringContaining('5 entries') },
    ]);
    expect(await contentOf(store)).toEqual(before);
  });

  test('a journal that cannot be used is a warning, and the checkpoint is shown', async () => {
    const bytes = Buffer.from(encodeRecords(records));
    bytes[60] = bytes[60]! ^ 1;
    const { store, dead } = await deadOperation(bytes);
    const { deployment, warnings } = await (await open(store, { pid: 11, dead })).read(DEV);
    expect(deployment?.resources).toEqual([]);
    expect(warnings).toMatchObject([{ severity: 'warning', code: 'CAIRN-JOURNAL-CORRUPT' }]);
  });
});

test('a step in doubt is told by the next command unless the journal was sealed, and stays in the state either way', async () => {
  const { store, dead } = await deadOperation(encodeRecords(records.slice(0, 5)));
  const cuts: string[] = [];
  for (let writes = 0; !cuts.includes('finished'); writes++) {
    const copy = await copyOf(store);
    dead.add(10);
    const dying = await open(dyingStore(copy, writes), { pid: 21, dead });
    cuts.push(
      await lease(dying).then(
        (held) =>
          held.release().then(
            () => 'finished',
            () => 'released',
          ),
        () => 'cut',
      ),
    );
    const sealed = (await keysOf(copy, JOURNAL)).includes(`${JOURNAL}sealed.json`);
    dead.add(21);
    const held = await lease(await open(copy, { pid: 22, dead }));
    expect(held.deployment.pendingOperations.map((operation) => operation.resource.urn)).toEqual([
      urnOf('a'),
    ]);
    const doubts = held.notes.filter((note) => note.code === 'CAIRN-IN-DOUBT' && note.severity === 'warning');
    expect(doubts.map((note) => note.urn)).toEqual(sealed ? [] : [urnOf('a')]);
    await held.release();
    dead.clear();
  }
  expect(cuts.filter((cut) => cut === 'cut').length).toBeGreaterThan(5);
});
