import { describeChange } from './describe-change.js';
import type { Change } from '../src/change.js';
import { KindRegistry } from '../src/kind-registry.js';
import type { StepKinds } from '../src/kinds.js';
import { loadChange, openChange } from '../src/machine.js';
import { memoryStore } from '../src/store.js';
import type { ChangeTx } from '../src/transaction.js';
import { World } from './world.js';

const UP = { id: '1', kind: 'up', summary: 'up', scope: 's' };
const ok: StepKinds[string] = { do: () => ({ t: 'ok' }), undo: () => ({ t: 'ok' }) };

describe('writing only in transactions', () => {
  /** All requests of a transaction. */
  const WRITES: Readonly<Record<keyof ChangeTx, (t: ChangeTx) => unknown>> = {
    addTask: (t) => t.addTask({ kind: 'step', summary: 'late' }),
    newLane: (t) => t.newLane(),
    abort: (t) => t.abort(),
    abortTasks: (t) => t.abortTasks(['1']),
    abortLanes: (t) => t.abortLanes([0]),
    changeLanes: (t) => t.changeLanes('1', { join: [1] }),
    hold: (t) => t.hold('no'),
    resolve: (t) => t.resolve('2', 'do'),
    set: (t) => t.set('a', 1),
    claim: (t) => t.claim([{ key: '*', mode: 'shared' }]),
    entry: (t) => t.entry({}),
    schedule: (t) => t.schedule('1', new Date(0)),
    complete: (t) => t.complete(),
  };

  async function world(): Promise<{ late: ChangeTx; change: Change; records: () => number }> {
    const store = memoryStore();
    const kinds: StepKinds = { step: ok, asks: { do: () => ({ t: 'wait', reason: 'approve it' }) } };
    const machine = openChange({ ...UP, growing: true }, { store, kinds, ensureBefore: () => undefined });
    const late = machine.tx((t) => {
      t.addTask({ kind: 'step', summary: 'a' });
      t.addTask({ kind: 'asks', summary: 'b', status: 'wait' });
      return t;
    });
    await machine.flush();
    return { late, change: machine.change as Change, records: () => store.records.length };
  }

  test.each(Object.entries(WRITES))(
    'CH-108 %s outside a transaction fails and writes nothing',
    async (_name, write) => {
      const { late, change, records } = await world();
      const before = [describeChange(change), records()];
      expect(() => write(late)).toThrow(
        expect.objectContaining({ name: 'BugError', message: 'the transaction is over' }),
      );
      expect([describeChange(change), records()]).toEqual(before);
    },
  );

  test('CH-108 reading is free and writes nothing', async () => {
    const { change, records } = await world();
    const before = records();
    for (const member of [
      'status',
      'isReady',
      'clean',
      'growing',
      'claims',
      'data',
      'spawned',
      'ended',
    ] as const)
      void change[member];
    void change.task('1').progress;
    expect(records()).toBe(before);
  });

  test('CH-146 partial progress is not written, final progress is in the outcome; a log line is written', async () => {
    const store = memoryStore();
    const written: number[] = [];
    const kinds: StepKinds = {
      step: {
        do: async (context) => {
          for (const done of [0, 1]) context.progress({ label: 'MB', done, total: 2 });
          await machine.flush();
          written.push(store.records.length);
          context.log('half');
          await machine.flush();
          written.push(store.records.length);
          context.progress({ label: 'MB', done: 2, total: 2 });
          return { t: 'ok' };
        },
      },
    };
    const machine = openChange(UP, { store, kinds });
    machine.tx((t) => t.addTask({ kind: 'step', summary: 'a' }));
    await machine.settled();
    expect(written).toEqual([3, 4]);
    expect(store.records.find((record) => record.record === 'outcome')).toMatchObject({
      progress: { label: 'MB', done: 2, total: 2 },
    });
  });

  test('CH-154 slow work between two transactions keeps nobody out', async () => {
    const seen: string[] = [];
    let finish: () => void = () => undefined;
    const kinds: StepKinds = {
      step: {
        do: async () => {
          machine.tx((t) => t.set('who', 'handler'));
          await new Promise<void>((resolve) => (finish = resolve));
          seen.push(String(machine.change.data['who']));
          machine.tx((t) => t.set('who', 'handler again'));
          return { t: 'ok' };
        },
      },
    };
    const machine = openChange(UP, { store: memoryStore(), kinds });
    const id = machine.tx((t) => t.addTask({ kind: 'step', summary: 'a' }));
    await new Promise((resolve) => setImmediate(resolve));
    machine.tx((t) => t.set('who', 'somebody else'));
    finish();
    await machine.ended(id);
    expect([seen, machine.change.data['who']]).toEqual([['somebody else'], 'handler again']);
  });
});

test('CH-118 handler returns wait without a later status', async () => {
  const world = new World({ tasks: 'a' });
  world.kinds.set('a', { do: () => ({ t: 'wait', reason: 'later' }) });
  await world.pass();
  await world.pass();
  expect([world.task('a').status, world.task('a').waited, world.change.isReady]).toEqual([
    'wait',
    'done',
    false,
  ]);
});

test('CH-125 the kinds that are known; CH-126 which have an undo', () => {
  const kinds = new KindRegistry({ k1: { do: () => ({ t: 'ok' }) }, k2: ok }, [
    { matches: (kind) => kind === 'odd', handler: ok },
  ]);
  expect(new Set(kinds.known)).toEqual(new Set(['k1', 'k2']));
  expect(['k1', 'k2', 'unknown', 'toString'].map((kind) => kinds.hasUndo(kind))).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect([kinds.of('odd'), kinds.of('unknown')]).toEqual([ok, undefined]);
});

test('CH-137 clean flag of a task', () => {
  const world = new World({ tasks: 'a' });
  world.set('a', 'done');
  expect(world.task('a').clean).toBe(false);
  world.writer.commit({ record: 'cleaned', task: '1' });
  expect(world.task('a').clean).toBe(true);
});

describe('observers', () => {
  test('CH-174 an observer can remove itself', () => {
    const world = new World({ tasks: 'a' });
    const events: string[] = [];
    world.change.observers.observeTasks((_task, from, to) => {
      events.push(`${from}>${to}`);
      return to === 'error';
    });
    for (const status of ['doing', 'error', 'undone'] as const) world.set('a', status);
    expect(events).toEqual(['do>doing', 'doing>error']);
  });

  test('CH-175 observers of the change follow its derived status, until they are removed', () => {
    const world = new World({ tasks: 'a' });
    const events: unknown[] = [];
    const remove = world.change.observers.observeChange((from, to) => void events.push([from, to]));
    world.set('a', 'doing');
    world.set('a', 'doing');
    world.writer.commit({ record: 'status', task: '1', status: 'wait', waited: 'done' });
    remove();
    world.set('a', 'done');
    expect(events).toEqual([
      [undefined, 'doing'],
      ['doing', 'wait'],
    ]);
  });

  test('CH-176 observers of the change see its own status too', () => {
    const world = new World({ tasks: 'a' });
    const events: unknown[] = [];
    world.change.observers.observeChange((from, to) => void events.push([from, to]));
    world.set('a', 'doing');
    for (const status of ['wait', 'error', null] as const) world.writer.commit({ record: 'status', status });
    expect(events).toEqual([
      [undefined, 'doing'],
      ['doing', 'wait'],
      ['wait', 'error'],
      ['error', 'doing'],
    ]);
  });

  test('a machine hands them out; nothing is told while a log is read back', async () => {
    const store = memoryStore();
    const machine = openChange(UP, { store, kinds: { step: ok } });
    const events: string[] = [];
    machine.observeTasks((task, from, to) => void events.push(`${task.id}: ${from}>${to}`));
    const stop = machine.observeChange((_from, to) => void events.push(to));
    machine.tx((t) => t.addTask({ kind: 'step', summary: 'a' }));
    await machine.settled();
    stop();
    expect(events).toEqual(['1: do>doing', 'doing', '1: doing>done', 'done']);
    const again = await loadChange({ store: memoryStore(store.records), kinds: { step: ok } });
    expect(again?.change.status).toBe('done');
  });
});
