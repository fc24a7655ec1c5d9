import { BARE, FakeClock, memoryStore, openChange } from '@cairn/changes';
import type { ChangeMachine, CallOutcome, StepKinds } from '@cairn/changes';
import { EnsureLoop } from '../src/ensure/ensure-loop.js';
import type { Manager } from '../src/ensure/managers.js';
import { Managers } from '../src/ensure/managers.js';

const MINUTE = 60_000;
const turns = async (count = 20): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

function noting(calls: string[], name: string, fails?: Error): Manager {
  const note = (call: string) => (): void => {
    calls.push(`${name}.${call}`);
    if (fails !== undefined) throw fails;
  };
  return { startUp: note('startUp'), ensure: note('ensure'), shutDown: note('shutDown'), stop: note('stop') };
}

function two(...errors: readonly Error[]): { calls: string[]; managers: Managers } {
  const calls: string[] = [];
  const managers = new Managers();
  managers.add(noting(calls, 'm1', errors[0]));
  managers.add(noting(calls, 'm2', errors[1]));
  return { calls, managers };
}

describe('managers', () => {
  const errors = [new Error('a'), new Error('b')] as const;

  test('CH-201 start-up errors are collected', async () => {
    const { calls, managers } = two(...errors);
    await expect(managers.startUp()).rejects.toMatchObject({
      message: 'state startup errors: [a b]',
      errors,
    });
    expect(calls).toEqual(['m1.startUp', 'm2.startUp']);
    await managers.startUp();
    expect(calls).toHaveLength(2);
  });

  test('CH-202 ensure needs start-up and keeps order', async () => {
    const { calls, managers } = two();
    await expect(managers.ensure()).rejects.toThrow('state engine skipped startup');
    await managers.startUp();
    calls.length = 0;
    await managers.ensure();
    await managers.ensure();
    expect(calls).toEqual(['m1.ensure', 'm2.ensure', 'm1.ensure', 'm2.ensure']);
  });

  test('CH-203 ensure continues past a failing manager', async () => {
    const { calls, managers } = two(...errors);
    await managers.startUp().catch(() => undefined);
    await expect(managers.ensure()).rejects.toMatchObject({ message: 'state ensure errors: [a b]', errors });
    expect(calls.slice(2)).toEqual(['m1.ensure', 'm2.ensure']);
  });

  test('CH-204 shutdown and stop are once-only', async () => {
    const { calls, managers } = two();
    await managers.startUp();
    calls.length = 0;
    for (let time = 0; time < 2; time += 1) await managers.shutDown();
    for (let time = 0; time < 2; time += 1) await managers.stop();
    expect(calls).toEqual(['m1.shutDown', 'm2.shutDown', 'm1.stop', 'm2.stop']);
    await expect(managers.ensure()).rejects.toThrow('state engine already stopped');
  });
});

/** Makes a loop with one manager that counts passes. */
function looping(onPass: (loop: EnsureLoop, pass: number) => void = () => undefined): {
  clock: FakeClock;
  loop: EnsureLoop;
  errors: unknown[];
  readonly passes: number;
} {
  const clock = new FakeClock();
  const managers = new Managers();
  const errors: unknown[] = [];
  let passes = 0;
  const loop = new EnsureLoop(managers, {
    clock,
    intervalMs: 10 * MINUTE,
    onError: (error) => errors.push(error),
  });
  managers.add({
    ensure: () => {
      passes += 1;
      onPass(loop, passes);
    },
  });
  return {
    clock,
    loop,
    errors,
    get passes() {
      return passes;
    },
  };
}

describe('the loop', () => {
  test('a pass at once, then one an interval; an error does not end it', async () => {
    const world = looping((_loop, pass) => {
      if (pass === 1) throw new Error('no');
    });
    await world.loop.start();
    await turns();
    expect(world.passes).toBe(1);
    for (const pass of [2, 3]) {
      world.clock.advance(10 * MINUTE);
      await turns();
      expect(world.passes).toBe(pass);
    }
    expect(world.errors).toHaveLength(1);
    await world.loop.stop();
    world.clock.advance(20 * MINUTE);
    await turns();
    expect(world.passes).toBe(3);
  });

  test.each([
    ['at once, from inside a pass', 0, true],
    ['in 10 ms, from inside a pass', 10, true],
    ['at once, from outside', 0, false],
  ])('CH-206 a request shortens the interval: %s', async (_title, ms, inside) => {
    const world = looping((loop, pass) => {
      if (inside && pass === 1) loop.ensureBefore(ms);
    });
    await world.loop.start();
    await turns();
    if (!inside) world.loop.ensureBefore(ms);
    world.clock.advance(ms);
    await turns();
    expect(world.passes).toBe(2);
    await world.loop.stop();
  });

  test('a later request does not delay an earlier one, and none comes before there is a loop', async () => {
    const world = looping();
    expect(() => world.loop.ensureBefore(0)).toThrow('before the ensure loop');
    await world.loop.start();
    await turns();
    world.loop.ensureBefore(MINUTE);
    world.loop.ensureBefore(9 * MINUTE);
    world.clock.advance(MINUTE);
    await turns();
    expect(world.passes).toBe(2);
    await world.loop.stop();
  });

  test.each([
    ['at once', 0],
    ['in 5 s', 5_000],
  ])('CH-207 a request %s when the timer is overdue, because the machine slept', async (_title, ms) => {
    const world = looping();
    await world.loop.start();
    await turns();
    world.clock.sleep(10 * 60 * MINUTE);
    await turns();
    expect(world.passes).toBe(1);
    world.loop.ensureBefore(ms);
    world.clock.advance(0);
    await turns();
    expect(world.passes).toBe(2);
    await world.loop.stop();
  });

  test('what a manager throws at the start keeps the loop from beginning', async () => {
    const managers = new Managers();
    managers.add(noting([], 'm', new Error('x')));
    await expect(new EnsureLoop(managers, { clock: new FakeClock() }).start()).rejects.toThrow(
      'state startup errors: [x]',
    );
  });
});

/** Makes one change whose passes the loop runs. */
function settling(
  kinds: StepKinds,
  policies = BARE,
): {
  clock: FakeClock;
  loop: EnsureLoop;
  machine: ChangeMachine;
  passes: () => number;
  settle: (ms: number) => Promise<void>;
} {
  const clock = new FakeClock();
  const managers = new Managers();
  let passes = 0;
  managers.add({ ensure: () => void (passes += 1) });
  const loop = new EnsureLoop(managers, {
    clock,
    allClean: () => !machine.change.isReady || machine.change.clean,
  });
  const machine = openChange(
    { id: '1', kind: 'up', summary: 'up' },
    {
      store: memoryStore(),
      clock,
      kinds,
      policies,
      optional: [{ matches: () => true, handler: { do: (c) => catchAll(c.task.kind) } }],
      ensureBefore: (ms) => {
        if (passes > 0) loop.ensureBefore(ms);
      },
    },
  );
  managers.add({
    ensure: () => void machine.ensure(),
    wait: () => machine.quiet(),
    stop: () => machine.stop(),
  });
  /** Lets time pass whenever nothing else happens. */
  const settle = async (ms: number): Promise<void> => {
    let over = false;
    const settled = loop.settle(ms).finally(() => (over = true));
    settled.catch(() => undefined);
    while (!over) {
      await turns(5);
      clock.advance(Math.min(Math.max(clock.nextIn() ?? 1, 1), 5));
    }
    return settled;
  };
  return { clock, loop, machine, passes: () => passes, settle };
}

const catchAll = (kind: string): CallOutcome =>
  kind.startsWith('bad') ? { t: 'error', error: new Error(`no handler for task "${kind}"`) } : { t: 'ok' };

describe('settling', () => {
  test('CH-212 settle runs to quiescence including cleanups', async () => {
    const marks: string[] = [];
    const { machine, settle } = settling({
      x: { do: () => (marks.push('x'), { t: 'ok' }), cleanup: () => void marks.push('x.cleanup') },
      y: { do: () => (marks.push('y'), { t: 'ok' }) },
    });
    machine.tx((t) =>
      t.addTask({ kind: 'y', summary: 'y', waits: [t.addTask({ kind: 'x', summary: 'x' })] }),
    );
    await settle(5_000);
    expect(marks).toEqual(['x', 'y', 'x.cleanup']);
    expect([machine.change.status, machine.change.clean]).toEqual(['done', true]);
  });

  test('CH-213 settle reports non-convergence', async () => {
    const { loop, machine, settle } = settling({
      again: {
        do: () => {
          loop.ensureBefore(20);
          return { t: 'retry' };
        },
      },
    });
    machine.tx((t) => t.addTask({ kind: 'again', summary: 'again' }));
    await expect(settle(250)).rejects.toThrow('Settle is not converging');
  });

  test('CH-214 settle honours an explicit request for a pass', async () => {
    const { loop, machine, passes, settle } = settling({
      once: {
        do: () => {
          loop.ensureBefore(20);
          return { t: 'ok' };
        },
      },
    });
    machine.tx((t) => t.addTask({ kind: 'once', summary: 'once' }));
    await settle(5_000);
    expect([machine.change.status, passes()]).toEqual(['done', 2]);
  });

  test('a cleanup that never succeeds is non-convergence too; what managers threw is told', async () => {
    const { machine, settle } = settling({
      x: {
        do: () => ({ t: 'ok' }),
        cleanup: () => {
          throw new Error('busy');
        },
      },
    });
    machine.tx((t) => t.addTask({ kind: 'x', summary: 'x' }));
    await expect(settle(100)).rejects.toThrow('Settle is not converging');
    const managers = new Managers();
    managers.add(noting([], 'm', new Error('no')));
    const loop = new EnsureLoop(managers, { clock: new FakeClock() });
    await expect(loop.settle(5)).rejects.toThrow('startup errors');
  });

  test('CH-210 unknown task kinds succeed in the bare machine when a catch-all says so', async () => {
    const { machine, settle } = settling({});
    machine.tx((t) => t.addTask({ kind: 'unheard-of', summary: 'u' }));
    await settle(5_000);
    expect(machine.change.status).toBe('done');
  });

  test('CH-123 an optional handler catches unknown kinds; what it throws is the error of the task', async () => {
    const { machine, settle } = settling({});
    machine.tx((t) => t.addTask({ kind: 'bad kind', summary: 'u' }));
    await settle(5_000);
    const [task] = machine.change.tasks.values();
    expect(task?.status).toBe('error');
    expect(task?.log[0]).toMatch(/ ERROR no handler for task "bad kind"$/);
  });

  test('a product has no catch-all: adding a task of an unknown kind is a mistake of ours', () => {
    const { machine } = settling({}, { ...BARE, waitOnUnknownKind: true });
    expect(() => machine.tx((t) => t.addTask({ kind: 'unheard-of', summary: 'u' }))).toThrow('no kind');
  });
});
