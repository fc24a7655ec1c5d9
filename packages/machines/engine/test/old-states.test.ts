import { isProviderType, urnName } from '@cairn/addresses';
import { emptySnapshot, withEntry } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { emptyMap, propertyMap, secret } from '@cairn/values';
import { MockWorld, SnapshotBuilder, diffAnswer, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Scenario } from '@cairn/testkit';

/** States of old versions, completed at the start of an operation [PROV-7]. */

const TYPE = 'pkgA:m:typA';
const HOME = { stack: 'test', project: 'test' };
const resA: ProgramFunction = async ({ resource }) => void (await resource(TYPE, 'resA', {}, { parent: '' }));
const nothing: ProgramFunction = async () => {};

const kept: MockBehaviour = {
  create: () => ({ id: 'created', outputs: emptyMap, refreshBeforeUpdate: false }),
  read: ({ id, inputs, state }) => ({ id, inputs, outputs: state, refreshBeforeUpdate: false }),
};
const world = (behaviour: MockBehaviour = kept): MockWorld => new MockWorld({ pkgA: { behaviour } });

/** Returns entries without a provider: `resA`, and any others that `fill` adds. */
function oldState(fill: (builder: SnapshotBuilder) => void = () => {}, id = '0'): Snapshot {
  const builder = new SnapshotBuilder(HOME);
  builder.add(TYPE, 'resA', { id });
  fill(builder);
  return builder.build();
}

/** Runs for real, after a preview with the same steps. */
async function both(scenario: Omit<Scenario, 'preview'>): Promise<Outcome> {
  const preview = await runScenario({ ...scenario, preview: true });
  const outcome = await runScenario(scenario);
  expect(preview.trace.toSorted()).toEqual(outcome.trace.toSorted());
  return outcome;
}

const withoutStack = (trace: readonly string[]): readonly string[] =>
  trace.filter((line) => !line.endsWith('test-test')).toSorted();

describe('entries that name no provider', () => {
  test.each([
    ['up', 'up', resA, ['same provider:pkgA', 'same resA'], ['default', 'resA']],
    ['refresh', 'refresh', resA, ['refresh provider:pkgA', 'refresh resA'], ['default', 'resA']],
    ['destroy', 'destroy', resA, ['delete provider:pkgA', 'delete resA'], []],
  ] as const)('LT1-160 %s gives them a default provider', async (_title, kind, program, steps, left) => {
    const outcome = await both({ kind, program, prior: oldState(), providers: world() });
    expect(outcome.result.summary.result).toBe('succeeded');
    expect(withoutStack(outcome.trace)).toEqual(steps);
    expect(outcome.names.filter((name) => name !== 'test-test')).toEqual(left);
  });

  test('LT1-160 the stack lives on like any other', async () => {
    const providers = world();
    const run = (prior: Snapshot, scenario: Partial<Scenario>) => both({ prior, providers, ...scenario });
    let { snapshot } = await run(oldState(), { program: resA });
    const resource = snapshot.resources.find(({ urn }) => urnName(urn) === 'resA');
    expect(resource?.provider).toContain('pulumi:providers:pkgA::default::');
    ({ snapshot } = await run(snapshot, { kind: 'refresh' }));
    const again = await run(snapshot, { program: resA });
    expect(withoutStack(again.trace)).toEqual(['same provider:pkgA', 'same resA']);
    const destroyed = await run(again.snapshot, { kind: 'destroy' });
    expect(destroyed.names).toEqual([]);
    expect((await run(destroyed.snapshot, { kind: 'refresh' })).trace).toEqual([]);
  });

  const twice = () => oldState((builder) => builder.add(TYPE, 'resA', { id: '0', delete: true }), '1');

  test.each([
    ['LT1-088 by a program that does not want them', 'up', ['delete resA', 'delete-replaced resA']],
    ['LT1-089 by a destroy', 'destroy', ['delete resA', 'delete-replaced resA']],
  ] as const)('%s, a live entry and its pending delete go, each once', async (_title, kind, steps) => {
    const providers = world();
    const outcome = await runScenario({ kind, program: nothing, prior: twice(), providers });
    expect(outcome.steps.toSorted()).toEqual(steps);
    const deleted = providers.calls.filter(({ method }) => method === 'delete').map(({ request }) => request);
    expect(deleted.map((each) => (each as { id: string }).id).sort()).toEqual(['0', '1']);
    expect(outcome.names.filter((name) => name !== 'test-test')).toEqual([]);
  });

  test('settings come from the configuration, the version from the file', async () => {
    const providers = world();
    const prior = { ...oldState(), pluginVersions: { pkgA: '1.0.0' } };
    const { snapshot } = await runScenario({
      kind: 'refresh',
      prior,
      providers,
      config: {
        values: { 'pkgA:region': 'north', 'pkgA:key': 'k', 'pkgB:other': 'x' },
        secretKeys: ['pkgA:key'],
      },
    });
    const provider = snapshot.resources[0];
    const settings = { region: 'north', key: secret('k'), version: '1.0.0' };
    expect(provider?.inputs).toEqual(propertyMap({ ...settings, __internal: propertyMap({}) }));
    expect(provider?.outputs).toEqual(propertyMap(settings));
    expect(providers.instances.map(({ version }) => version)).toEqual(['1.0.0']);
  });

  test('a refresh of such a state finds what has changed, and what has gone', async () => {
    const providers = world({
      ...kept,
      read: ({ id, inputs }) =>
        id === 'gone'
          ? { id: '', inputs: undefined, outputs: undefined, refreshBeforeUpdate: false }
          : { id, inputs, outputs: propertyMap({ found: 'now' }), refreshBeforeUpdate: false },
    });
    const prior = oldState((builder) => {
      const gone = builder.add(TYPE, 'resB', { id: 'gone' });
      builder.add(TYPE, 'resC', { id: '2', parent: gone.urn, dependencies: [gone.urn] });
    });
    const { names, snapshot } = await both({ kind: 'refresh', prior, providers });
    expect(names).toEqual(['default', 'resA', 'resC']);
    expect(snapshot.resources.slice(1).map(({ outputs }) => outputs)).toEqual([
      propertyMap({ found: 'now' }),
      propertyMap({ found: 'now' }),
    ]);
    expect(snapshot.resources[2]).toMatchObject({ parent: undefined, dependencies: [] });
  });

  test('a default provider that is there is used, wherever it stands; parents stay before children', async () => {
    const builder = new SnapshotBuilder(HOME);
    const group = builder.component('test:index:Group', 'group');
    const child = builder.add(TYPE, 'child', { id: '0', parent: group.urn });
    builder.add(TYPE, 'grandchild', { id: '1', parent: child.urn, dependencies: [group.urn] });
    builder.provider('pkgA');
    const { names, snapshot, trace } = await both({
      kind: 'refresh',
      prior: builder.build(),
      providers: world(),
    });
    expect(trace.filter((line) => line.includes('provider:'))).toEqual(['refresh provider:pkgA']);
    expect(names.toSorted()).toEqual(['child', 'default', 'grandchild', 'group']);
    for (const { custom, type, provider } of snapshot.resources) {
      if (custom && !isProviderType(type)) expect(provider).toContain('::default::pkgA-default');
    }
  });
});

describe('provider entries without outputs', () => {
  test('LT1-025 their inputs count as outputs', async () => {
    const providers = world({
      ...kept,
      diffConfig: ({ oldOutputs, news }) => {
        const same = JSON.stringify(oldOutputs) === JSON.stringify(news);
        return same ? diffAnswer('none') : diffAnswer('some', { replaceKeys: [...Object.keys(news)] });
      },
    });
    const config = (foo: string) => ({ values: { 'pkgA:foo': foo }, secretKeys: [] });
    const stripped = ({ resources }: Snapshot): Snapshot => ({
      ...emptySnapshot,
      resources: resources.map((entry) =>
        isProviderType(entry.type) ? withEntry(entry, { outputs: emptyMap }) : entry,
      ),
    });
    const first = await both({ providers, program: resA, config: config('bar') });
    const { snapshot } = await both({
      kind: 'refresh',
      providers,
      prior: first.snapshot,
      config: config('bar'),
    });
    const same = await both({ providers, program: resA, prior: stripped(snapshot), config: config('bar') });
    expect(withoutStack(same.trace)).toEqual(['same provider:pkgA', 'same resA']);
    const changed = await both({
      providers,
      program: resA,
      prior: stripped(same.snapshot),
      config: config('baz'),
    });
    expect(changed.trace.filter((line) => line.startsWith('delete'))).toEqual([
      'delete-replaced resA',
      'delete-replaced provider:pkgA',
    ]);
  });
});
