import { DueTimes } from './due-times.js';

test('names are due from their time on, earliest first, until they have another plan', () => {
  const times = new DueTimes();
  for (const [name, at] of [
    ['c', 30],
    ['a', 10],
    ['b', 20],
    ['never', Infinity],
  ] as const)
    times.plan(name, at);
  expect([times.next, times.due(9), times.due(10), times.due(25), times.due(25, 1)]).toEqual([
    10,
    [],
    ['a'],
    ['a', 'b'],
    ['a'],
  ]);
  times.plan('a', 40);
  expect([times.next, times.due(25)]).toEqual([20, ['b']]);
  times.plan('b', Infinity);
  times.forget('c');
  expect([times.next, times.due(39), times.due(41)]).toEqual([40, [], ['a']]);
});

test('of names with one time, those that were planned first come first', () => {
  const times = new DueTimes();
  for (const name of ['b', 'a', 'c']) times.plan(name, -Infinity);
  for (const name of ['a', 'b', 'c']) times.plan(name, 5);
  expect(times.due(5)).toEqual(['b', 'a', 'c']);
});

test('after the clock was set back, every name is due', () => {
  const times = new DueTimes();
  times.plan('soon', 110);
  times.plan('never', Infinity);
  expect(times.due(100)).toEqual([]);
  expect([...times.due(99)].sort()).toEqual(['never', 'soon']);
  for (const name of ['soon', 'never']) times.plan(name, 120);
  expect([times.due(99), times.due(100), times.due(120)]).toEqual([[], [], ['soon', 'never']]);
});

test('any order of plans is that of a plain list of times', () => {
  let state = 7;
  const below = (count: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * count);
  };
  const times = new DueTimes();
  const plain = new Map<string, number>();
  let now = 0;
  for (let step = 0; step < 20_000; step += 1) {
    const name = `n${below(40)}`;
    if (below(10) === 0) {
      times.forget(name);
      plain.delete(name);
    } else {
      const at = now + below(50);
      times.plan(name, at);
      plain.set(name, at);
    }
    now += below(3);
    const due = [...plain].filter(([, at]) => at <= now).map(([each]) => each);
    expect([...times.due(now)].sort()).toEqual(due.sort());
    expect(times.next).toBe(Math.min(...plain.values()));
  }
});
