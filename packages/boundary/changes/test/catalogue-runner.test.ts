import { Change } from '../src/change.js';
import { changeError } from '../src/change-error.js';
import { settle } from '../src/settle.js';
import { isStatus, STATUSES, transition } from '../src/status.js';
import { aborted, statusesOf, World } from './world.js';

const MINUTE = 60_000;

test('CH-093 every status has a printable name', () => {
  const names = ['hold', 'do', 'doing', 'done', 'abort', 'undo', 'undoing', 'undone', 'error', 'wait'];
  expect([...STATUSES].sort()).toEqual([...names].sort());
  expect(names.every(isStatus)).toBe(true);
  expect(isStatus('default')).toBe(false);
});

test('CH-134 done requested while aborting is ignored', () => {
  expect(transition('abort', 'finish')).toBe('abort');
});

test('CH-135 wait requested while aborting is ignored', () => {
  expect(transition('abort', 'park')).toBe('abort');
});

test('CH-090 explicit status overrides derivation, CH-098 and fires the ready signal', () => {
  const world = new World({ tasks: '' });
  expect([world.change.status, world.change.isReady]).toEqual(['hold', false]);
  const busy = new World({ tasks: 'a', initial: { a: 'doing' } });
  expect(busy.change.status).toBe('doing');
  busy.writer.commit({ record: 'status', status: 'error' });
  expect([busy.change.status, busy.task('a').status, busy.change.isReady]).toEqual(['error', 'doing', true]);
});

test('CH-094 change data get, set, has; null deletes', () => {
  const world = new World({ tasks: '' });
  expect('a' in world.change.data).toBe(false);
  world.writer.commit({ record: 'data', key: 'a', value: 1 });
  expect(world.change.data).toEqual({ a: 1 });
  world.writer.commit({ record: 'data', key: 'a', value: null });
  expect('a' in world.change.data).toBe(false);
});

test('CH-099 the ready signal fires when the last task becomes ready', () => {
  const world = new World({ tasks: 'a b' });
  world.set('a', 'done');
  expect(world.change.isReady).toBe(false);
  world.set('b', 'done');
  expect(world.change.isReady).toBe(true);
});

test('CH-100 clean flag aggregation', () => {
  const world = new World({ tasks: 'a b' });
  world.set('a', 'done');
  const clean = (name: string): void => {
    world.writer.commit({ record: 'cleaned', task: world.task(name).id });
  };
  expect(() => clean('a')).toThrow('not ready');
  world.set('b', 'done');
  clean('a');
  clean('a');
  expect(world.change.clean).toBe(false);
  clean('b');
  expect(world.change.clean).toBe(true);
});

test('CH-101 change error text', () => {
  const world = new World({ tasks: 'Download Activate' });
  world.set('Download', 'error');
  expect(changeError(world.change)).toBeUndefined();
  world.set('Activate', 'error');
  expect(changeError(world.change)).toContain('no task errors logged');
  const log = (name: string, text: string): void => {
    const lines = [`2030-01-01T00:00:00Z ERROR ${text}`];
    world.writer.commit({ record: 'log', task: world.task(name).id, lines });
  };
  log('Download', 'no disk');
  expect(changeError(world.change)).toBe('cannot perform the following tasks:\n- Download (no disk)');
  log('Activate', 'no power');
  const info = ['2030-01-01T00:00:00Z INFO its log says: 12:00 ERROR again'];
  world.writer.commit({ record: 'log', task: world.task('Activate').id, lines: info });
  expect(changeError(world.change)).toBe(
    'cannot perform the following tasks:\n- Download (no disk)\n- Activate (no power)',
  );
});

test('CH-109 abort cascades across lanes through a late failing leaf', async () => {
  const both = [1, 2];
  const world = new World({
    tasks: 't11 t12 t21 t22 t13 t14 t23 t24 t15 t25',
    edges: 't11>t12 t21>t22 t12>t13 t22>t13 t13>t14 t14>t23 t23>t24 t24>t15 t14>t15 t24>t25',
    lanes: {
      t11: [1],
      t12: [1],
      t21: [2],
      t22: [2],
      t13: both,
      t14: both,
      t23: both,
      t24: both,
      t15: [1],
      t25: [2],
    },
    handlers: { 't15.do': ['fail'] },
  });
  await world.untilReady();
  const { events } = world;
  expect(new Set(events.slice(0, 4))).toEqual(new Set(['t11.do', 't12.do', 't21.do', 't22.do']));
  expect(events.indexOf('t11.do')).toBeLessThan(events.indexOf('t12.do'));
  expect(events.indexOf('t21.do')).toBeLessThan(events.indexOf('t22.do'));
  expect(events.slice(4, 8)).toEqual(['t13.do', 't14.do', 't23.do', 't24.do']);
  expect(new Set(events.slice(8, 11))).toEqual(new Set(['t15.do', 't15.do!fail', 't25.do']));
  expect(events.slice(11, 16)).toEqual(['t25.undo', 't24.undo', 't23.undo', 't14.undo', 't13.undo']);
  expect(new Set(events.slice(16))).toEqual(new Set(['t22.undo', 't21.undo', 't12.undo', 't11.undo']));
  expect(events.indexOf('t22.undo')).toBeLessThan(events.indexOf('t21.undo'));
  expect(events.indexOf('t12.undo')).toBeLessThan(events.indexOf('t11.undo'));
  const { t15, ...others } = world.statuses();
  expect(t15).toBe('error');
  expect(new Set(Object.values(others))).toEqual(new Set(['undone']));
  expect(world.change.status).toBe('error');
});

test('CH-111 external abort kills a blocked handler', async () => {
  const world = new World({ tasks: 'a', noUndo: ['a'], handlers: { 'a.do': ['block'] } });
  world.runner.ensure();
  await world.turns();
  expect(world.events).toEqual(['a.do', 'a.do!block']);
  world.runner.plans.abort();
  await world.turns();
  expect(world.events).not.toContain('a.do!wake');
  await world.pass();
  expect(world.events).toContain('a.do!wake');
  expect(world.task('a').status).toBe('undo');
  await world.pass();
  expect(world.task('a').status).toBe('done');
  expect(world.change.isReady).toBe(true);
});

test('CH-113 stop: the handler finishes anyway', async () => {
  const world = new World({ tasks: 'a', noUndo: ['a'] });
  world.kinds.set('a', {
    do: async (context) => {
      await aborted(context.signal);
      world.clock.advance(5);
      return { t: 'ok' };
    },
  });
  world.runner.ensure();
  await world.turns();
  world.runner.stop();
  await world.handlers();
  expect([world.task('a').status, world.task('a').doingMs, world.task('a').undoingMs]).toEqual([
    'done',
    5,
    0,
  ]);
});

test('CH-114 stopKinds only touches listed kinds', async () => {
  const world = new World({ tasks: 'k1 k2', handlers: { 'k1.do': ['block'], 'k2.do': ['block'] } });
  world.runner.ensure();
  await world.turns();
  world.runner.stopKinds(new Set(['k1']));
  await world.turns();
  expect(world.statuses()).toEqual(statusesOf('k1=done k2=doing'));
  world.runner.stop();
  await world.handlers();
  expect(world.statuses()).toEqual(statusesOf('k1=done k2=done'));
});

test('CH-115 errors during stop are treated as retry', async () => {
  const world = new World({ tasks: 'a', handlers: { 'a.do': ['block', 'fail'] } });
  world.runner.ensure();
  await world.turns();
  world.runner.stop();
  await world.handlers();
  expect(world.task('a').status).toBe('doing');
  expect(world.failures).toEqual([]);
});

test('CH-117 handler returns wait with an explicit later status', async () => {
  const world = new World({ tasks: 'a', handlers: { 'a.do': ['wait:undone'] } });
  await world.pass();
  await world.pass();
  expect([world.task('a').status, world.task('a').waited, world.change.isReady]).toEqual([
    'wait',
    'undone',
    false,
  ]);
  expect(world.events).toEqual(['a.do', 'a.do!wait']);
});

test('CH-119 retry with delay schedules and clears the time', async () => {
  const world = new World({ tasks: 'a' });
  let calls = 0;
  world.kinds.set('a', {
    do: () => {
      calls += 1;
      return calls === 1 ? { t: 'retry', afterMs: MINUTE } : { t: 'ok' };
    },
  });
  const start = world.clock.now().getTime();
  await world.pass();
  expect([world.task('a').status, world.task('a').notBefore]).toEqual(['doing', start + MINUTE]);
  expect(world.requests).toContain(MINUTE);
  world.clock.advance(5_000);
  await world.pass();
  expect(calls).toBe(1);
  expect(world.requests).toEqual([55_000]);
  expect(world.task('a').notBefore).toBe(start + MINUTE);
  world.clock.advance(55_000);
  await world.pass();
  expect([calls, world.task('a').status, world.task('a').notBefore]).toEqual([2, 'done', undefined]);
  expect(world.requests).toEqual([]);
});

test('CH-121 serialisation through blocked predicates', async () => {
  let started = false;
  const world = new World({ tasks: 'd1 d2', handlers: { 'd1.do': ['block'] } }, [
    (candidate, running) => candidate.kind === 'd2' && running.size > 0,
    (candidate) => {
      if (candidate.kind === 'd1') started = true;
      return candidate.kind === 'd2' && !started;
    },
  ]);
  world.runner.ensure();
  await world.turns();
  expect(world.events).toEqual(['d1.do', 'd1.do!block']);
  world.requests.length = 0;
  world.runner.ensure();
  await world.turns();
  expect(world.events).toEqual(['d1.do', 'd1.do!block']);
  expect(world.requests).toEqual([]);
  world.runner.stopKinds(new Set(['d1']));
  await world.handlers();
  expect(world.requests).toContain(0);
  await world.pass();
  expect(world.events.at(-1)).toBe('d2.do');
  expect(world.requests).toEqual([]);
});

test('CH-122 change is not ready while an undo is blocked', async () => {
  const world = new World({ tasks: 'u f', handlers: { 'u.undo': ['block'], 'f.do': ['fail'] } });
  await world.pass();
  world.runner.ensure();
  await world.turns();
  expect(world.events.at(-1)).toBe('u.undo!block');
  expect([world.change.isReady, world.change.status, changeError(world.change)]).toEqual([
    false,
    'undoing',
    undefined,
  ]);
});

test('CH-127 cleanup is retried until it succeeds, then never repeated', async () => {
  const world = new World({ tasks: 'c o' });
  let calls = 0;
  world.kinds.set('c', {
    do: () => ({ t: 'ok' }),
    cleanup: () => {
      calls += 1;
      if (calls === 1) throw new Error('not yet');
    },
  });
  await world.untilReady();
  expect([world.change.isReady, world.change.clean, calls]).toEqual([true, false, 0]);
  const seen: unknown[] = [];
  for (let pass = 0; pass < 3; pass += 1) {
    await world.pass();
    seen.push([calls, world.change.clean]);
  }
  expect(seen).toEqual([
    [1, false],
    [2, true],
    [2, true],
  ]);
});

test('CH-128 error callback and log on failure; CH-129 neither on success', async () => {
  const world = new World({
    tasks: 'bad good',
    lanes: { bad: [1], good: [2] },
    handlers: { 'bad.do': ['fail'] },
  });
  await world.untilReady();
  expect(world.failures.map(({ task, error }) => [task, String(error)])).toEqual([
    ['bad', 'Error: bad.do failed'],
  ]);
  expect(world.task('bad').log.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT.*Z ERROR bad\.do failed$/);
  expect(world.task('good').log).toEqual([]);
});

test('CH-130 task basics and times', () => {
  const world = new World({ tasks: 'a' });
  const task = world.task('a');
  expect([task.kind, task.summary, task.spawned, task.ended]).toEqual([
    'a',
    'a',
    world.clock.now().toISOString(),
    undefined,
  ]);
  world.clock.advance(1000);
  world.set('a', 'done');
  expect(task.ended).toBe(world.clock.now().toISOString());
});

test('CH-136 a wait can be given another target', () => {
  const world = new World({ tasks: 'a' });
  const wait = (waited: 'done' | 'undo'): void => {
    world.writer.commit({ record: 'status', task: '1', status: 'wait', waited });
  };
  wait('done');
  wait('undo');
  expect([world.task('a').status, world.task('a').waited]).toEqual(['wait', 'undo']);
});

test('CH-139 progress defaults per status', () => {
  const world = new World({ tasks: 'a b c', initial: { b: 'done', c: 'error' } });
  const of = (name: string): number[] => [world.task(name).progress.done, world.task(name).progress.total];
  expect([of('a'), of('b'), of('c')]).toEqual([
    [0, 1],
    [1, 1],
    [1, 1],
  ]);
  world.task('a').setProgress({ label: 'x', done: 3, total: 2 });
  expect(of('a')).toEqual([0, 1]);
});

test.each([
  ['CH-141 in the future', 10_000, 10_000],
  ['CH-142 in the past', -10_000, 0],
])('schedule %s', (_title, delta, request) => {
  const world = new World({ tasks: 'a' });
  world.requests.length = 0;
  const time = new Date(world.clock.now().getTime() + delta);
  world.runner.schedule(world.task('a'), time);
  expect(world.task('a').notBefore).toBe(time.getTime());
  expect(world.requests).toContain(request);
});

test('CH-253 blocked predicate as a concurrency limit of one', async () => {
  let most = 0;
  const world = new World({ tasks: 'a b c' }, [(_candidate, running) => running.size > 0]);
  for (let pass = 0; pass < 3; pass += 1) {
    world.runner.ensure();
    most = Math.max(most, world.runner.running.size);
    await world.handlers();
  }
  expect(most).toBe(1);
  expect(world.events).toEqual(['a.do', 'b.do', 'c.do']);
  expect(world.change.status).toBe('done');
});

test.each([
  ['CH-254 postpones the undo in the bare machine', false, ['a.undo after 60 s']],
  ['undoes at once when an abort forgets times', true, ['a.undo after 5 s']],
])('delayed retry followed by abort: %s', async (_title, clearScheduleOnAbort, expected) => {
  const world = new World({ tasks: 'a' }, [], { clearScheduleOnAbort });
  const events: string[] = [];
  const start = world.clock.now().getTime();
  world.kinds.set('a', {
    do: () => ({ t: 'retry', afterMs: MINUTE }),
    undo: () => {
      events.push(`a.undo after ${(world.clock.now().getTime() - start) / 1000} s`);
      return { t: 'ok' };
    },
  });
  await world.pass();
  world.clock.advance(5_000);
  world.runner.plans.abort();
  await world.pass();
  world.clock.advance(55_000);
  await world.pass();
  expect(events).toEqual(expected);
  expect(world.task('a').status).toBe('undone');
});

test('CH-255 a task added done and then reset does not make the change ready (deviation: the scan counts the new status)', () => {
  const world = new World({ tasks: 'a', initial: { a: 'done' } });
  world.set('a', 'undo');
  expect(world.change.isReady).toBe(false);
});

test('CH-256 a ready change that gets an unready task is a programming error', () => {
  const world = new World({ tasks: 'a b' });
  world.set('a', 'done');
  world.set('b', 'done');
  expect(() => world.set('a', 'doing')).toThrow('change 7 unexpectedly became unready (doing)');
});

test('CH-145 error log prefix; at most 50 lines, the newest win', () => {
  const world = new World({ tasks: 'a' });
  for (let line = 0; line < 60; line += 1) world.runner.requests.log(world.task('a'), `line ${line}`);
  expect(world.task('a').log).toHaveLength(50);
  expect(world.task('a').log[0]).toMatch(/Z INFO line 10$/);
});

test('what an outcome means while the machine stops', () => {
  const around = { hasUndo: true, stopping: true };
  expect(settle('doing', { t: 'error', error: new Error('x') }, around)).toMatchObject({
    result: 'retry',
    status: 'doing',
  });
  expect(settle('doing', { t: 'unknown', reason: 'x' }, around)).toBeUndefined();
  expect(settle('abort', { t: 'error', error: 'x' }, around)).toMatchObject({
    result: 'retry',
    status: 'undo',
  });
});

test('a change that is read back empty is ready, a new one is not', () => {
  const at = '2030-01-01T00:00:00.000Z';
  const opened = { record: 'change', id: '1', kind: 'up', summary: 'x', scope: '' } as const;
  const read = new Change(opened, at);
  read.loaded(at);
  expect([new Change(opened, at).live().isReady, read.isReady]).toEqual([false, true]);
});
