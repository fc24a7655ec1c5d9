import { MockStack } from '@cairn/testkit';
import type { BareProgram } from '@cairn/testkit';

describe('first steps', () => {
  test('LT1-001 an empty program does nothing', async () => {
    const world = new MockStack();
    const { result, allSteps } = await world.up(() => Promise.resolve());
    expect(result.summary.result).toBe('succeeded');
    expect(allSteps).toEqual([]);
  });

  test('create, same, update, delete of one resource', async () => {
    const world = new MockStack();
    const program = (foo: string) => async (p: BareProgram) => {
      await p.register('resA', { foo });
    };
    const first = await world.up(program('bar'));
    expect(first.errors).toEqual([]);
    expect(first.allSteps).toEqual(['create default', 'create resA']);
    expect(world.state).toEqual(['default', 'resA']);
    const second = await world.up(program('bar'));
    expect(second.allSteps).toEqual(['same default', 'same resA']);
    expect(second.store.records.filter((record) => record.record === 'entry')).toEqual([]);
    const third = await world.up(program('baz'));
    expect(third.allSteps).toEqual(['same default', 'update resA']);
    expect(world.entry('resA').inputs).toEqual({ foo: 'baz' });
    const fourth = await world.destroy();
    expect(fourth.allSteps).toEqual(['delete resA', 'delete default']);
    expect(world.state).toEqual([]);
  });
});
