import { describeChange } from '../src/describe-change.js';
import type { Change } from '../src/change.js';
import { KindRegistry } from '../src/kind-registry.js';
import type { StepKinds } from '../src/kinds.js';
import { loadChange, openChange } from '../src/machine.js';
import { memoryStore } from '../src/store.js';
import type { Succession } from '../src/successor.js';
import { succeed } from '../src/successor.js';
import type { ChangeTx } from '../src/transaction.js';
import { statusesOf, World } from './world.js';

const UP = { id: '1', kind: 'up', summary: 'up', scope: 's' };
const ok: StepKinds[string] = { do: () => ({ t: 'ok' }), undo: () => ({ t: 'ok' }) };

describe('writing only in transactions', () => {
  /** Everything that a transaction can be asked for. */
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

describe('the tasks of a change in its successor', () => {
  const RESUME: Succession = { how: 'resume' };
  const CASES: readonly [string, Succession, string, string, string][] = [
    [
      'what held and what failed is done again',
      RESUME,
      'p>q q>r',
      'p=done q=error r=hold',
      'p=done q=do r=do',
    ],
    ['what has not started, or waits, stays so', RESUME, 'p>q', 'p=wait q=do r=doing', 'p=wait q=do r=doing'],
    [
      'what waits for something undone cannot be done',
      RESUME,
      'p>q q>r',
      'p=undone q=hold r=hold',
      'p=undone q=hold r=hold',
    ],
    [
      'done tasks are undone with a rollback',
      { how: 'rollback' },
      'p>q q>r',
      'p=done q=error r=hold',
      'p=undo q=error r=hold',
    ],
    [
      'only in the lanes that were named',
      { how: 'rollback', lanes: [2] },
      '',
      'p=done@1 q=done@2 r=done',
      'p=done q=undo r=done',
    ],
  ];

  test.each(CASES)('%s', (_title, succession, edges, statuses, expected) => {
    const lanes: Record<string, number[]> = {};
    const plain = statuses.replace(/(\w)=(\w+)@(\d)/g, (_all, name: string, status: string, lane: string) => {
      lanes[name] = [Number(lane)];
      return `${name}=${status}`;
    });
    const world = new World({ tasks: 'p q r', edges, lanes, initial: statusesOf(plain) });
    const taken = succeed(world.change, succession);
    expect(Object.fromEntries(taken.map(({ task, status }) => [task.kind, status]))).toEqual(
      statusesOf(expected),
    );
  });

  test('what failed on its way back is taken back once more', async () => {
    const world = new World({
      tasks: 'p q',
      edges: 'p>q',
      handlers: { 'q.do': ['fail'], 'p.undo': ['fail'] },
    });
    await world.untilReady();
    expect(world.statuses()).toEqual(statusesOf('p=error q=error'));
    const as = (succession: Succession): unknown =>
      succeed(world.change, succession).map(({ task, status }) => `${task.kind}=${status}`);
    expect(as({ how: 'rollback' })).toEqual(['p=undo', 'q=error']);
    expect(as(RESUME)).toEqual(['p=error', 'q=error']);
  });

  test('not once the clean-up has begun', async () => {
    const world = new World({ tasks: 'p' });
    await world.untilReady();
    await world.pass();
    expect(world.change.clean).toBe(true);
    expect(() => succeed(world.change, RESUME)).toThrow('has begun to clean up');
  });

  test('a successor runs with them: the first change keeps its end', async () => {
    let broken = true;
    const calls: string[] = [];
    const kinds: StepKinds = {
      step: {
        ...ok,
        do: ({ task }) => {
          calls.push(task.summary);
          if (broken && task.summary === 'q') throw new Error('no power');
          return { t: 'ok' };
        },
      },
    };
    // Its clean-up has not begun: nobody runs the pass after its last.
    const first = openChange(UP, { store: memoryStore(), kinds, ensureBefore: () => undefined });
    first.tx((t) => {
      const p = t.addTask({ kind: 'step', summary: 'p' });
      const q = t.addTask({ kind: 'step', summary: 'q', waits: [p] });
      t.addTask({ kind: 'step', summary: 'r', waits: [q] });
    });
    for (let pass = 0; pass < 2; pass += 1) {
      first.ensure();
      await first.quiet();
    }
    expect(first.change.status).toBe('error');
    broken = false;
    const second = openChange({ ...UP, id: '2' }, { store: memoryStore(), kinds });
    second.tx((t) => {
      for (const { task, status } of succeed(first.change as Change, RESUME)) {
        const { kind, summary, lanes, data } = task;
        t.addTask({ kind, summary, lanes, data, status, waits: task.waits.map(({ id }) => id) });
      }
    });
    await second.settled();
    expect([second.change.status, first.change.status, calls.join(' ')]).toEqual([
      'done',
      'error',
      'p q q r',
    ]);
  });
});
