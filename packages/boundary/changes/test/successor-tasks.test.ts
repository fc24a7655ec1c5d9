import type { CallOutcome, StepKinds } from '../src/kinds.js';
import { loadChange, openChange } from '../src/machine.js';
import type { Status } from '../src/status.js';
import { memoryStore } from '../src/store.js';

const ROLLBACK = { id: '2', kind: 'rollback', summary: 'roll back', scope: 'stack', growing: true };

/** Returns kinds that note their calls. */
function world(): { calls: string[]; kinds: StepKinds } {
  const calls: string[] = [];
  const note = (what: string) => (context: { task: { summary: string }; payload: unknown }) => {
    calls.push(`${context.task.summary}.${what}`);
    if (context.payload === `${what} fails`) throw new Error('boom');
    return { t: 'ok' } as CallOutcome;
  };
  const step = { do: note('do'), undo: note('undo') };
  return {
    calls,
    kinds: {
      step,
      asks: { ...step, resolve: note('resolve') },
    },
  };
}

test('tasks added done and aborted in the same transaction are undone in reverse', async () => {
  const { calls, kinds } = world();
  const machine = openChange(ROLLBACK, { store: memoryStore(), kinds });
  machine.tx((t) => {
    const net = t.addTask({ kind: 'step', summary: 'net', status: 'done' });
    const host = t.addTask({ kind: 'step', summary: 'host', waits: [net], status: 'done' });
    t.addTask({ kind: 'step', summary: 'never', waits: [host], status: 'hold' });
    t.abort();
    t.complete();
  });
  await machine.settled();
  expect(calls).toEqual(['host.undo', 'net.undo']);
  expect([machine.change.status, machine.change.isReady]).toEqual(['undone', true]);
});

test('a task added done lets a later one start, and stays when only another lane is aborted', async () => {
  const { calls, kinds } = world();
  const machine = openChange(ROLLBACK, { store: memoryStore(), kinds });
  const [kept, gone] = machine.tx((t) => [
    t.addTask({ kind: 'step', summary: 'kept', status: 'done', lanes: [1] }),
    t.addTask({ kind: 'step', summary: 'gone', status: 'done', lanes: [2] }),
  ]);
  machine.tx((t) => t.addTask({ kind: 'step', summary: 'next', waits: [kept as string], lanes: [1] }));
  machine.abort([2]);
  machine.complete();
  await machine.settled();
  expect(calls).toEqual(['gone.undo', 'next.do']);
  expect(machine.change.tasks.get(gone as string)?.status).toBe('undone');
});

test.each<[Status, string]>([
  ['do', 'do'],
  ['doing', 'resolve'],
  ['undo', 'undo'],
  ['undoing', 'resolve'],
])('a task added in %s: %s is called', async (status, called) => {
  const { calls, kinds } = world();
  const store = memoryStore();
  const machine = openChange(ROLLBACK, { store, kinds });
  machine.tx((t) => {
    t.addTask({ kind: 'asks', summary: 'a', status });
    t.complete();
  });
  await machine.settled();
  expect(calls).toEqual([`a.${called}`]);
  expect(machine.change.isReady).toBe(true);
});

test('a task added in wait stays until it is resolved, also in the next process', async () => {
  const { calls, kinds } = world();
  const store = memoryStore();
  const machine = openChange(ROLLBACK, { store, kinds });
  machine.tx((t) => {
    t.addTask({ kind: 'step', summary: 'a', status: 'wait', waited: 'do' });
    t.complete();
  });
  await machine.settled();
  const again = await loadChange({ store, kinds });
  again?.tx((t) => t.resolve('1'));
  await again?.settled();
  expect(calls).toEqual(['a.do']);
});

test('a change is not made ready by tasks that are ready already, but by its completion', async () => {
  const { kinds } = world();
  const machine = openChange(ROLLBACK, { store: memoryStore(), kinds });
  machine.tx((t) => t.addTask({ kind: 'step', summary: 'a', status: 'done' }));
  await machine.settled();
  expect(machine.change.isReady).toBe(false);
  machine.complete();
  await machine.settled();
  expect([machine.change.isReady, machine.change.clean]).toEqual([true, true]);
});
