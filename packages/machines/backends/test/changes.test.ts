import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import type { SerializedDeployment } from '@cairn/state';
import { ChangeRecorder, begin, operate, part } from './operations.js';
import {
  DEV,
  START,
  failureOf,
  keysOf,
  lease,
  newStack,
  open,
  providerEntry,
  root,
  thing,
  urnOf,
  urnsOf,
} from './world.js';

const things = [root, providerEntry, thing('a')];
const all = (): ChangeRecorder => new ChangeRecorder().creates(...things);

describe('a listing of changes', () => {
  test('newest first, with how each came to be and to end', async () => {
    const { backend } = await newStack();
    await operate(backend, all().records, 'failed', { operation: 'up', message: 'first' });
    await operate(backend, new ChangeRecorder().fails(part('b')).records, 'waiting', {
      operation: 'up',
      continues: { change: '00000001', how: 'resume' },
      options: { onError: 'stop', targets: ['x'] },
    });
    const rows = await backend.changes(DEV);
    expect(rows).toMatchObject([
      {
        id: '2',
        kind: 'up',
        status: 'error',
        result: 'waiting',
        running: false,
        unfinished: true,
        continues: { change: '1', how: 'resume' },
        tasks: { total: 1, failed: 1 },
      },
      {
        id: '1',
        kind: 'up',
        status: 'done',
        result: 'failed',
        unfinished: false,
        summary: 'first',
        tasks: { done: 3 },
      },
    ]);
    expect(Date.parse(rows[0]!.ended!)).toBeGreaterThanOrEqual(Date.parse(rows[0]!.spawned));
  });

  test.each([
    ['succeeded', 'done'],
    ['rolled-back', 'undone'],
    ['failed', 'error'],
  ] as const)('one that %s without a task of its own is %s', async (result, status) => {
    const { backend } = await newStack();
    await operate(backend, new ChangeRecorder().records, result, { operation: 'up' });
    expect(await backend.changes(DEV)).toMatchObject([{ status, result, tasks: { total: 0 } }]);
  });

  test('one that runs, and one that died', async () => {
    const { store, backend, dead } = await newStack();
    await begin(backend, all().records);
    const other = await open(store, { pid: 11, dead });
    expect(await other.changes(DEV)).toMatchObject([
      { id: '1', running: true, unfinished: false, result: undefined, tasks: { done: 3 } },
    ]);
    dead.add(10);
    expect(await other.changes(DEV)).toMatchObject([{ id: '1', running: false, unfinished: true }]);
  });

  test('of a stack that does not exist fails, of a new one is empty', async () => {
    const { backend } = await newStack();
    expect(await backend.changes(DEV)).toEqual([]);
    expect((await failureOf(backend.changes({ ...DEV, stack: 'nope' }))).code).toBe('CAIRN-STACK-NOT-FOUND');
  });
});

describe('one change', () => {
  test('has its records, its tasks, what it was asked for and the state before it', async () => {
    const { backend } = await newStack();
    await operate(backend, all().records, 'succeeded');
    await operate(backend, new ChangeRecorder().creates(part('b')).records, 'failed', {
      options: { targets: ['x'] },
      goalKey: 'v1:sealed',
    });
    const stored = await backend.change(DEV, 2);
    expect(stored.operation).toMatchObject({ kind: 'up', options: { targets: ['x'] }, goalKey: 'v1:sealed' });
    expect([...(stored.view?.tasks.values() ?? [])].map((task) => task.status)).toEqual(['done']);
    expect(stored.records).toHaveLength(4);
    expect((await stored.base())?.resources).toHaveLength(3);
    expect((await (await backend.change(DEV, 1)).base())?.resources).toHaveLength(0);
  });

  test('that is not there', async () => {
    const { backend } = await newStack();
    expect(await failureOf(backend.change(DEV, 7))).toMatchObject({
      code: 'CAIRN-CHANGE-UNKNOWN',
      hint: expect.stringContaining('cairn changes'),
    });
  });
});

describe('a lease', () => {
  test('tells of the lineage that did not end, with the state before it began', async () => {
    const { store, backend, dead } = await newStack();
    await operate(backend, all().records, 'succeeded');
    const dying = new ChangeRecorder().creates(part('b'));
    dying.begins(part('c'));
    await begin(backend, dying.records, { operation: 'up', goalKey: 'v1:k' });
    dead.add(10);
    const next = await open(store, { pid: 11, dead });
    const held = await lease(next);
    expect(held.unfinished).toMatchObject({ origin: '00000002', latest: '00000002', state: 'interrupted' });
    expect(held.unfinished?.before.resources).toHaveLength(3);
    expect((await held.unfinished?.openBefore())?.resources).toHaveLength(3);
    expect(held.unfinished?.changes.map((change) => change.operation.goalKey)).toEqual(['v1:k']);
    expect(held.notes[1]).toMatchObject({
      code: 'CAIRN-UNFINISHED',
      summary: 'change 2 (up) ended early: 1 step done, 1 in doubt',
      hint: 'Run `cairn resume` to continue, `cairn rollback` to roll it back, or `cairn change 2` to show it.',
    });
    expect(held.notes[2]).toMatchObject({
      code: 'CAIRN-IN-DOUBT',
      hint: expect.stringMatching(/cairn change resolve [0-9a-f]{8} --created ID/),
    });
    await held.release();
  });

  test('a successor and its origin are one lineage, until it has ended', async () => {
    const { store, backend, dead } = await newStack();
    await operate(backend, all().records, 'failed');
    const resumed = { operation: 'up', continues: { change: '00000001', how: 'resume' } } as const;
    await begin(backend, new ChangeRecorder().creates(part('b')).records, resumed);
    dead.add(10);
    const next = await open(store, { pid: 11, dead });
    const held = await lease(next);
    expect(held.unfinished).toMatchObject({ origin: '00000001', latest: '00000002' });
    expect(held.unfinished?.before.resources).toHaveLength(0);
    expect(held.unfinished?.note).toMatchObject({
      summary: 'change 2 (resume of change 1, up) ended early: 4 steps done',
      causes: [expect.any(String), 'continued by 2 (up): interrupted'],
    });
    await held.release();
    const rollback = { operation: 'rollback', continues: { change: '00000002', how: 'rollback' } } as const;
    await operate(next, new ChangeRecorder('rollback').records, 'succeeded', rollback);
    const after = await lease(next);
    expect(after.unfinished).toBeUndefined();
    expect((await after.lineage(1)).state).toBe('rolled-back');
    expect((await after.lineage(3)).before.resources).toHaveLength(0);
    await after.release();
  });

  test('gives the line of a completed change, while it is the newest', async () => {
    const { backend } = await newStack();
    await operate(backend, all().records, 'succeeded');
    await operate(backend, new ChangeRecorder().creates(part('b')).records, 'succeeded');
    const held = await lease(backend);
    expect(held.unfinished).toBeUndefined();
    expect((await held.lineage(2)).before.resources).toHaveLength(3);
    expect((await failureOf(held.lineage(1))).code).toBe('CAIRN-CHANGE-SUPERSEDED');
    expect((await failureOf(held.lineage(9))).code).toBe('CAIRN-CHANGE-UNKNOWN');
    await held.release();
  });

  test('a state that somebody else has altered is not gone on with', async () => {
    const { store, backend } = await newStack();
    await operate(backend, all().records, 'failed');
    const key = '.pulumi/stacks/shop/dev.json';
    const text = Buffer.from((await store.get(key))!.bytes).toString();
    await store.put(key, Buffer.from(text.replace('"metadata":{}', '"metadata":{} ')));
    const held = await lease(backend);
    expect(held.unfinished).toBeUndefined();
    expect((await failureOf(held.lineage(1))).code).toBe('CAIRN-CHANGE-SUPERSEDED');
    await held.release();
  });

  test('damaged records of a change that did not end keep nobody from working', async () => {
    const { store, backend } = await newStack();
    await operate(backend, all().records, 'failed');
    const key = '.pulumi/journals/shop/dev/00000001/base.json.gz';
    const bytes = Buffer.from((await store.get(key))!.bytes);
    bytes[40]! ^= 1;
    await store.put(key, bytes);
    const held = await lease(backend);
    expect(held.unfinished).toBeUndefined();
    expect(held.notes).toMatchObject([{ severity: 'warning', code: 'CAIRN-JOURNAL-CORRUPT' }]);
    expect((await failureOf(held.lineage(1))).code).toBe('CAIRN-JOURNAL-CORRUPT');
    await held.release();
    await operate(backend, new ChangeRecorder().creates(part('b')).records, 'succeeded');
    expect(await urnsOf(backend)).toContain(urnOf('b'));
  });
});

describe('an edit of the state', () => {
  const protect = (on: boolean) => (deployment: SerializedDeployment) => ({
    ...deployment,
    resources: deployment.resources.map((resource) => ({ ...resource, protect: on })),
  });

  test('is a change of its own, without history; a lineage that did not end stays so', async () => {
    const { store, backend } = await newStack();
    await operate(backend, all().records, 'failed');
    await backend.edit(DEV, protect(true), 'state protect');
    expect(await backend.changes(DEV)).toMatchObject([
      {
        id: '2',
        kind: 'edit',
        result: 'succeeded',
        status: 'done',
        summary: 'state protect',
        unfinished: true,
      },
      { id: '1', result: 'failed' },
    ]);
    expect(await backend.history(DEV)).toHaveLength(1);
    const held = await lease(backend);
    expect(held.unfinished).toMatchObject({ origin: '00000001', latest: '00000002', state: 'failed' });
    expect(held.unfinished?.before.resources).toHaveLength(0);
    await held.release();
    expect(await keysOf(store, '.pulumi/locks/')).toEqual([]);
  });

  test('that takes an object out of the state supersedes what did not end', async () => {
    const { backend } = await newStack();
    await operate(backend, all().records, 'failed');
    await backend.edit(DEV, (deployment) => ({ ...deployment, resources: deployment.resources.slice(0, 2) }));
    const held = await lease(backend);
    expect(held.unfinished).toBeUndefined();
    expect((await failureOf(held.lineage(1))).code).toBe('CAIRN-CHANGE-SUPERSEDED');
    await held.release();
    await backend.edit(DEV, () => undefined);
    expect(await backend.changes(DEV)).toHaveLength(2);
  });

  test('that died before the state was stored is stored by the next command', async () => {
    const { store, backend, dead } = await newStack();
    await operate(backend, all().records, 'succeeded');
    let left = Number.POSITIVE_INFINITY;
    const dying: BlobStore = {
      ...store,
      put: (key, bytes, condition) => {
        if (key.includes('/stacks/')) left = 0;
        return left === 0 ? Promise.reject(new Error('killed')) : store.put(key, bytes, condition);
      },
    };
    await expect((await open(dying, { pid: 11, dead })).edit(DEV, protect(true))).rejects.toThrow('killed');
    expect((await backend.read(DEV)).deployment?.resources[0]).toMatchObject({ protect: true });
    const held = await lease(backend);
    expect(held.notes).toMatchObject([
      { summary: expect.stringContaining('finished storing change 2 (state edit): it succeeded') },
    ]);
    expect(held.finished).toMatchObject([
      { lineage: [{ number: 1 }, { number: 2, kind: 'edit', result: 'succeeded' }] },
    ]);
    expect(held.deployment.resources[0]).toMatchObject({ protect: true });
    expect(held.unfinished).toBeUndefined();
    await held.release();
  });
});

describe('steps in doubt', () => {
  test('of a superseded change are handed on until an operation ends well', async () => {
    const { store, backend, dead } = await newStack();
    await operate(backend, all().records, 'succeeded');
    const dying = new ChangeRecorder();
    dying.begins(part('b'));
    await begin(backend, dying.records);
    dead.add(10);
    const next = await open(store, { pid: 11, dead });
    await operate(next, new ChangeRecorder().fails(part('c')).records, 'waiting');
    const held = await lease(next);
    expect(held.unfinished).toMatchObject({ origin: '00000003' });
    expect(held.inDoubt.map((change) => change.row.id)).toEqual(['2', '3']);
    await held.release();
    await next.edit(DEV, (deployment) => ({ ...deployment }));
    await operate(next, new ChangeRecorder().creates(part('d')).records, 'succeeded');
    const after = await lease(next);
    expect(after.inDoubt).toEqual([]);
    await after.release();
  });
});

describe('retention', () => {
  const next = (name: string): ChangeRecorder => new ChangeRecorder().creates(part(name));

  async function kept(store: ReturnType<typeof memoryBlobStore>): Promise<readonly string[]> {
    const keys = await keysOf(store, '.pulumi/journals/');
    return [...new Set(keys.map((key) => key.split('/')[4]!.replace(/^0+/, '')))];
  }

  test('keeps the last ones, with the line of the newest whole', async () => {
    const store = memoryBlobStore();
    await newStack(store);
    const backend = await open(store, { pid: 12, dead: new Set() }, { CAIRN_JOURNAL_RETENTION: '2' });
    await operate(backend, all().records, 'succeeded');
    await operate(backend, next('b').records, 'succeeded');
    await operate(backend, next('c').records, 'failed');
    const on = (change: string) => ({ continues: { change, how: 'resume' as const } });
    await operate(backend, next('d').records, 'failed', on('00000003'));
    await operate(backend, next('e').records, 'failed', on('00000004'));
    expect(await kept(store)).toEqual(['3', '4', '5']);
    await operate(backend, next('f').records, 'succeeded');
    await operate(backend, next('g').records, 'succeeded');
    expect(await kept(store)).toEqual(['6', '7']);
  });
});

test('an operation that recorded no entry keeps no copy of its base, which its state is', async () => {
  const { store, backend } = await newStack();
  await operate(backend, new ChangeRecorder().creates(part('a')).records, 'succeeded');
  await operate(backend, new ChangeRecorder().records, 'failed');
  const keys = await keysOf(store, '.pulumi/journals/');
  expect(keys.filter((key) => key.endsWith('base.json.gz'))).toEqual([
    '.pulumi/journals/shop/dev/00000001/base.json.gz',
  ]);
  const held = await lease(backend);
  const { before } = await held.lineage(2);
  expect(before.resources.map(({ urn }) => urn)).toEqual([urnOf('a')]);
  const resumed = await held.begin({ ...START, continues: { change: '00000002', how: 'resume' } });
  await resumed.store.append(new ChangeRecorder().creates(part('b')).records);
  await resumed.finish({ result: 'failed', resourceChanges: {} });
  await held.release();
  const again = await lease(backend);
  expect((await again.lineage(3)).before.resources.map(({ urn }) => urn)).toEqual([urnOf('a')]);
  await again.release();
});
