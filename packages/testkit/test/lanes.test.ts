import { urnName } from '@cairn/addresses';
import { ProviderError } from '@cairn/wire';
import { MockWorld, runScenario } from '../src/index.js';
import type { Outcome, ProgramContext, ProgramFunction } from '../src/index.js';

/** One failed component, or resource, is taken back alone while the others finish (changes.md c.5, g.3). */

const TYPE = 'pkgA:m:typA';
const refused = () => new ProviderError('INVALID_ARGUMENT', 'no room');

/** A component with resources in a line; gives their results. */
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
