import { World } from './world.js';
import type { Program } from './world.js';

describe('first steps', () => {
  test('LT1-001 an empty program does nothing', async () => {
    const world = new World();
    const { result, steps } = await world.up(() => Promise.resolve());
    expect(result.summary.result).toBe('succeeded');
    expect(steps).toEqual([]);
  });

  test('create, same, update, delete of one resource', async () => {
    const world = new World();
    const program = (foo: string) => async (p: Program) => {
      await p.register('resA', { foo });
    };
    const first = await world.up(program('bar'));
    expect(first.errors).toEqual([]);
    expect(first.steps).toEqual(['create default', 'create resA']);
    expect(world.state).toEqual(['default', 'resA']);
    const second = await world.up(program('bar'));
    expect(second.steps).toEqual(['same default', 'same resA']);
    expect(second.store.records.filter((record) => record.record === 'entry')).toEqual([]);
    const third = await world.up(program('baz'));
    expect(third.steps).toEqual(['same default', 'update resA']);
    expect(world.entry('resA').inputs).toEqual({ foo: 'baz' });
    const fourth = await world.destroy();
    expect(fourth.steps).toEqual(['delete resA', 'delete default']);
    expect(world.state).toEqual([]);
  });
});
