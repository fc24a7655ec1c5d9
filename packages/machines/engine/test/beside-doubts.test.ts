import { urnName } from '@cairn/addresses';
import { propertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { Chapter, MockBehaviour, ProgramFunction } from '@cairn/testkit';
import { MockWorld, Story, diffAnswer } from '@cairn/testkit';

/**
 * While the outcome of a step is not known, the rest of the operation continues; dependents of the step wait [REC-3].
 */

const TYPE = 'pkgA:m:typA';

function newStory(behaviour: MockBehaviour = {}): Story {
  return new Story(new MockWorld({ pkgA: { behaviour } }));
}

const named = ({ snapshot }: Story): readonly string[] =>
  snapshot.resources.map(({ urn, delete: goes }) => `${urnName(urn)}${goes ? '(delete)' : ''}`).sort();

/** Makes `doubt` on `below`; `after` needs it; `a` and `b` are unrelated. */
const program: ProgramFunction = async ({ resource }) => {
  const below = await resource(TYPE, 'below', { size: 1 });
  const chain = async () => {
    const doubt = await resource(TYPE, 'doubt', { size: 1 }, { dependencies: [below.urn] });
    await resource(TYPE, 'after', {}, { dependencies: [doubt.urn] });
  };
  const rest = async () => {
    const a = await resource(TYPE, 'a', { size: 1 });
    await resource(TYPE, 'b', { size: 1 }, { dependencies: [a.urn] });
  };
  await Promise.all([chain(), rest()]);
};

async function inDoubt(story: Story, before = true): Promise<void> {
  await story.runAndKill('create', 'doubt', { program, parallel: 1, before });
}

describe.each([
  ['resumed', (story: Story, chapter: Chapter) => story.goOn('resume', chapter)],
  ['begun anew', (story: Story, chapter: Chapter) => story.run(chapter)],
] as const)('an up that is %s', (_, goOn) => {
  test('does what does not need the step, and waits then', async () => {
    const story = newStory();
    await inDoubt(story);
    const { result } = await goOn(story, { program });
    expect(result.summary.result).toBe('waiting');
    expect(result.waiting).toMatchObject([
      { kind: 'in-doubt', task: expect.stringMatching(/^[0-9a-f]{8}$/) },
    ]);
    expect(story.providers.alive).toEqual(['a', 'b', 'below']);
    expect(story.snapshot.pendingOperations.map(({ type }) => type)).toEqual(['creating']);
    const { result: end } = await goOn(story, { program, resolutions: new Map([['1/4', 'not-created']]) });
    expect(end.summary.result).toBe('succeeded');
    expect(story.providers.alive).toEqual(['a', 'after', 'b', 'below', 'doubt']);
    expect(story.providers.called('create')).toHaveLength(6);
    expect(story.snapshot.pendingOperations).toEqual([]);
  });

  test('deletes nothing while its program waits', async () => {
    const story = newStory();
    await story.run({ program: async ({ resource }) => void (await resource(TYPE, 'old')) });
    await inDoubt(story);
    const { result } = await goOn(story, { program });
    expect(story.providers.alive).toContain('old');
    await goOn(story, {
      program,
      resolutions: new Map([[result.waiting[0]?.task ?? '', 'not-created']]),
    });
    expect(story.providers.alive).toEqual(['a', 'after', 'b', 'below', 'doubt']);
  });

  test('replaces nothing first that the step may be built on', async () => {
    const story = newStory({
      diff: ({ oldInputs, news }) =>
        oldInputs['size'] === news['size']
          ? diffAnswer('none')
          : diffAnswer('some', { replaceKeys: ['size'], deleteBeforeReplace: true }),
    });
    await story.run({ program: async ({ resource }) => void (await resource(TYPE, 'below', { size: 0 })) });
    await story.run({ program: async ({ resource }) => void (await resource(TYPE, 'below', { size: 1 })) });
    await inDoubt(story, false);
    const other: ProgramFunction = async ({ resource }) => {
      await Promise.all([resource(TYPE, 'below', { size: 2 }), resource(TYPE, 'c', { size: 1 })]);
    };
    story.providers.forgetCalls();
    const { result } = await story.run({ program: other });
    expect(result.summary.result).toBe('waiting');
    expect(story.providers.called('delete')).toEqual([]);
    expect(story.providers.alive).toEqual(['below', 'c', 'doubt']);
  });
});

test('a program that does not want it any more: what it may be built on stays, the rest goes', async () => {
  const story = newStory();
  await story.run({ program: async ({ resource }) => void (await resource(TYPE, 'old')) });
  await inDoubt(story, false);
  const { result } = await story.run({
    program: async ({ resource }) => void (await resource(TYPE, 'a', { size: 1 })),
  });
  expect(result.summary.result).toBe('waiting');
  expect(story.providers.alive).toEqual(['a', 'below', 'doubt']);
});

test('a program that only reads it now: the read waits like a registration, the rest is done', async () => {
  const story = newStory();
  await inDoubt(story, false);
  const { result } = await story.run({
    program: async ({ resource, read }) => {
      await Promise.all([read(TYPE, 'doubt', 'id'), resource(TYPE, 'a', { size: 1 })]);
    },
  });
  expect(result.summary.result).toBe('waiting');
  expect(story.providers.called('read')).toEqual([]);
  expect(story.providers.alive).toEqual(['a', 'below', 'doubt']);
});

test('a destroy leaves what it may be built on, and the rest goes', async () => {
  const story = newStory();
  await story.run({ program: async ({ resource }) => void (await resource(TYPE, 'old')) });
  await inDoubt(story, false);
  const { result } = await story.run({ kind: 'destroy' });
  expect(result.summary.result).toBe('waiting');
  expect(story.providers.alive).toEqual(['below', 'doubt']);
  const { task } = result.waiting[0] as { readonly task: string };
  const [id = ''] = [...story.providers.objects].find(([, { urn }]) => urnName(urn) === 'doubt') ?? [];
  const end = await story.run({ kind: 'destroy', resolutions: new Map([[task, { created: id }]]) });
  expect(end.result.summary.result).toBe('succeeded');
  expect([story.providers.alive, named(story)]).toEqual([[], []]);
});

test('a refresh looks at the rest', async () => {
  const story = newStory();
  await inDoubt(story, false);
  for (const object of story.providers.objects.values())
    (object as { outputs: unknown }).outputs = propertyMap({ size: 7 });
  const { result } = await story.run({ kind: 'refresh' });
  expect(result.summary.result).toBe('waiting');
  expect(story.snapshot.resources.find(({ urn }) => urnName(urn) === 'below')?.outputs).toEqual({ size: 7 });
  expect(story.snapshot.pendingOperations).toHaveLength(1);
});

test('a rollback takes back the rest, and is finished once somebody has answered', async () => {
  const story = newStory();
  await story.run({ program: async ({ resource }) => void (await resource(TYPE, 'a', { size: 0 })) });
  await story.runAndKill('create', 'doubt', {
    before: false,
    program: async (context) => {
      const below = await context.resource(TYPE, 'below', { size: 1 });
      await context.resource(TYPE, 'a', { size: 1 });
      await context.resource(TYPE, 'b', { size: 1 });
      await context.resource(TYPE, 'doubt', { size: 1 }, { dependencies: [below.urn] });
    },
  });
  const { result } = await story.goOn('rollback');
  expect(result.summary.result).toBe('waiting');
  expect(story.providers.alive).toEqual(['a', 'below', 'doubt']);
  expect(story.snapshot.resources.find(({ urn }) => urnName(urn) === 'a')?.inputs).toEqual({ size: 0 });
  const { task } = result.waiting[0] as { readonly task: string };
  const [id = ''] = [...story.providers.objects].find(([, { urn }]) => urnName(urn) === 'doubt') ?? [];
  const end = await story.goOn('rollback', { resolutions: new Map([[task, { created: id }]]) });
  expect(end.result.summary.result).toBe('succeeded');
  expect([story.providers.alive, story.snapshot.pendingOperations]).toEqual([['a'], []]);
});

test('an up that takes back what failed takes nothing back while a step is in doubt', async () => {
  const story = newStory();
  await inDoubt(story);
  const failing: ProgramFunction = async (context) => {
    const rest = program(context).catch(() => undefined);
    await context.resource(TYPE, 'bad', {});
    await rest;
  };
  story.providers.failNext('create', 'bad', new ProviderError('INVALID_ARGUMENT', 'no'));
  const { result } = await story.run({ program: failing, policy: { onError: 'rollback' } });
  expect(result.summary.result).toBe('failed');
  expect(story.providers.alive).toContain('below');
  expect(story.inDoubt).toHaveLength(1);
});
