import { memoryStore, openChange } from '@cairn/changes';
import { PlannedTask, TaskSet } from '../src/task-set.js';

const task = (kind: string): PlannedTask => new PlannedTask({ kind, summary: kind });
const kinds = (tasks: readonly PlannedTask[]): string => tasks.map((one) => one.task.kind).join(' ');

test('CH-147 wait on a set', () => {
  const [x, y, z] = ['x', 'y', 'z'].map(task) as [PlannedTask, PlannedTask, PlannedTask];
  z.waitAll(new TaskSet(x, y));
  z.waitAll(new TaskSet(x, y));
  expect(kinds(z.waits)).toBe('x y');
  expect([kinds(x.halts), kinds(y.halts)]).toEqual(['z', 'z']);
});

test('CH-148 a set waits on a task', () => {
  const [x, y, z] = ['x', 'y', 'z'].map(task) as [PlannedTask, PlannedTask, PlannedTask];
  new TaskSet(y, z).waitFor(x);
  expect([kinds(y.waits), kinds(z.waits), kinds(x.halts)]).toEqual(['x', 'x', 'y z']);
});

test('CH-149 a set waits on a set', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(task) as [PlannedTask, PlannedTask, PlannedTask, PlannedTask];
  new TaskSet(c, d).waitAll(new TaskSet(a, b));
  expect([c, d].map(({ waits }) => kinds(waits))).toEqual(['a b', 'a b']);
  expect([a, b].map(({ halts }) => kinds(halts))).toEqual(['c d', 'c d']);
});

test('CH-150 sets de-duplicate', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(task) as [PlannedTask, PlannedTask, PlannedTask, PlannedTask];
  const set = new TaskSet(a);
  const other = new TaskSet(c, d);
  set.add(b);
  set.addAll(other);
  set.add(b);
  set.addAll(other);
  expect(set.tasks).toEqual([a, b, c, d]);
  expect(new TaskSet().tasks).toEqual([]);
});

test('CH-153 merging sets with edges', () => {
  const [a, b] = [task('a'), task('b')];
  const one = new TaskSet(a);
  one.markEdge('e', a);
  const two = new TaskSet();
  two.addAllWithEdges(one);
  two.addAllWithEdges(one);
  expect([two.edge('e'), two.tasks]).toEqual([a, [a]]);
  const three = new TaskSet(b);
  three.markEdge('e', b);
  expect(() => two.addAllWithEdges(three)).toThrow('cannot add taskset: duplicated edge "e"');
  expect(two.tasks).toEqual([a]);
});

test('names that are missing, and names that are given again', () => {
  const set = new TaskSet(task('a'));
  expect(() => set.edge('last')).toThrow('missing "last" edge in task set');
  expect(set.maybeEdge('last')).toBeUndefined();
  const [first, second] = [task('x'), task('y')];
  set.markEdge('last', first);
  set.markEdge('last', second);
  expect(set.edge('last')).toBe(second);
});

describe('a set becomes part of a change', () => {
  const machine = (): ReturnType<typeof openChange> =>
    openChange(
      { id: '1', kind: 'up', summary: 'up' },
      { store: memoryStore(), kinds: { k: { do: () => ({ t: 'ok' }) } } },
    );
  const k = (summary: string): PlannedTask => new PlannedTask({ kind: 'k', summary });

  test('whatever the order in which it was planned, with its lanes', async () => {
    const [last, middle, first] = [k('last'), k('middle'), k('first')];
    last.waitFor(middle);
    middle.waitFor(first);
    const set = new TaskSet(last, middle, first);
    set.joinLane(4);
    set.joinLane(4);
    middle.joinLane(5);
    const change = machine();
    const ids = change.tx((t) => set.addTo(t));
    expect([first, middle, last].map((one) => ids.get(one))).toEqual(['1', '2', '3']);
    expect([...change.change.tasks.values()].map(({ lanes }) => lanes)).toEqual([[4], [4, 5], [4]]);
    await change.settled();
    expect(change.change.status).toBe('done');
  });

  test('but not with a cycle, or with an edge out of it', () => {
    const [a, b, c] = [k('a'), k('b'), k('c')];
    a.waitFor(b);
    b.waitFor(a);
    const change = machine();
    expect(() => change.tx((t) => new TaskSet(c, a, b).addTo(t))).toThrow(
      'dependency cycle involving tasks [2:k 3:k]',
    );
    expect(() => change.tx((t) => new TaskSet(a).addTo(t))).toThrow('one that is not in it');
    expect(change.change.tasks.size).toBe(0);
  });
});
