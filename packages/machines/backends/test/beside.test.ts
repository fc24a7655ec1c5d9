import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { memoryBlobStore, openBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import type { ChangeRecord, Claim } from '@cairn/changes';
import { base64Crypter } from '@cairn/crypters';
import { checkIntegrity } from '@cairn/state';
import type { Backend, OperationLog, StackLease } from '../src/index.js';
import { dyingStore } from './dying-store.js';
import { ChangeRecorder, operate, part } from './operations.js';
import { DEV, START, failureOf, keysOf, lease, newStack, open, textAt, urnOf, urnsOf } from './world.js';

const own = (name: string): Claim => ({ key: urnOf(name), mode: 'exclusive' });
const shared = (name: string): Claim => ({ key: urnOf(name), mode: 'shared' });
const LOCKS = '.pulumi/locks/organization/shop/dev/';

interface Working {
  readonly held: StackLease;
  readonly log: OperationLog;
}

function take(backend: Backend, ...claims: readonly Claim[]): Promise<StackLease> {
  return backend.lease(DEV, { openCrypter: async () => base64Crypter, claims });
}

async function work(
  backend: Backend,
  records: readonly ChangeRecord[],
  ...claims: readonly Claim[]
): Promise<Working> {
  const held = await take(backend, ...claims);
  const log = await held.begin({ ...START, operation: 'up' });
  await log.store.append(records);
  return { held, log };
}

async function end({ held, log }: Working): Promise<readonly string[]> {
  const { diagnostics } = await log.finish({ result: 'succeeded', resourceChanges: { create: 1 } });
  await held.release();
  return diagnostics.map((found) => found.summary);
}

const up = (...names: readonly string[]): readonly ChangeRecord[] =>
  new ChangeRecorder().creates(...names.map((name) => part(name))).records;
const byName = (names: readonly string[]): readonly string[] => names.map(urnOf).sort();
const sorted = (names: readonly string[]): readonly string[] => [...names].sort();

describe.each(['memory', 'directory'])('operations beside each other: %s', (kind) => {
  let directory: string;
  let store: BlobStore;
  let dead: Set<number>;
  const at = (pid: number): Promise<Backend> => open(store, { pid, dead });

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cairn-beside-'));
    ({ store, dead } = await newStack(
      kind === 'memory' ? memoryBlobStore() : await openBlobStore(`file://${directory}`),
    ));
  });
  afterEach(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  test.each([[[0, 1, 2]], [[2, 1, 0]], [[1, 2, 0]]])(
    'parts that do not overlap, ending in the order %j, are all stored once the last has ended',
    async (order) => {
      await operate(await at(10), up('base'), 'succeeded');
      const names = ['a', 'b', 'c'];
      const working = await Promise.all(
        names.map(async (name, index) => work(await at(11 + index), up(name), own(name), shared('base'))),
      );
      expect(new Set(working.map(({ log }) => log.changeId)).size).toBe(3);
      const reader = await at(20);
      expect(sorted(await urnsOf(reader))).toEqual(byName(['base', 'a', 'b', 'c']));
      for (const [turn, index] of order.entries()) {
        const said = await end(working[index]!);
        expect(said.some((text) => text.includes('become part of the stored state'))).toBe(turn < 2);
        expect(sorted(await urnsOf(reader))).toEqual(byName(['base', 'a', 'b', 'c']));
      }
      expect(await keysOf(store, LOCKS)).toEqual([]);
      expect(
        (await keysOf(store, '.pulumi/journals/')).filter((key) => key.endsWith('sealed.json')),
      ).toHaveLength(4);
      const rows = await reader.changes(DEV);
      expect(rows.map((row) => [row.result, row.running, row.unfinished])).toEqual(
        [4, 3, 2, 1].map(() => ['succeeded', false, false]),
      );
      expect(await reader.history(DEV)).toHaveLength(4);
      const next = await lease(reader);
      expect([next.notes, checkIntegrity(next.deployment, 'read').failure]).toEqual([[], undefined]);
      expect(sorted(next.deployment.resources.map(({ urn }) => urn))).toEqual(
        byName(['base', 'a', 'b', 'c']),
      );
      expect((await next.lineage(2)).before.resources).toHaveLength(1);
      await next.release();
    },
  );

  test('parts that overlap are refused, naming the resource and the change', async () => {
    const { log } = await work(await at(11), up('a'), own('a'), shared('base'));
    const failure = await failureOf(take(await at(12), own('b'), own('a')));
    expect(failure).toMatchObject({
      code: 'CAIRN-CHANGE-CONFLICT',
      summary: `the stack is currently locked by change 1 (up), which works on ${urnOf('a')} of stack "dev"`,
      hint: expect.stringContaining('cairn follow 1'),
      causes: [expect.stringContaining('ann@build-1 (process 11)')],
    });
    const thrown: unknown = await take(await at(12), own('base')).catch((error: unknown) => error);
    expect((thrown as { conflict?: unknown }).conflict).toEqual({
      code: 'CAIRN-CHANGE-CONFLICT',
      stack: 'dev',
      urn: urnOf('base'),
      changeId: '1',
      changeKind: 'up',
    });
    expect(await failureOf(lease(await at(13)))).toMatchObject({
      code: 'CAIRN-CHANGE-CONFLICT',
      summary: 'the stack is currently locked by change 1 (up), which works on stack "dev"',
    });
    expect(await keysOf(store, LOCKS)).toHaveLength(1);
    await log.finish({ result: 'succeeded', resourceChanges: {} });
  });

  test('what ended beside others stays claimed until it is stored', async () => {
    const first = await work(await at(11), up('a'), own('a'));
    const second = await work(await at(12), up('b'), own('b'));
    await end(first);
    expect((await failureOf(take(await at(13), own('a')))).summary).toContain(
      'change 1 (up), which works on',
    );
    const third = await work(await at(14), up('c'), own('c'));
    await end(second);
    await end(third);
    await (await take(await at(15), own('a'))).release();
    expect(sorted(await urnsOf(await at(15)))).toEqual(byName(['a', 'b', 'c']));
  });

  test('one that dies beside another is stored with it, and can be gone on with', async () => {
    await operate(await at(10), up('base'), 'succeeded');
    const dying = new ChangeRecorder().creates(part('a'));
    dying.begins(part('x'));
    await work(await at(11), dying.records, own('a'), own('x'));
    const living = await work(await at(12), up('b'), own('b'));
    dead.add(11);
    expect((await failureOf(take(await at(13), own('a')))).code).toBe('CAIRN-CHANGE-CONFLICT');
    expect(await end(living)).toEqual([
      'operation 2, which ran in parallel, ended early: the state now contains what it recorded',
      'it is unknown whether creating "x" (test:index:Thing) was done',
    ]);
    const next = await lease(await at(14));
    expect(next.deployment.pendingOperations.map(({ resource }) => resource.urn)).toEqual([urnOf('x')]);
    expect(next.unfinished).toMatchObject({ origin: '00000002', state: 'interrupted' });
    expect(next.unfinished?.before.resources).toHaveLength(1);
    expect(next.inDoubt.map((change) => change.row.id)).toContain('2');
    await next.release();
  });

  test('when all die, the next command stores what all of them recorded', async () => {
    await work(await at(11), up('a'), own('a'));
    const second = await work(await at(12), up('b'), own('b'));
    const third = await work(await at(13), up('c'), own('c'));
    await end(second);
    dead.add(11).add(13);
    expect(third.log.changeId).toBe('00000003');
    const held = await lease(await at(14));
    expect(sorted(held.deployment.resources.map(({ urn }) => urn))).toEqual(byName(['a', 'b', 'c']));
    expect(held.notes.filter((note) => note.code === 'CAIRN-UNFINISHED').map((note) => note.summary)).toEqual(
      ['change 1 (up) ended early: 1 step done', 'change 3 (up) ended early: 1 step done'],
    );
    expect(held.unfinished?.origin).toBe('00000003');
    expect((await held.lineage(1)).state).toBe('interrupted');
    await held.release();
    expect((await (await at(15)).changes(DEV)).map((row) => [row.id, row.result, row.unfinished])).toEqual([
      ['3', 'interrupted', true],
      ['2', 'succeeded', false],
      ['1', 'interrupted', true],
    ]);
  });

  test('a running operation may claim more, unless somebody has it', async () => {
    const first = await work(await at(11), up('a'), own('a'));
    const second = await work(await at(12), up('b'), own('b'));
    expect([first.log.claim, second.log.claim]).not.toContain(undefined);
    expect(await first.log.claim?.([own('c'), shared('s')])).toBeUndefined();
    expect(await second.log.claim?.([shared('s')])).toBeUndefined();
    expect(await second.log.claim?.([own('c')])).toMatchObject({
      code: 'CAIRN-CHANGE-CONFLICT',
      summary: `the stack is currently locked by change 1 (up), which works on ${urnOf('c')} of stack "dev"`,
    });
    const both = await Promise.all([first.log.claim?.([own('d')]), second.log.claim?.([own('d')])]);
    expect(both.filter((conflict) => conflict === undefined).length).toBeLessThanOrEqual(1);
    expect((await failureOf(take(await at(13), own('c')))).code).toBe('CAIRN-CHANGE-CONFLICT');
    await end(first);
    await end(second);
    const whole = await work(await at(14), up('e'), { key: '*', mode: 'exclusive' });
    expect(whole.log.claim).toBeUndefined();
    await end(whole);
  });

  test('of many that begin at once, those that do not overlap all get in', async () => {
    const backends = await Promise.all([11, 12, 13, 14].map(at));
    const tries = await Promise.allSettled(
      backends.map((backend, index) => work(backend, up(`n${index}`), own(`n${index % 3}`))),
    );
    const won = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(won.length).toBeGreaterThanOrEqual(2);
    for (const one of won) await end(one);
    expect(await keysOf(store, LOCKS)).toEqual([]);
    await (await lease(await at(15))).release();
    expect(await urnsOf(await at(15))).toHaveLength(won.length);
  });

  test('who has read the state and not begun yet is told when it was stored anew', async () => {
    const first = await work(await at(11), up('a'), own('a'));
    const second = await take(await at(12), own('b'));
    await end(first);
    expect(second.deployment.resources).toEqual([]);
    const log = await second.begin(START);
    await log.store.append(up('b'));
    await log.finish({ result: 'succeeded', resourceChanges: {} });
    await second.release();
    expect(sorted(await urnsOf(await at(13)))).toEqual(byName(['a', 'b']));
  });
});

test('a lock of the other tool keeps everybody out, and ours keep the other tool out [STORE-13]', async () => {
  const { store, dead } = await newStack();
  const first = await take(await open(store, { pid: 11, dead }), own('a'));
  const [key] = await keysOf(store, LOCKS);
  expect(JSON.parse(await textAt(store, key!))).toMatchObject({ cairn: true, claims: [own('a')] });
  await store.put(
    `${LOCKS}5e1f0000-0000-4000-8000-000000000000.json`,
    Buffer.from('{"pid":77,"username":"bob","hostname":"laptop","timestamp":""}'),
  );
  expect((await failureOf(take(await open(store, { pid: 12, dead }), own('b')))).code).toBe(
    'CAIRN-STATE-LOCKED',
  );
  await first.release();
});

test('the last of several killed at any write of its end loses nothing of any of them, and folds once', async () => {
  for (let writes = 0; ; writes += 1) {
    const { store, dead } = await newStack();
    const first = await work(await open(store, { pid: 11, dead }), up('a'), own('a'));
    const second = await work(await open(store, { pid: 12, dead }), up('b'), own('b'));
    const died = await work(await open(store, { pid: 13, dead }), up('c'), own('c'));
    expect(died.log.changeId).toBe('00000003');
    dead.add(13);
    await end(first);
    // The last one has the same store, which dies in the middle of its work.
    const { log } = second;
    const before = { ...store };
    const dying = dyingStore(before, writes);
    Object.assign(store, { put: dying.put, copy: dying.copy, delete: dying.delete });
    const outcome = await log.finish({ result: 'succeeded', resourceChanges: {} }).then(
      () => 'finished',
      () => 'killed',
    );
    Object.assign(store, { put: before.put, copy: before.copy, delete: before.delete });
    dead.add(12);
    const held = await lease(await open(store, { pid: 14, dead }));
    expect(sorted(held.deployment.resources.map(({ urn }) => urn))).toEqual(byName(['a', 'b', 'c']));
    await held.release();
    const backend = await open(store, { pid: 15, dead });
    expect(await backend.history(DEV)).toHaveLength(3);
    const again = await lease(backend);
    expect(again.notes).toEqual([]);
    await again.release();
    if (outcome === 'finished') {
      expect(writes).toBeGreaterThan(8);
      break;
    }
  }
});
