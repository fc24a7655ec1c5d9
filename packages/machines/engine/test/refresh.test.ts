import { urnName } from '@cairn/addresses';
import type { EngineEvent } from '@cairn/engine';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { emptyMap, propertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { ReadResponse } from '@cairn/wire';
import { MockWorld, SnapshotBuilder, diffAnswer, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Properties, Scenario } from '@cairn/testkit';

/** Refreshes from state: alone, before an up, and of entries that request it [REF-2] [REF-3]. */

const TYPE = 'pkgA:m:typA';
const HOME = { project: 'test', stack: 'test' };

const found = (
  id: string,
  inputs: ReadResponse['inputs'],
  outputs: ReadResponse['outputs'],
  refreshBeforeUpdate = false,
): ReadResponse => ({ id, inputs, outputs, refreshBeforeUpdate });
const gone = found('', undefined, undefined);

/** Returns `name result` of every refresh, by id of the object. */
function results(events: readonly EngineEvent[]): Record<string, string> {
  const ended = events.flatMap((event) => (event.t === 'step-ended' ? [event.step] : []));
  expect(ended.every(({ kind }) => kind === 'refresh')).toBe(true);
  return Object.fromEntries(
    ended.map(({ old, urn, refreshResult }) => [old?.id ?? '', `${urnName(urn)} ${refreshResult}`]),
  );
}

async function previewed(scenario: Scenario): Promise<Outcome> {
  const preview = await runScenario({ ...scenario, preview: true });
  const outcome = await runScenario(scenario);
  expect(outcome.complaints).toEqual(preview.complaints);
  expect([...outcome.steps].sort()).toEqual([...preview.steps].sort());
  return outcome;
}

test.each([false, true])(
  'what was found is told with the keys that differ, as it differs from the state (preview: %s) [REF-1]',
  async (preview) => {
    const prior = new SnapshotBuilder(HOME);
    prior.provider('pkgA');
    prior.resource(TYPE, 'moved', { size: 1, gone: true }, { id: '1' });
    prior.resource(TYPE, 'same', { size: 1 }, { id: '2' });
    prior.resource(TYPE, 'equal', { size: 2 }, { id: '3' });
    prior.resource(TYPE, 'unsaid', { size: 3 }, { id: '4' });
    const now = {
      '1': propertyMap({ size: 5, more: true }),
      ...{ '2': propertyMap({ size: 1 }), '3': propertyMap({ size: 2 }), '4': propertyMap({ size: 3 }) },
    };
    const behaviour: MockBehaviour = {
      read: async ({ id }) => found(id, now[id as '1'], now[id as '1']),
      diff: async ({ oldInputs, news }) =>
        'more' in oldInputs
          ? diffAnswer('some', {
              changedKeys: ['size', 'gone', 'more'],
              replaceKeys: ['size'],
              detailedDiff: {
                size: { kind: 'update-replace', inputDiff: true },
                gone: { kind: 'add', inputDiff: true },
                more: { kind: 'delete', inputDiff: false },
              },
            })
          : diffAnswer(news['size'] === 3 ? 'unknown' : 'none', {
              changedKeys: Object.keys(news),
              detailedDiff: news['size'] === 2 ? {} : undefined,
            }),
    };
    const providers = new MockWorld({ pkgA: { behaviour } });
    const { events } = await runScenario({ kind: 'refresh', providers, prior: prior.build(), preview });
    const told = events.flatMap((event) => {
      if (event.t !== 'step-ended' && event.t !== 'step-started') return [];
      const { changedKeys, replaceKeys, detailedDiff, refreshResult, urn } = event.step;
      const name = urnName(urn);
      return name === 'default' ? [] : [[name, refreshResult, changedKeys, replaceKeys, detailedDiff]];
    });
    expect(new Set(told)).toEqual(
      new Set([
        ['moved', undefined, [], [], undefined],
        [
          'moved',
          'update',
          ['size', 'gone', 'more'],
          [],
          {
            size: { kind: 'update-replace', inputDiff: true },
            gone: { kind: 'delete', inputDiff: true },
            more: { kind: 'add', inputDiff: false },
          },
        ],
        ['same', undefined, [], [], undefined],
        ['same', 'same', [], [], undefined],
        ['equal', undefined, [], [], undefined],
        ['equal', 'same', [], [], {}],
        ['unsaid', undefined, [], [], undefined],
        ['unsaid', 'same', [], [], undefined],
      ]),
    );
  },
);

describe('copies of a URN', () => {
  /** Returns live A0, B1, C2 and the pending deletes A3, A4, C5. B depends on A, both C on A and B. */
  function copies(): readonly ResourceEntry[] {
    const prior = new SnapshotBuilder(HOME);
    prior.provider('pkgA');
    const a = prior.resource(TYPE, 'A', {}, { id: '0' });
    const b = prior.resource(TYPE, 'B', {}, { id: '1', dependencies: [a.urn] });
    prior.resource(TYPE, 'C', {}, { id: '2', dependencies: [a.urn, b.urn] });
    prior.resource(TYPE, 'A', {}, { id: '3', delete: true });
    prior.resource(TYPE, 'A', {}, { id: '4', delete: true });
    prior.resource(TYPE, 'C', {}, { id: '5', delete: true, dependencies: [a.urn, b.urn] });
    return prior.build().resources;
  }

  const subsets = ['', 'A', 'B', 'C', 'AB', 'AC', 'BC', 'ABC'];

  async function refreshed(read: MockBehaviour['read'], targets: string): Promise<Outcome> {
    const resources = copies();
    const prior: Snapshot = { resources, pendingOperations: [], secretsProvider: undefined };
    const outcome = await previewed({
      kind: 'refresh',
      providers: new MockWorld({ pkgA: { behaviour: { read } } }),
      prior,
      scope: { targets: [...targets].map((name) => `**::${name}`) },
    });
    expect(outcome.complaints).toEqual([]);
    return outcome;
  }

  const isIn = (targets: string, name: string) => targets === '' || targets.includes(name);
  const custom = ({ resources }: Snapshot) => resources.filter(({ type }) => type === TYPE);

  test.each(subsets)('LT1-233 what is gone is no dependency any more; targets: %s', async (targets) => {
    const isGone = (id: string) => id === '0' || id === '4';
    const outcome = await refreshed(
      ({ id, inputs, state }) => (isGone(id) ? gone : found(id, inputs, state)),
      targets,
    );
    const steps = results(outcome.events);
    expect(Object.values(steps).every((line) => targets === '' || targets.includes(line[0] ?? ''))).toBe(
      true,
    );
    const before = custom({ resources: copies(), pendingOperations: [], secretsProvider: undefined });
    const after = custom(outcome.snapshot);
    if (!isIn(targets, 'A')) {
      expect(after).toEqual(before);
      return;
    }
    expect(after.map(({ id }) => id)).toEqual(['1', '2', '3', '5']);
    expect(after.map(({ dependencies }) => dependencies.map(urnName))).toEqual([[], ['B'], [], ['A', 'B']]);
  });

  test.each(subsets)('LT1-236 results and values of what was read; targets: %s', async (targets) => {
    const read: MockBehaviour['read'] = ({ id, inputs, state }) => {
      switch (id) {
        case '1':
          return found(id, inputs, propertyMap({ o: 1 }));
        case '4':
          return found(id, propertyMap({ i: 4 }), propertyMap({ o: 4 }));
        case '2':
        case '5':
          return gone;
        default:
          return found(id, inputs, state);
      }
    };
    const outcome = await refreshed(read, targets);
    const expected = { 0: 'A same', 1: 'B same', 2: 'C delete', 3: 'A same', 4: 'A update', 5: 'C delete' };
    const all = Object.entries(expected).filter(([, line]) => isIn(targets, line[0] ?? ''));
    const { 'pkgA-default': provider, ...steps } = results(outcome.events);
    expect(provider).toBe(targets === '' ? 'default same' : undefined);
    expect(steps).toEqual(Object.fromEntries(all));
    const changed: Record<string, Partial<ResourceEntry>> = {
      ...(isIn(targets, 'B') && { 1: { outputs: propertyMap({ o: 1 }) } }),
      ...(isIn(targets, 'A') && { 4: { inputs: propertyMap({ i: 4 }), outputs: propertyMap({ o: 4 }) } }),
    };
    const left = custom({ resources: copies(), pendingOperations: [], secretsProvider: undefined })
      .filter(({ id }) => !isIn(targets, 'C') || (id !== '2' && id !== '5'))
      .map((entry) => ({ ...entry, ...changed[entry.id] }));
    expect(custom(outcome.snapshot).map(({ modified: _modified, ...entry }) => entry)).toEqual(
      left.map(({ modified: _modified, ...entry }) => entry),
    );
    for (const { id, modified } of custom(outcome.snapshot))
      expect(modified !== undefined).toBe(id in changed);
  });

  test('LT1-254 a gone resource with a copy to be deleted, and a provider below it', async () => {
    const prior = new SnapshotBuilder(HOME);
    prior.provider('pkgA');
    const resA = prior.resource(TYPE, 'resA', {}, { id: 'live' });
    const { urn } = resA;
    prior.add('pulumi:providers:pkgB', 'provB', { id: 'b', parent: urn });
    prior.resource(TYPE, 'resA', {}, { id: 'stale', delete: true });
    const outcome = await previewed({
      kind: 'refresh',
      providers: new MockWorld({ pkgA: { behaviour: { read: () => gone } } }),
      prior: prior.build(),
    });
    expect(outcome.names).toEqual(['default', 'provB']);
    expect(outcome.snapshot.resources[1]?.parent).toBeUndefined();
  });
});

test('LT1-187 without an id it is gone, whatever else was read', async () => {
  const read: MockBehaviour['read'] = ({ inputs, state }) => found('', inputs, state ?? emptyMap);
  const providers = new MockWorld({ pkgA: { behaviour: { read } } });
  const { snapshot } = await runScenario({
    providers,
    program: async ({ resource }) => void (await resource(TYPE, 'resA', { foo: 1 })),
  });
  const outcome = await previewed({ kind: 'refresh', providers, prior: snapshot });
  const { id = '' } = snapshot.resources.find(({ type }) => type === TYPE) ?? {};
  expect(results(outcome.events)[id]).toBe('resA delete');
  expect(outcome.names).toEqual(['test-test', 'default']);
});

test('LT1-251 children of what is gone go to the nearest ancestor that is there', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const { snapshot } = await runScenario({
    providers,
    program: async ({ resource, component }) => {
      const top = await component('my:index:Comp', 'top');
      const middle = await resource(TYPE, 'middle', {}, { parent: top.urn });
      const lower = await resource(TYPE, 'lower', {}, { parent: middle.urn });
      await resource(TYPE, 'bottom', {}, { parent: lower.urn });
    },
  });
  const entry = (from: Snapshot, name: string) => from.resources.find(({ urn }) => urnName(urn) === name);
  for (const name of ['middle', 'lower']) providers.objects.delete(entry(snapshot, name)?.id ?? '');
  const outcome = await runScenario({ kind: 'refresh', providers, prior: snapshot });
  expect(outcome.names).toEqual(['test-test', 'top', 'default', 'bottom']);
  expect(entry(outcome.snapshot, 'bottom')?.parent).toBe(entry(snapshot, 'top')?.urn);
  const up = await runScenario({ kind: 'up', scope: { refresh: true }, providers, prior: outcome.snapshot });
  expect(up.names).toEqual(['test-test']);
});

test('LT1-210 an update that fails after a refresh leaves what was found', async () => {
  const providers = new MockWorld({
    pkgA: {},
    pkgB: { behaviour: { read: ({ id }) => found(id, emptyMap, emptyMap) } },
  });
  const failing =
    (foo: string): ProgramFunction =>
    async ({ resource }) => {
      const { result } = await resource('pkgB:m:typB', 'failing', { foo });
      expect(result).toBe(foo === 'bar' ? 'success' : 'fail');
    };
  const options = { providers, scope: { refresh: true }, policy: { continueOnError: true } } as const;
  const { snapshot } = await runScenario({ ...options, program: failing('bar') });
  providers.failNext('update', 'failing', new ProviderError('INVALID_ARGUMENT', 'no'));
  const outcome = await runScenario({
    ...options,
    prior: snapshot,
    program: async (program) => {
      for (const name of ['one', 'two', 'three']) await program.resource(TYPE, name);
      await failing('baz')(program);
    },
  });
  expect(outcome.result.summary.result).toBe('failed');
  expect(outcome.names).toHaveLength(7);
  expect(outcome.names.at(-1)).toBe('failing');
  expect(outcome.snapshot.resources.at(-1)?.inputs).toEqual({});
});

test('LT1-266 what asks to be looked up before every update and is gone is created again', async () => {
  const lost = new Set<string>();
  const flagged: MockBehaviour = {
    create: async (_request, { standard }) => ({ ...(await standard()), refreshBeforeUpdate: true }),
    update: async (_request, { standard }) => ({ ...(await standard()), refreshBeforeUpdate: true }),
    read: ({ id, name, inputs, state }) => (lost.has(name) ? gone : found(id, inputs, state, true)),
  };
  const providers = new MockWorld({ pkgA: { behaviour: flagged } });
  const program =
    (value: Properties): ProgramFunction =>
    async ({ resource }) => {
      const { urn } = await resource(TYPE, 'res0', value);
      await resource(TYPE, 'resA', { ...value }, { propertyDependencies: { value: [urn] } });
    };
  const { snapshot } = await runScenario({ providers, program: program({ value: 1 }) });
  lost.add('res0');
  const outcome = await previewed({ providers, prior: snapshot, program: program({ value: 1 }) });
  expect(outcome.steps.filter((step) => !step.startsWith('same'))).toEqual([
    'refresh res0',
    'refresh resA',
    'create res0',
  ]);
  expect(outcome.names).toHaveLength(4);
  const own = outcome.snapshot.resources.filter(({ type }) => type === TYPE);
  expect(own.map(({ refreshBeforeUpdate }) => refreshBeforeUpdate)).toEqual([true, true]);
});
