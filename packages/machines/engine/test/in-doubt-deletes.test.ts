import { makeUrn, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import { CUT_SCENARIOS, goOn, startLine, stoppedAt } from '@cairn/testkit/cut';
import type { Line, WentOn } from '@cairn/testkit/cut';
import { stackBefore } from '@cairn/testkit/cut';
import { MockWorld, Story } from '@cairn/testkit';
import type { ProgramFunction } from '@cairn/testkit';

/** Other objects that are deleted, or remain, with a delete whose end was not seen [REC-2]. */

const TYPE = 'pkgA:m:typA';
const urn = (name: string): Urn => makeUrn({ project: 'test', stack: 'test', type: TYPE, name });

test('the views of an object that turns out to be deleted go with it, and no others', async () => {
  const registers =
    (...names: readonly string[]): ProgramFunction =>
    async ({ resource }) => {
      for (const name of names) await resource(TYPE, name);
    };
  const story = new Story(new MockWorld({ pkgA: {} }));
  await story.run({ program: registers('a', 'b') });
  const viewOf = (owner: string) =>
    resourceEntry({
      urn: urn(`${owner}-view`),
      type: TYPE,
      custom: true,
      parent: urn(owner),
      viewOf: urn(owner),
    });
  const { snapshot } = story;
  story.snapshot = { ...snapshot, resources: [...snapshot.resources, viewOf('a'), viewOf('b')] };
  await story.runAndKill('delete', 'a', { program: registers('b') });
  const [task] = story.inDoubt;
  const resolutions = new Map([[`${task?.change}/${task?.id}`, { done: true } as const]]);
  const { result } = await story.goOn('resolve', { resolutions });
  expect(result.summary.result).toBe('succeeded');
  expect(story.snapshot.resources.map((entry) => urnName(entry.urn)).sort()).toEqual([
    'b',
    'b-view',
    'default',
    'test-test',
  ]);
});

describe('two deletes whose end nobody saw', () => {
  async function twoDeletes(): Promise<Story> {
    const story = new Story(new MockWorld({ pkgA: { behaviour: { reads: 'record' } } }));
    await story.run({
      program: async ({ resource }) => {
        await Promise.all([resource(TYPE, 'a'), resource(TYPE, 'b')]);
      },
    });
    story.providers.holdNext('delete', 'b', { effectFirst: true });
    await story.runAndKill('delete', 'a', { kind: 'destroy' });
    expect(pendingNames(story)).toEqual(['a', 'b']);
    return story;
  }
  const keys = (story: Story) => story.inDoubt.map((task) => `${task.change}/${task.id}`);

  test('an answer about one leaves the other pending', async () => {
    const story = await twoDeletes();
    const [first = ''] = keys(story);
    await story.goOn('resolve', { resolutions: new Map([[first, { done: true }]]) });
    expect(pendingNames(story)).toHaveLength(1);
    const [second = ''] = keys(story);
    const { result } = await story.goOn('resolve', { resolutions: new Map([[second, { done: true }]]) });
    expect(result.summary.result).toBe('succeeded');
    expect([pendingNames(story), story.inDoubt]).toEqual([[], []]);
  });

  test('an answer to nothing leaves both pending', async () => {
    const story = await twoDeletes();
    const { result } = await story.goOn('resolve', { resolutions: new Map([['1/99', { done: true }]]) });
    expect(result.summary.result).toBe('failed');
    expect(pendingNames(story)).toEqual(['a', 'b']);
  });

  test('an operation that cannot start leaves both pending', async () => {
    const story = await twoDeletes();
    const { result } = await story.run({ scope: { targets: ['urn:pulumi:test::test::t:m:t::none'] } });
    expect(result.summary.result).toBe('failed');
    expect(pendingNames(story)).toEqual(['a', 'b']);
  });

  test('an operation that waits for both leaves both pending, as often as it is run', async () => {
    const story = await twoDeletes();
    for (const kind of ['destroy', 'refresh', 'destroy'] as const) {
      const { result } = await story.run({ kind });
      expect([result.summary.result, pendingNames(story)]).toEqual(['waiting', ['a', 'b']]);
    }
  });
});

const pendingNames = ({ snapshot }: Story): readonly string[] =>
  snapshot.pendingOperations.map(({ resource }) => urnName(resource.urn)).sort();

const isPending = ({ snapshot }: Line, name: string): boolean =>
  snapshot.pendingOperations.some(({ resource }) => urnName(resource.urn) === name);

/** Returns every way in which a continued operation may be stopped in turn. */
const stops = ({ line, watch }: WentOn) => watch.instants.map((instant) => stoppedAt(line, instant));

test('what goes with its container is asked about by nobody, however often the delete is cut', async () => {
  const scenario = CUT_SCENARIOS.find(({ title }) => title === 'what is inside goes with it');
  if (scenario === undefined) throw new Error('the scenario has another title');
  const { snapshot, world } = await stackBefore(scenario, 'nothing');
  let inDoubtTwice = 0;
  for (const stopped of stops(await startLine(scenario, snapshot, world))) {
    for (const again of stops(await goOn(stopped, 'resume'))) {
      if (isPending(stopped, 'in') && isPending(again, 'in')) inDoubtTwice += 1;
      const { line } = await goOn(again, 'resume');
      expect(line.world.calls.filter(({ name, method }) => name === 'in' && method !== 'check')).toEqual([]);
    }
  }
  expect(inDoubtTwice).toBeGreaterThan(0);
});
