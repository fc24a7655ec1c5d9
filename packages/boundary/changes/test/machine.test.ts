import type { ChangeEvent } from '../src/events.js';
import { FakeClock } from '../src/clock.js';
import { EntryMaker } from '../src/kinds.js';
import type { CallOutcome, StepKinds } from '../src/kinds.js';
import type { ChangeMachine, MachineOptions } from '../src/machine.js';
import { loadChange, openChange } from '../src/machine.js';
import type { OnError } from '../src/policies.js';
import type { ChangeRecord } from '../src/records.js';
import type { ChangeStore } from '../src/store.js';
import type { MemoryStore } from '../src/store.js';
import { memoryStore } from '../src/store.js';
import { aborted } from './world.js';

const UP = { id: '1', kind: 'up', summary: 'up', scope: 'stack' };
const ok = (): CallOutcome => ({ t: 'ok' });

/** Returns kinds that answer as the payload says, and the list of calls in order. */
function world(options: Partial<MachineOptions> = {}): {
  calls: string[];
  kinds: StepKinds;
  options: MachineOptions;
} {
  const calls: string[] = [];
  type Plan =
    | { do?: () => CallOutcome | Promise<CallOutcome>; undo?: () => CallOutcome | Promise<CallOutcome> }
    | undefined;
  const kinds: StepKinds = {
    step: {
      begin: (context, direction) => ({ begin: `${context.task.summary}.${direction}` }),
      do: (context) => {
        calls.push(`${context.task.summary}.do`);
        return (context.payload as Plan)?.do?.() ?? { t: 'ok', entry: { end: context.task.summary } };
      },
      undo: (context) => {
        calls.push(`${context.task.summary}.undo`);
        return (context.payload as Plan)?.undo?.() ?? ok();
      },
    },
    ...options.kinds,
  };
  const { kinds: _kinds, ...rest } = options;
  return { calls, kinds, options: { store: memoryStore(), ...rest, kinds } };
}

const fails = {
  do: (): never => {
    throw new Error('boom');
  },
};

/** Store whose appends become durable only when the test releases them. */
function gatedStore(): ChangeStore & { readonly appended: ChangeRecord[][]; release(): void } {
  const appended: ChangeRecord[][] = [];
  const waiting: (() => void)[] = [];
  return {
    appended,
    append: (records) => {
      appended.push([...records]);
      return new Promise<void>((resolve) => waiting.push(resolve));
    },
    load: () => Promise.resolve(appended.flat()),
    release: () => waiting.splice(0).forEach((resolve) => resolve()),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('what is durable when', () => {
  test('the handler is called after the intent is durable, the promise and dependents come after the outcome is', async () => {
    const store = gatedStore();
    const { calls, options } = world({ store });
    const machine = openChange(UP, options);
    const [a, b] = machine.tx((t) => {
      const first = t.addTask({ kind: 'step', summary: 'a' });
      return [first, t.addTask({ kind: 'step', summary: 'b', waits: [first] })] as const;
    });
    let rested = 0;
    void machine.ended(a).then(() => (rested += 1));
    void machine.ended(b).then(() => (rested += 1));
    await turn();
    expect(store.appended.flat().map((record) => record.record)).toEqual([
      'change',
      'task',
      'task',
      'intent',
    ]);
    expect([calls, rested]).toEqual([[], 0]);
    store.release();
    await turn();
    expect(store.appended.at(-1)?.map((record) => record.record)).toEqual(['outcome', 'intent']);
    expect([calls, rested]).toEqual([['a.do'], 0]);
    store.release();
    await turn();
    expect([calls, rested]).toEqual([['a.do', 'b.do'], 1]);
    store.release();
    await turn();
    expect(rested).toBe(2);
    expect(store.appended).toHaveLength(3);
    machine.kill();
  });

  test('a handler without an effect is called at once, and its intent and outcome are one append', async () => {
    const store = gatedStore();
    const { calls, options } = world({ store });
    const step = { ...options.kinds['step']!, isLocal: () => true };
    const machine = openChange(UP, { ...options, kinds: { step } });
    const a = machine.tx((t) => t.addTask({ kind: 'step', summary: 'a' }));
    let rested = false;
    void machine.ended(a).then(() => (rested = true));
    await turn();
    expect(store.appended.map((records) => records.map(({ record }) => record))).toEqual([
      ['change', 'task', 'intent', 'outcome'],
    ]);
    expect([calls, rested]).toEqual([['a.do'], false]);
    store.release();
    await turn();
    expect(rested).toBe(true);
    machine.kill();
  });

  test('the promise of a task resolves before the handler of a task behind it is called', async () => {
    const { options } = world();
    const machine = openChange(UP, options);
    const order: string[] = [];
    const behind = async (): Promise<CallOutcome> => {
      await Promise.resolve();
      order.push('b runs');
      return ok();
    };
    const first = machine.tx((t) => {
      const a = t.addTask({ kind: 'step', summary: 'a' });
      t.addTask({ kind: 'step', summary: 'b', waits: [a], payload: { do: behind } });
      return a;
    });
    void machine.ended(first).then(() => order.push('a has ended'));
    await machine.settled();
    expect(order).toEqual(['a has ended', 'b runs']);
  });

  test('intent and outcome carry the entries as they were given', async () => {
    const store = memoryStore();
    const machine = openChange(UP, world({ store }).options);
    machine.tx((t) => t.addTask({ kind: 'step', summary: 'a' }));
    await machine.settled();
    const entries = store.records
      .map((record) => ('entry' in record ? record.entry : undefined))
      .filter((entry) => entry !== undefined);
    expect(entries).toEqual([{ begin: 'a.do' }, { end: 'a' }]);
  });

  test('an entry that is to be made is made once, in the order in which outcomes are recorded', async () => {
    const store = memoryStore();
    let made = 0;
    const numbered = new Map<string, () => void>();
    const kinds: StepKinds = {
      numbered: {
        do: ({ task }) =>
          new Promise<CallOutcome>((resolve) =>
            numbered.set(task.summary, () => resolve({ t: 'ok', entry: new EntryMaker(() => (made += 1)) })),
          ),
      },
    };
    const machine = openChange(UP, world({ store, kinds }).options);
    machine.tx((t) => ['a', 'b'].forEach((summary) => t.addTask({ kind: 'numbered', summary })));
    await turn();
    numbered.get('b')?.();
    await turn();
    numbered.get('a')?.();
    await machine.settled();
    const outcomes = store.records.flatMap((record) => (record.record === 'outcome' ? [record] : []));
    expect(outcomes.map(({ task, entry }) => [machine.change.tasks.get(task)?.summary, entry])).toEqual([
      ['b', 1],
      ['a', 2],
    ]);
    expect(made).toBe(2);
  });

  test('handlers may be told after opening: kinds, what blocks, and who hears of it', async () => {
    const { calls, kinds } = world();
    const events: ChangeEvent[] = [];
    const machine = openChange(UP, { store: memoryStore(), kinds: {} });
    let free = false;
    machine.handle({
      kinds,
      blocked: [() => (free ? false : 'key')],
      onEvent: (event) => events.push(event),
    });
    machine.tx((t) => t.addTask({ kind: 'step', summary: 'a' }));
    await turn();
    expect(calls).toEqual([]);
    free = true;
    machine.unblock('key');
    await machine.settled();
    expect(calls).toEqual(['a.do']);
    expect(events).toContainEqual(expect.objectContaining({ t: 'task', to: 'done' }));
  });

  test('after a failed append every promise rejects with its cause, no handler starts and nothing is accepted', async () => {
    const cause = new Error('disk full');
    let appends = 0;
    const store: ChangeStore = {
      append: () => ((appends += 1) === 1 ? Promise.resolve() : Promise.reject(cause)),
      load: () => Promise.resolve([]),
    };
    const { calls, options } = world({ store });
    const machine = openChange(UP, options);
    const [a, b] = machine.tx((t) => {
      const first = t.addTask({ kind: 'step', summary: 'a' });
      return [first, t.addTask({ kind: 'step', summary: 'b', waits: [first] })] as const;
    });
    await expect(machine.ended(a)).rejects.toBe(cause);
    await expect(machine.ended(b)).rejects.toBe(cause);
    await expect(machine.settled()).rejects.toBe(cause);
    expect(calls).toEqual(['a.do']);
    expect(() => machine.tx((t) => t.abort())).toThrow(cause);
  });
});

describe('transactions', () => {
  test('a function that throws leaves nothing behind', async () => {
    const { calls, options } = world();
    const machine = openChange({ ...UP, growing: true }, options);
    expect(() =>
      machine.tx((t) => {
        t.addTask({ kind: 'step', summary: 'a' });
        throw new Error('no');
      }),
    ).toThrow('no');
    await machine.settled();
    expect([machine.change.tasks.size, calls]).toEqual([0, []]);
    expect(machine.tx((t) => t.addTask({ kind: 'step', summary: 'a' }))).toBe('1');
  });

  test.each([
    ['an unknown kind', (m: ChangeMachine) => m.tx((t) => t.addTask({ kind: 'nope', summary: 'a' }))],
    [
      'a wait for nobody',
      (m: ChangeMachine) => m.tx((t) => t.addTask({ kind: 'step', summary: 'a', waits: ['9'] })),
    ],
    ['resolving what does not wait', (m: ChangeMachine) => m.tx((t) => t.resolve('9'))],
    ['a value that cannot be stored', (m: ChangeMachine) => m.tx((t) => t.set('f', () => 0))],
    ['sealing before the end', (m: ChangeMachine) => m.seal()],
  ])('%s is a mistake of ours', async (_title, act) => {
    const machine = openChange({ ...UP, growing: true }, world().options);
    await expect((async () => act(machine))()).rejects.toMatchObject({ name: 'BugError' });
  });

  test('a ready change takes no task and a sealed one takes nothing', async () => {
    const machine = openChange(UP, world().options);
    machine.tx((t) => t.addTask({ kind: 'step', summary: 'a' }));
    await machine.settled();
    expect(() => machine.tx((t) => t.addTask({ kind: 'step', summary: 'b' }))).toThrow('ready');
    await machine.seal();
    expect(() => machine.abort()).toThrow('sealed');
  });

  test('lanes, priorities, parallelism', async () => {
    let most = 0;
    const order: string[] = [];
    const { options } = world({
      parallelism: 2,
      kinds: {
        count: {
          do: async (context) => {
            most = Math.max(most, machine.running.length);
            order.push(context.task.summary);
            await turn();
            return ok();
          },
        },
      },
    });
    const machine = openChange(UP, options);
    machine.tx((t) => {
      expect([t.newLane(), t.newLane()]).toEqual([1, 2]);
      for (const summary of ['late', 'x', 'y'])
        t.addTask({ kind: 'count', summary, lanes: [2], priority: summary === 'late' ? 1 : 0 });
    });
    expect(machine.tx((t) => t.newLane())).toBe(3);
    await machine.settled();
    expect([most, order]).toEqual([2, ['x', 'y', 'late']]);
  });
});

describe('failures', () => {
  const RUNS: readonly [OnError, string, string][] = [
    [
      'rollback',
      'a=undone bad=error after=hold slow=undone later=hold other=done',
      'a.do other.do bad.do slow.do slow.undo a.undo',
    ],
    ['stop', 'a=done bad=error after=hold slow=done later=hold other=done', 'a.do other.do bad.do slow.do'],
    [
      'continue',
      'a=done bad=error after=hold slow=done later=done other=done',
      'a.do other.do bad.do slow.do later.do',
    ],
  ];
  test.each(RUNS)('on error %s', async (onError, statuses, expected) => {
    const { calls, options } = world({ policies: { onError } });
    const machine = openChange(UP, options);
    machine.tx((t) => {
      const a = t.addTask({ kind: 'step', summary: 'a' });
      const bad = t.addTask({ kind: 'step', summary: 'bad', waits: [a], payload: fails });
      t.addTask({ kind: 'step', summary: 'after', waits: [bad] });
      const slow = t.addTask({
        kind: 'step',
        summary: 'slow',
        waits: [a],
        payload: {
          do: async () => {
            await turn();
            return ok();
          },
        },
      });
      t.addTask({ kind: 'step', summary: 'later', waits: [slow] });
      t.addTask({ kind: 'step', summary: 'other', lanes: [1] });
    });
    await machine.settled();
    expect([...machine.change.tasks.values()].map((task) => `${task.summary}=${task.status}`).join(' ')).toBe(
      statuses,
    );
    expect(calls.join(' ')).toBe(expected);
    expect([machine.change.status, machine.change.isReady]).toEqual(['error', true]);
  });

  test('tasks that come after their lane has failed, or wait for what will not be done, hold at once', async () => {
    const { options } = world();
    const machine = openChange({ ...UP, growing: true }, options);
    const bad = machine.tx((t) => t.addTask({ kind: 'step', summary: 'bad', payload: fails, lanes: [1] }));
    await machine.ended(bad);
    const late = machine.tx((t) => [
      t.addTask({ kind: 'step', summary: 'same lane', lanes: [1] }),
      t.addTask({ kind: 'step', summary: 'dependent', lanes: [2], waits: [bad] }),
      t.addTask({ kind: 'step', summary: 'two lanes', lanes: [1, 3] }),
    ]);
    const results = await Promise.all(late.map((id) => machine.ended(id)));
    expect(results.map((result) => result.status)).toEqual(['hold', 'hold', 'done']);
    expect(results[0]?.task.reason).toBe('another task of its lane has failed');
  });

  test('hold lets running tasks finish and starts nothing more', async () => {
    const { calls, options } = world();
    const machine = openChange({ ...UP, growing: true }, options);
    let finish: (outcome: CallOutcome) => void = () => undefined;
    const [a, b] = machine.tx((t) => {
      const first = t.addTask({
        kind: 'step',
        summary: 'a',
        payload: { do: () => new Promise<CallOutcome>((resolve) => (finish = resolve)) },
      });
      return [first, t.addTask({ kind: 'step', summary: 'b', waits: [first] })] as const;
    });
    await turn();
    machine.hold('interrupted');
    const late = machine.tx((t) => t.addTask({ kind: 'step', summary: 'late' }));
    finish({ t: 'ok', value: 3 });
    expect((await machine.ended(a)).outcome).toEqual({ t: 'ok', value: 3 });
    expect((await machine.ended(b)).task.reason).toBe('interrupted');
    expect((await machine.ended(late)).status).toBe('hold');
    await machine.settled();
    expect(calls).toEqual(['a.do']);
  });

  test('a begin that throws fails the task and the handler is not called', async () => {
    const kinds: StepKinds = {
      odd: {
        begin: fails.do,
        do: () => {
          throw new Error('called');
        },
      },
    };
    const machine = openChange(UP, world({ kinds }).options);
    const result = await machine.ended(machine.tx((t) => t.addTask({ kind: 'odd', summary: 'a' })));
    expect([result.status, result.task.reason]).toEqual(['error', 'boom']);
  });

  test('a handler that answers nothing fails as a mistake of ours', async () => {
    const kinds = { odd: { do: () => undefined as unknown as CallOutcome } };
    const machine = openChange(UP, world({ kinds }).options);
    const result = await machine.ended(machine.tx((t) => t.addTask({ kind: 'odd', summary: 'a' })));
    expect(result.outcome).toMatchObject({ t: 'error', error: { name: 'BugError' } });
  });
});

describe('stopping, killing, aborting', () => {
  test('after a grace the signal of an aborted handler fires', async () => {
    const clock = new FakeClock();
    const log: string[] = [];
    const kinds: StepKinds = {
      slow: {
        do: async (context) => {
          await aborted(context.asked);
          log.push(`asked at ${clock.monotonicMs()}`);
          await aborted(context.signal);
          log.push(`cancelled at ${clock.monotonicMs()}`);
          return { t: 'hold', reason: 'cancelled' };
        },
      },
    };
    const machine = openChange(UP, world({ kinds, clock, policies: { abortGraceMs: 60_000 } }).options);
    machine.tx((t) => t.addTask({ kind: 'slow', summary: 'a' }));
    await turn();
    machine.abort();
    await turn();
    clock.advance(59_999);
    await turn();
    expect(log).toEqual(['asked at 0']);
    clock.advance(1);
    await machine.settled();
    expect(log[1]).toBe('cancelled at 60000');
    expect(machine.change.status).toBe('hold');
  });

  test('stop leaves unfinished tasks to the next process, kill names what is in doubt', async () => {
    const store = memoryStore();
    const forever = { do: (): Promise<CallOutcome> => new Promise<CallOutcome>(() => undefined) };
    const kinds: StepKinds = {
      polite: {
        do: async (context) => {
          await aborted(context.signal);
          throw new Error('stopped');
        },
      },
    };
    const machine = openChange(UP, world({ store, kinds }).options);
    machine.tx((t) => t.addTask({ kind: 'polite', summary: 'a' }));
    await turn();
    await machine.stop();
    expect(machine.change.status).toBe('doing');
    const { calls, options } = world({ store: memoryStore(store.records), kinds: { polite: { do: ok } } });
    const next = await loadChange(options);
    await next?.settled();
    expect([next?.change.status, calls]).toEqual(['done', []]);

    const other = openChange(UP, world().options);
    const stuck = other.tx((t) => t.addTask({ kind: 'step', summary: 'stuck', payload: forever }));
    await turn();
    const ended = other.ended(stuck);
    expect(other.kill().map((task) => task.summary)).toEqual(['stuck']);
    await expect(ended).rejects.toMatchObject({ diagnostics: [{ code: 'CAIRN-CANCELLED' }] });
  });
});

describe('in doubt', () => {
  const doubtful = (resolve: () => CallOutcome | 'run-again'): { calls: string[]; kinds: StepKinds } => {
    const calls: string[] = [];
    const kinds: StepKinds = {
      create: {
        do: (context) => {
          calls.push(`do ${context.attempt}`);
          return { t: 'ok' };
        },
        undo: () => {
          calls.push('undo');
          return ok();
        },
        resolve: (_context, direction) => {
          calls.push(`resolve ${direction}`);
          return resolve();
        },
      },
    };
    return { calls, kinds };
  };
  const interrupted: readonly ChangeRecord[] = [
    { seq: 1, tx: 1, at: '2030-01-01T00:00:00Z', record: 'change', ...UP },
    { seq: 2, tx: 2, at: '2030-01-01T00:00:00Z', record: 'task', id: '1', kind: 'create', summary: 'a' },
    {
      seq: 3,
      tx: 3,
      at: '2030-01-01T00:00:00Z',
      record: 'intent',
      task: '1',
      direction: 'do',
      status: 'doing',
      attempt: 1,
    },
  ];

  test.each([
    ['found done', () => ok(), ['resolve do'], 'done'],
    ['found undone: run again', () => 'run-again' as const, ['resolve do', 'do 1'], 'done'],
    [
      'no answer: waits for a person',
      (): CallOutcome => ({ t: 'unknown', reason: 'several found' }),
      ['resolve do'],
      'wait',
    ],
  ])('after a crash, %s', async (_title, resolve, calls, status) => {
    const doubt = doubtful(resolve);
    const machine = await loadChange(world({ store: memoryStore(interrupted), kinds: doubt.kinds }).options);
    await machine?.settled();
    expect([doubt.calls, machine?.change.status]).toEqual([calls, status]);
  });

  test('an abort after the crash resolves first and then undoes', async () => {
    const doubt = doubtful(() => ok());
    const machine = await loadChange(world({ store: memoryStore(interrupted), kinds: doubt.kinds }).options);
    machine?.abort();
    await machine?.settled();
    expect([doubt.calls, machine?.change.status]).toEqual([['resolve do', 'undo'], 'undone']);
  });

  test('an unknown outcome is resolved at once, and a person may answer what stays open', async () => {
    let answer: CallOutcome = { t: 'unknown', reason: 'timeout' };
    const kinds: StepKinds = {
      create: { do: () => ({ t: 'unknown', reason: 'connection lost' }), resolve: () => answer },
    };
    const machine = openChange({ ...UP, growing: true }, world({ kinds }).options);
    const [a, after] = machine.tx((t) => {
      const first = t.addTask({ kind: 'create', summary: 'a', lanes: [1] });
      return [first, t.addTask({ kind: 'step', summary: 'after', waits: [first], lanes: [2] })] as const;
    });
    const result = await machine.ended(a);
    expect([result.status, result.task.reason, result.task.waited]).toEqual(['wait', 'timeout', 'do']);
    expect((await machine.ended(after)).status).toBe('hold');
    answer = ok();
    machine.tx((t) => t.resolve(a));
    await machine.settled();
    expect(machine.change.tasks.get(a)?.status).toBe('done');
  });

  test.each([
    ['it was made: it is undone, then what it stands on', undefined, 'b do, b undo, a undo'],
    ['it was not: what it stands on is undone', 'undone' as const, 'b do, a undo'],
  ])('in a lane that fails it waits, and holds what it stands on; %s', async (_title, to, expected) => {
    const calls: string[] = [];
    const note =
      (what: string, outcome: CallOutcome = ok()) =>
      () => (calls.push(what), outcome);
    const kinds: StepKinds = {
      a: { do: ok, undo: note('a undo') },
      b: { do: note('b do', { t: 'unknown', reason: 'connection lost' }), undo: note('b undo') },
    };
    const { options } = world({ kinds, policies: { onError: 'rollback' } });
    const machine = openChange({ ...UP, growing: true }, options);
    const b = machine.tx((t) => {
      const a = t.addTask({ kind: 'a', summary: 'a' });
      return t.addTask({ kind: 'b', summary: 'b', waits: [a] });
    });
    await machine.ended(b);
    await machine.ended(machine.tx((t) => t.addTask({ kind: 'step', summary: 'c', payload: fails })));
    await machine.settled();
    const task = machine.change.tasks.get(b);
    expect([task?.status, task?.waited, task?.reason]).toEqual(['wait', 'undo', 'connection lost']);
    expect([machine.change.status, calls]).toEqual(['wait', ['b do']]);
    const again = await loadChange({
      ...options,
      store: memoryStore((options.store as MemoryStore).records),
    });
    expect(again?.change.tasks.get(b)).toMatchObject({ status: 'wait', waited: 'undo' });
    machine.tx((t) => t.resolve(b, to));
    await machine.settled();
    expect(calls.join(', ')).toBe(expected);
    expect(machine.change.status).toBe('error');
  });

  test('what a person has said is not asked for: an answer about the do is none about the undo', async () => {
    const doubt = doubtful(() => ({ t: 'unknown', reason: 'several found' }));
    const machine = await loadChange(world({ store: memoryStore(interrupted), kinds: doubt.kinds }).options);
    machine?.abort();
    await machine?.settled();
    machine?.tx((t) => t.resolve('1'));
    await machine?.settled();
    expect([doubt.calls, machine?.change.status]).toEqual([['resolve do', 'undo'], 'undone']);
  });

  test('a task that never gives a result waits after the last attempt', async () => {
    const crashes = [1, 2, 3, 4, 5].map((attempt): ChangeRecord => ({
      ...(interrupted[2] as ChangeRecord & { record: 'intent' }),
      seq: attempt + 2,
      tx: attempt + 2,
      attempt,
    }));
    const events: ChangeEvent[] = [];
    const kinds: StepKinds = { create: { do: ok } };
    const store = memoryStore([...interrupted.slice(0, 2), ...crashes]);
    const machine = await loadChange(world({ store, kinds, onEvent: (event) => events.push(event) }).options);
    await machine?.settled();
    expect(machine?.change.status).toBe('wait');
    expect(events.find((event) => event.t === 'warning')).toMatchObject({
      text: 'started 5 times without a result',
    });
    machine?.tx((t) => t.resolve('1'));
    await machine?.settled();
    expect(machine?.change.status).toBe('done');
  });

  test('a task of a kind that this version does not know waits, and does not succeed', async () => {
    const machine = await loadChange(world({ store: memoryStore(interrupted) }).options);
    await machine?.settled();
    expect([machine?.change.status, machine?.change.tasks.get('1')?.reason]).toEqual([
      'wait',
      'there is no handler for tasks of kind "create"',
    ]);
  });

  test('the token is the same for every attempt and changes after a definite failure', async () => {
    const tokens: string[] = [];
    const kinds: StepKinds = {
      create: {
        do: (context) => {
          tokens.push(context.token);
          return tokens.length === 1 ? { t: 'retry', afterMs: 0 } : ok();
        },
      },
    };
    const machine = openChange(UP, world({ kinds }).options);
    machine.tx((t) => t.addTask({ kind: 'create', summary: 'a' }));
    await machine.settled();
    expect(tokens[0]).toMatch(/^[a-z2-7]{52}$/);
    expect(tokens[1]).toBe(tokens[0]);
    const failed: ChangeRecord = {
      seq: 4,
      tx: 4,
      at: '2030-01-01T00:00:00Z',
      record: 'outcome',
      task: '1',
      direction: 'do',
      result: 'error',
      status: 'doing',
      ms: 0,
    };
    const again = await loadChange(world({ store: memoryStore([...interrupted, failed]), kinds }).options);
    await again?.settled();
    expect(tokens[2]).not.toBe(tokens[0]);
  });
});

describe('cleanup', () => {
  test('CH-212 settled includes cleanups; a failing one comes again after 1 s, 2 s and is then reported', async () => {
    const clock = new FakeClock();
    const at: number[] = [];
    const events: ChangeEvent[] = [];
    const kinds: StepKinds = {
      tidy: {
        do: ok,
        cleanup: () => {
          at.push(clock.monotonicMs());
          throw new Error('busy');
        },
      },
    };
    const machine = openChange(UP, world({ kinds, clock, onEvent: (event) => events.push(event) }).options);
    machine.tx((t) =>
      t.addTask({ kind: 'step', summary: 'y', waits: [t.addTask({ kind: 'tidy', summary: 'x' })] }),
    );
    const settled = machine.settled();
    for (let second = 0; second < 3; second += 1) {
      for (let turns = 0; turns < 5; turns += 1) await turn();
      clock.advance(1000);
    }
    for (let turns = 0; turns < 5; turns += 1) await turn();
    await settled;
    expect(at).toEqual([0, 1000, 3000]);
    expect([machine.change.isReady, machine.change.clean]).toEqual([true, false]);
    expect(events.find((event) => event.t === 'warning')).toMatchObject({
      text: 'cleaning up after "x" keeps failing: busy',
    });
  });
});

test('CH-175 events follow the derived status of the change', async () => {
  const events: string[] = [];
  const machine = openChange(
    UP,
    world({ onEvent: (event) => event.t === 'change' && events.push(`${event.from}>${event.to}`) }).options,
  );
  const wait = { do: (): CallOutcome => ({ t: 'wait', then: 'done', reason: 'approval' }) };
  const a = machine.tx((t) => t.addTask({ kind: 'step', summary: 'a', payload: wait }));
  await machine.settled();
  machine.tx((t) => t.resolve(a));
  await machine.settled();
  expect(events).toEqual(['hold>doing', 'doing>wait', 'wait>done']);
});

test('what handlers say is stored only when it can be read back', async () => {
  const store = memoryStore();
  const kinds: StepKinds = {
    odd: {
      do: (context) => {
        for (const progress of [{ total: Infinity }, { total: NaN }, { done: -1 }, { total: 0 }, { done: 9 }])
          context.progress({ label: 'x', done: 1, total: 2, ...progress });
        expect(context.task.progress.label).toBe('');
        context.progress({ label: undefined as unknown as string, done: 1, total: 2 });
        return ok();
      },
    },
    noting: {
      do: async (context) => {
        await context.note(undefined as unknown as string);
        return ok();
      },
    },
  };
  const machine = openChange(UP, world({ store, kinds }).options);
  machine.tx((t) => {
    t.addTask({ kind: 'odd', summary: 'a' });
    t.addTask({ kind: 'noting', summary: 'b', lanes: [1] });
  });
  await machine.settled();
  expect([...machine.change.tasks.values()].map(({ status }) => status)).toEqual(['done', 'error']);
  const again = await loadChange(world({ store: memoryStore(store.records), kinds }).options);
  expect(again?.change.tasks.get('1')?.progress).toEqual({ label: '', done: 1, total: 2 });
});

test('CH-168 the time before which a task must not start is read back; what holds is not waited for', async () => {
  const store = memoryStore();
  const clock = new FakeClock();
  const { calls, options } = world({ store, clock });
  const machine = openChange({ ...UP, growing: true }, options);
  const start = new Date(clock.now().getTime() + 3_600_000);
  machine.tx((t) => {
    const x = t.addTask({ kind: 'step', summary: 'x' });
    t.addTask({ kind: 'step', summary: 'y', waits: [x], notBefore: start });
    t.addTask({ kind: 'step', summary: 'z', notBefore: start });
  });
  await machine.ended('1');
  await machine.flush();
  const loaded = (await loadChange({ ...options, store: memoryStore(store.records) }))?.change;
  const times = (of = loaded) => [...(of?.tasks.values() ?? [])].map(({ notBefore }) => notBefore);
  expect(times()).toEqual([undefined, start.getTime(), start.getTime()]);
  expect(machine.idle).toBe(false);
  machine.hold('the operation is ending');
  await machine.settled();
  expect([machine.change.status, calls]).toEqual(['done', ['x.do']]);
  expect([...machine.change.tasks.values()].map(({ status }) => status)).toEqual(['done', 'hold', 'hold']);
});

test('CH-161, CH-168, CH-170, CH-171 what was recorded is what is read back', async () => {
  const store = memoryStore();
  const kinds: StepKinds = {
    note: {
      do: async (context) => {
        context.log('hello');
        context.progress({ label: 'bytes', done: 5, total: 10 });
        await context.note('i-123');
        return ok();
      },
    },
  };
  const machine = openChange({ ...UP, data: { stack: 'dev' } }, world({ store, kinds }).options);
  machine.tx((t) => {
    const x = t.addTask({ kind: 'note', summary: 'x', lanes: [42, 43], data: { a: 1 } });
    t.addTask({ kind: 'step', summary: 'y', waits: [x], notBefore: new Date(Date.now() - 1000) });
    t.claim([{ key: 'urn', mode: 'exclusive' }]);
    t.set('b', 2, x);
    t.entry({ outputs: true });
  });
  await machine.settled();
  await machine.flush();
  const again = await loadChange(world({ store: memoryStore(store.records), kinds }).options);
  const [x, y] = [...(again?.change.tasks.values() ?? [])];
  expect(x).toMatchObject({
    status: 'done',
    lanes: [42, 43],
    data: { a: 1, b: 2 },
    progressId: 'i-123',
    clean: true,
  });
  expect([x?.progress.done, x?.progress.total, x?.log.length]).toEqual([5, 10, 1]);
  expect([x?.halts[0], y?.waits[0]]).toEqual([y, x]);
  expect(again?.change).toMatchObject({ status: 'done', isReady: true, clean: true, data: { stack: 'dev' } });
  expect(again?.change.claims).toEqual([{ key: 'urn', mode: 'exclusive' }]);
});
