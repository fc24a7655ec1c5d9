import { urnName } from '@cairn/addresses';
import { ProviderError } from '@cairn/wire';
import type { EngineEvent, DoubtResolution } from '@cairn/engine';
import { MockWorld, Story, runScenario } from '@cairn/testkit';
import type { Outcome, ProgramContext, ProgramFunction } from '@cairn/testkit';

/** One failed component, or resource, is rolled back alone while the others finish [CHG-15] [REC-11]. */

const TYPE = 'pkgA:m:typA';
const refused = () => new ProviderError('INVALID_ARGUMENT', 'no room');

/** Makes a component with a chain of resources, and records their results. */
async function box(
  { component, resource }: ProgramContext,
  name: string,
  children: readonly string[],
  results: Record<string, string>,
  needs: readonly string[] = [],
): Promise<void> {
  const { urn, result } = await component('my:index:Box', name);
  results[name] = result;
  let before = needs;
  for (const child of children) {
    const answer = await resource(TYPE, child, { v: 2 }, { parent: urn, dependencies: [...before] as never });
    results[child] = answer.result;
    before = [answer.urn];
  }
}

function undone({ events }: Outcome): readonly string[] {
  return events.flatMap((event) =>
    event.t === 'step-ended' && event.undo === true ? [`${event.step.kind} ${urnName(event.step.urn)}`] : [],
  );
}

const live = (outcome: Outcome) =>
  outcome.names.filter((name) => name !== 'default' && name !== 'test-test').sort();

test('a failed component is taken back alone, the other one finishes', async () => {
  const providers = new MockWorld({ pkgA: {} });
  providers.failNext('create', 'a2', refused());
  const results: Record<string, string> = {};
  const outcome = await runScenario({
    providers,
    policy: { onError: 'rollback', isolate: 'component' },
    program: async (context) => {
      await box(context, 'A', ['a1', 'a2', 'a3'], results);
      await box(context, 'B', ['b1', 'b2'], results);
    },
  });
  expect(results).toEqual({
    A: 'success',
    a1: 'success',
    a2: 'fail',
    a3: 'fail',
    B: 'success',
    b1: 'success',
    b2: 'success',
  });
  expect(undone(outcome)).toEqual(['delete a1', 'delete A']);
  expect([outcome.result.summary.result, live(outcome), providers.alive]).toEqual([
    'failed',
    ['B', 'b1', 'b2'],
    ['b1', 'b2'],
  ]);
});

test('with stop its resources stay, and nothing more of it starts', async () => {
  const providers = new MockWorld({ pkgA: {} });
  providers.failNext('create', 'a2', refused());
  const results: Record<string, string> = {};
  const outcome = await runScenario({
    providers,
    policy: { onError: 'stop', isolate: 'component' },
    program: async (context) => {
      await box(context, 'A', ['a1', 'a2', 'a3'], results);
      await box(context, 'B', ['b1'], results);
    },
  });
  expect([results['a3'], results['b1'], undone(outcome)]).toEqual(['fail', 'success', []]);
  expect(providers.alive).toEqual(['a1', 'b1']);
});

test('what a failed component had before is what it has afterwards, also what the program could not register', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const before: ProgramFunction = async ({ component, resource }) => {
    for (const name of ['A', 'B']) {
      const { urn } = await component('my:index:Box', name);
      for (const child of ['1', '2', '3']) await resource(TYPE, `${name}${child}`, { v: 1 }, { parent: urn });
    }
  };
  const { snapshot: prior } = await runScenario({ providers, program: before });
  providers.failNext('update', 'A2', refused());
  const outcome = await runScenario({
    providers,
    prior,
    policy: { onError: 'rollback', isolate: 'component' },
    program: async ({ component, resource }) => {
      const a = await component('my:index:Box', 'A');
      await resource(TYPE, 'A1', { v: 2 }, { parent: a.urn });
      const failed = await resource(TYPE, 'A2', { v: 2 }, { parent: a.urn });
      if (failed.result !== 'fail') await resource(TYPE, 'A3', { v: 2 }, { parent: a.urn });
      const b = await component('my:index:Box', 'B');
      await resource(TYPE, 'B1', { v: 2 }, { parent: b.urn });
    },
  });
  expect(undone(outcome)).toEqual(['update A1']);
  const inputs = Object.fromEntries(
    [...providers.objects.values()].map(({ urn, inputs: { v } }) => [urnName(urn), v]),
  );
  expect(inputs).toEqual({ A1: 1, A2: 1, A3: 1, B1: 2 });
  const entry = (name: string, { resources }: typeof prior) =>
    resources.find(({ urn }) => urnName(urn) === name);
  for (const name of ['A', 'A1', 'A2', 'A3'])
    expect({ ...entry(name, outcome.snapshot), aliases: [] }).toEqual({ ...entry(name, prior), aliases: [] });
});

test('a refused check takes its component down as well, dependents elsewhere are skipped', async () => {
  const check = ({ urn, news }: { urn: never; news: never }) => ({
    inputs: news,
    failures: urnName(urn) === 'a2' ? [{ property: 'v', reason: 'it is wrong' }] : [],
  });
  const providers = new MockWorld({ pkgA: { behaviour: { check: check as never } } });
  const results: Record<string, string> = {};
  const outcome = await runScenario({
    providers,
    policy: { onError: 'rollback', isolate: 'component' },
    program: async (context) => {
      const shared = await context.resource(TYPE, 'shared');
      const a = await context.component('my:index:Box', 'A');
      const a1 = await context.resource(TYPE, 'a1', {}, { parent: a.urn, dependencies: [shared.urn] });
      const a2 = await context.resource(TYPE, 'a2', {}, { parent: a.urn });
      results['a2'] = a2.result;
      await box(context, 'B', ['b1'], results, [shared.urn]);
      results['c'] = (await context.resource(TYPE, 'c', {}, { dependencies: [a1.urn] })).result;
    },
  });
  expect(results).toEqual({ a2: 'fail', B: 'success', b1: 'success', c: 'skip' });
  expect(providers.alive).toEqual(['b1', 'shared']);
  expect(outcome.complaints.join()).toMatch(/it is wrong/);
});

test('a refused read takes its component down as well, the other one finishes', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const results: Record<string, string> = {};
  const outcome = await runScenario({
    providers,
    policy: { onError: 'rollback', isolate: 'component' },
    program: async (context) => {
      const a = await context.component('my:index:Box', 'A');
      await context.resource(TYPE, 'a1', {}, { parent: a.urn });
      await expect(context.read(TYPE, 'a2', '', { parent: a.urn })).rejects.toThrow(/resource read failed/);
      await box(context, 'B', ['b1'], results);
    },
  });
  expect([results, providers.alive]).toEqual([{ B: 'success', b1: 'success' }, ['b1']]);
  expect(outcome.complaints.join()).toMatch(/the id is empty/);
});

test('each resource on its own: only what is built on the failed one is concerned', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const partial = new ProviderError('INVALID_ARGUMENT', 'no room');
  providers.failNext('create', 'b', partial);
  const results: string[] = [];
  const outcome = await runScenario({
    providers,
    policy: { onError: 'rollback', isolate: 'resource' },
    program: async ({ resource }) => {
      const a = await resource(TYPE, 'a');
      const b = await resource(TYPE, 'b', {}, { dependencies: [a.urn] });
      const c = await resource(TYPE, 'c', {}, { dependencies: [b.urn] });
      const d = await resource(TYPE, 'd');
      results.push(a.result, b.result, c.result, d.result);
    },
  });
  expect(results).toEqual(['success', 'fail', 'skip', 'success']);
  expect([providers.alive, undone(outcome)]).toEqual([['a', 'd'], []]);
});

test('an abort takes everything back, whatever is isolated', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const held = providers.holdNext('create', 'b1');
  const results: Record<string, string> = {};
  const outcome = await runScenario({
    providers,
    policy: { onError: 'stop', isolate: 'component' },
    onStart: (operation) =>
      void held.reached.then(() => {
        operation.abort({ rollback: true });
        held.open();
      }),
    program: async (context) => {
      await box(context, 'A', ['a1'], results);
      await box(context, 'B', ['b1'], results);
    },
  });
  expect([outcome.result.summary.result, providers.alive, outcome.names]).toEqual(['rolled-back', [], []]);
});

describe.each(['create', 'update'] as const)(
  'a component that fails while the end of a %s in it is not known',
  (what) => {
    const policy = { onError: 'rollback', isolate: 'component' } as const;
    const program =
      (v: number): ProgramFunction =>
      async ({ component, resource }) => {
        const a = await component('my:index:Box', 'A');
        const below = await resource(TYPE, 'below', { v }, { parent: a.urn });
        await Promise.all([
          resource(TYPE, 'doubt', { v }, { parent: a.urn, dependencies: [below.urn] }),
          resource(TYPE, 'bad', { v }, { parent: a.urn }),
        ]);
        const b = await component('my:index:Box', 'B');
        await resource(TYPE, 'good', { v }, { parent: b.urn });
      };

    async function failed(): Promise<Story> {
      const story = new Story(new MockWorld({ pkgA: {} }));
      const { providers } = story;
      if (what === 'update') await story.run({ program: program(1) });
      providers.failNext(what, 'doubt', new ProviderError('INTERNAL', 'no answer'), { effectFirst: true });
      const bad = providers.holdNext(what, 'bad');
      providers.failNext(what, 'bad', refused());
      const onEvent = (event: EngineEvent) => event.t === 'step-failed' && bad.open();
      const { result } = await story.run({ program: program(2), policy, onEvent });
      expect(result.summary).toMatchObject({ result: 'failed', rollback: undefined });
      expect(result.inDoubt.map(({ urn, kind }) => [urnName(urn), kind])).toEqual([['doubt', what]]);
      return story;
    }

    const inputs = ({ providers }: Story) =>
      Object.fromEntries([...providers.objects.values()].map(({ urn, inputs: { v } }) => [urnName(urn), v]));
    const lost = what === 'create' ? {} : { below: 1, doubt: 1, bad: 1 };

    function answers(story: Story): ReadonlyMap<string, DoubtResolution> {
      const [{ change = '', id = '' } = {}] = story.inDoubt;
      const [created = ''] =
        [...story.providers.objects].find(([, { urn }]) => urnName(urn) === 'doubt') ?? [];
      return new Map(what === 'create' ? [[`${change}/${id}`, { created }]] : []);
    }

    test('nothing is taken away that it may be built on', async () => {
      const story = await failed();
      expect(inputs(story)).toEqual({ ...lost, below: 2, doubt: 2, good: 2 });
      expect(story.inDoubt.map(({ urn, status }) => [urnName(urn), status])).toEqual([['doubt', 'wait']]);
    });

    test('a resume finds out, takes the component back and finishes the others; it has failed', async () => {
      const story = await failed();
      const resolutions = answers(story);
      const resume = { program: program(2), policy, resolutions };
      const preview = await story.goOn('resume', { ...resume, preview: true });
      expect(preview.result.summary.result).toBe('succeeded');
      const { result } = await story.goOn('resume', resume);
      expect(result.summary).toMatchObject({
        result: 'failed',
        rollback: { held: 0, retained: 0, failed: 0 },
      });
      expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
        { code: 'CAIRN-UNFINISHED', summary: expect.stringContaining('were being rolled back') as string },
      ]);
      expect(inputs(story)).toEqual({ ...lost, good: 2 });
      const again = await story.goOn('resume', { program: program(2), policy });
      expect(again.result.summary.result).toBe('succeeded');
      expect(inputs(story)).toEqual({ below: 2, doubt: 2, bad: 2, good: 2 });
    });

    if (what === 'create')
      test('a resume that nobody has answered for waits', async () => {
        const story = await failed();
        const { result } = await story.goOn('resume', { program: program(2), policy });
        expect(result.waiting).toMatchObject([{ kind: 'in-doubt' }]);
        expect(result.summary.result).toBe('waiting');
      });

    test('a rollback takes everything back', async () => {
      const story = await failed();
      const { result } = await story.goOn('rollback', { resolutions: answers(story) });
      expect(result.summary.result).toBe('succeeded');
      expect(inputs(story)).toEqual(what === 'create' ? {} : { ...lost, good: 1 });
    });

    test('an up does what was not done', async () => {
      const story = await failed();
      const { result } = await story.run({ program: program(2), policy, resolutions: answers(story) });
      expect(result.summary.result).toBe('succeeded');
      expect(inputs(story)).toEqual({ below: 2, doubt: 2, bad: 2, good: 2 });
    });
  },
);

describe('what several components use', () => {
  /**
   * Makes `shared` outside components, and a component for each name with a first resource that uses it and a second
   * one.
   */
  const using =
    (...names: readonly string[]): ProgramFunction =>
    async (context) => {
      const shared = await context.resource(TYPE, 'shared', { v: 2 });
      for (const name of names) {
        const { urn } = await context.component('my:index:Box', name);
        await context.resource(TYPE, `${name}1`, { v: 2 }, { parent: urn, dependencies: [shared.urn] });
        await context.resource(TYPE, `${name}2`, { v: 2 }, { parent: urn });
      }
    };
  const rollback = { onError: 'rollback', isolate: 'component' } as const;

  test.each([
    [[], ['A1', 'A2', 'B1', 'B2', 'shared']],
    [['A2'], ['B1', 'B2', 'shared']],
    [['B2'], ['A1', 'A2', 'shared']],
    [['A2', 'B2'], []],
  ])('of two components when %j fail: what is left is %j', async (failing, left) => {
    const providers = new MockWorld({ pkgA: {} });
    for (const name of failing) providers.failNext('create', name, refused());
    const outcome = await runScenario({ providers, policy: rollback, program: using('A', 'B') });
    expect([...providers.alive].sort()).toEqual(left);
    expect(live(outcome).filter((name) => name.length > 1)).toEqual(left);
  });

  test('used by one component only, it stays when that one fails', async () => {
    const providers = new MockWorld({ pkgA: {} });
    providers.failNext('create', 'A2', refused());
    await runScenario({ providers, policy: rollback, program: using('A') });
    expect(providers.alive).toEqual(['shared']);
  });

  test('with one component that fails before anything of it is done, and one of which nothing is done', async () => {
    const check = ({ urn, news }: { urn: never; news: never }) => ({
      inputs: news,
      failures: urnName(urn) === 'A2' ? [{ property: 'v', reason: 'it is wrong' }] : [],
    });
    const providers = new MockWorld({ pkgA: {} });
    const { snapshot: prior } = await runScenario({
      providers,
      program: async (context) => {
        await using('A', 'B')(context);
      },
    });
    const refusing = new MockWorld({ pkgA: { behaviour: { check: check as never } } });
    for (const [id, object] of providers.objects) refusing.objects.set(id, object);
    const outcome = await runScenario({
      providers: refusing,
      prior,
      policy: rollback,
      program: async ({ resource, component }) => {
        const shared = await resource(TYPE, 'shared', { v: 3 });
        const b = await component('my:index:Box', 'B');
        for (const name of ['B1', 'B2'])
          await resource(
            TYPE,
            name,
            { v: 2 },
            { parent: b.urn, dependencies: name === 'B1' ? [shared.urn] : [] },
          );
        const a = await component('my:index:Box', 'A');
        await resource(TYPE, 'A1', { v: 2 }, { parent: a.urn, dependencies: [shared.urn] });
        await resource(TYPE, 'A2', { v: 2 }, { parent: a.urn });
      },
    });
    expect(undone(outcome)).toEqual([]);
    const inputs = [...refusing.objects.values()].map(({ urn, inputs: { v } }) => [urnName(urn), v]);
    expect(Object.fromEntries(inputs)).toEqual({ shared: 3, A1: 2, A2: 2, B1: 2, B2: 2 });
  });

  test('inside one component: it stays for the other, with what it is built on and its component', async () => {
    const providers = new MockWorld({ pkgA: {} });
    providers.failNext('create', 'b3', refused());
    const outcome = await runScenario({
      providers,
      policy: rollback,
      program: async ({ resource, component }) => {
        const b = await component('my:index:Box', 'B');
        const inB = { parent: b.urn };
        const below = await resource(TYPE, 'b1', {}, inB);
        const used = await resource(TYPE, 'b2', {}, { ...inB, dependencies: [below.urn] });
        await resource(TYPE, 'b4', {}, inB);
        const a = await component('my:index:Box', 'A');
        await resource(TYPE, 'a1', {}, { parent: a.urn, dependencies: [used.urn] });
        await resource(TYPE, 'b3', {}, inB);
        await resource(TYPE, 'a2', {}, { parent: a.urn });
      },
    });
    expect(undone(outcome)).toEqual(['delete b4']);
    expect([live(outcome), providers.alive]).toEqual([
      ['A', 'B', 'a1', 'a2', 'b1', 'b2'],
      ['a1', 'a2', 'b1', 'b2'],
    ]);
  });

  test('with something else outside that fails: both components keep what they use, and everybody finishes', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const { snapshot: prior } = await runScenario({ providers, program: using('A', 'B', 'C') });
    const outcome = await runScenario({
      providers,
      prior,
      policy: rollback,
      program: async (context) => {
        providers.failNext('create', 'new', refused());
        const { resource, component } = context;
        const shared = await resource(TYPE, 'shared', { v: 3 });
        const c = await component('my:index:Box', 'C');
        await resource(TYPE, 'C1', { v: 3 }, { parent: c.urn });
        for (const name of ['A', 'B']) {
          const { urn } = await component('my:index:Box', name);
          await resource(TYPE, `${name}1`, { v: 3 }, { parent: urn, dependencies: [shared.urn] });
        }
        await resource(TYPE, 'new', { v: 3 }, { dependencies: [shared.urn] });
      },
    });
    expect(undone(outcome)).toEqual([]);
    const inputs = [...providers.objects.values()].map(({ urn, inputs: { v } }) => [urnName(urn), v]);
    expect(Object.fromEntries(inputs)).toMatchObject({ shared: 3, A1: 3, B1: 3, C1: 3 });
  });
});

test('a destroy keeps the provider of what it deleted and has to create again, because something of its domain failed', async () => {
  const providers = new MockWorld({ pkgA: {}, pkgB: {} });
  const two: ProgramFunction = async ({ resource }) => {
    const one = await resource(TYPE, 'one');
    const other = await resource('pkgB:m:typB', 'other');
    await resource(TYPE, 'top', {}, { dependencies: [one.urn, other.urn] });
  };
  const { snapshot: prior } = await runScenario({ providers, program: two });
  providers.failNext('delete', 'other', refused());
  const outcome = await runScenario({
    kind: 'destroy',
    providers,
    prior,
    policy: { onError: 'rollback', isolate: 'component' },
  });
  expect(undone(outcome)).toEqual(['create one', 'create top']);
  const providersOf = ({ resources }: Outcome['snapshot']) =>
    resources
      .map(({ provider }) => provider)
      .filter((provider) => provider !== undefined)
      .sort();
  const kept = outcome.snapshot.resources.filter(({ type }) => type.startsWith('pulumi:providers:'));
  expect([kept.length, providersOf(outcome.snapshot)]).toEqual([2, providersOf(prior)]);
  expect(providers.alive).toEqual(['one', 'other', 'top']);
});
