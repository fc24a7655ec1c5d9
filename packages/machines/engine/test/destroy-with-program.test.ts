import { urnName } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { DeleteRequest } from '@cairn/wire';
import { propertyMap } from '@cairn/values';
import { MockWorld, SnapshotBuilder, invokeRequest, registerRequest, runScenario } from '@cairn/testkit';
import { ScriptedWorld } from '@cairn/testkit/fuzz';
import type { MockBehaviour, Outcome, ProgramFunction, Properties, Scenario } from '@cairn/testkit';

/** Destroys that run the program [DEL-7]. */

const TYPE = 'pkgA:m:typA';
const HOME = { project: 'test', stack: 'test' };

/** Created objects answer `foo: baz`, whatever their inputs. */
const baz: MockBehaviour = {
  create: async (_request, { standard }) => ({ ...(await standard()), outputs: propertyMap({ foo: 'baz' }) }),
};

/** Runs a preview, which must behave alike, and the operation itself. */
async function previewed(scenario: Scenario): Promise<Outcome> {
  const { providers } = scenario;
  const before = providers.alive;
  const preview = await runScenario({ ...scenario, preview: true });
  expect(preview.result.summary.result).toBe('succeeded');
  expect(providers.alive).toEqual(before);
  providers.forgetCalls();
  const outcome = await runScenario(scenario);
  expect(outcome.complaints).toEqual([]);
  expect(sorted(outcome.steps)).toEqual(sorted(preview.steps));
  return outcome;
}

const sorted = (lines: readonly string[]) => [...lines].sort();

const destroyRun = { kind: 'destroy', runProgram: true } as const;

function deletes(providers: MockWorld): readonly DeleteRequest[] {
  return providers.calls
    .filter(({ method }) => method === 'delete')
    .map(({ request }) => request as DeleteRequest);
}

const both: ProgramFunction = async ({ resource }) => {
  await resource(TYPE, 'resA', { foo: 'bar' });
  await resource(TYPE, 'resB', { foo: 'bar' });
};

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['LT1-105 everything goes with what is stored, registered or not', [], ['resB', 'resA'], []],
  ['LT1-106 only the target goes', ['**::resA'], ['resA'], ['test-test', 'default', 'resB']],
])('%s', async (_title, targets, gone, left) => {
  const providers = new MockWorld({ pkgA: { behaviour: baz } });
  const { snapshot } = await runScenario({ providers, program: both });
  const told: unknown[] = [];
  const outcome = await previewed({
    ...destroyRun,
    providers,
    prior: snapshot,
    scope: { targets },
    program: async ({ resource }) => {
      const { id, outputs } = await resource(TYPE, 'resA', { foo: 'qux' });
      told.push([id, outputs]);
    },
  });
  const { id } = snapshot.resources.find(({ urn }) => urnName(urn) === 'resA') ?? {};
  expect(told).toEqual([
    [id, { foo: 'baz' }],
    [id, { foo: 'baz' }],
  ]);
  expect(sorted(deletes(providers).map(({ name }) => name))).toEqual(sorted(gone));
  for (const { oldInputs, oldOutputs } of deletes(providers)) {
    expect([oldInputs, oldOutputs]).toEqual([{ foo: 'bar' }, { foo: 'baz' }]);
  }
  expect(outcome.names).toEqual(left);
});

test.each<[string, Properties, Properties, readonly string[]]>([
  ['what the program retains now stays', {}, { retainOnDelete: true }, ['resB']],
  ['what it retains no longer goes', { retainOnDelete: true }, {}, ['resA', 'resB']],
  ['what it protects no longer goes', { protect: true }, {}, ['resA', 'resB']],
  ['what goes with another one since then has no call', {}, { deletedWith: 'resB' }, ['resB']],
  ['what no longer goes with another one has a call', { deletedWith: 'resB' }, {}, ['resA', 'resB']],
])('%s', async (_title, before, now, called) => {
  const providers = new MockWorld({ pkgA: { behaviour: baz } });
  const program =
    (options: Properties): ProgramFunction =>
    async ({ resource }) => {
      const { urn } = await resource(TYPE, 'resB', {});
      await resource(TYPE, 'resA', {}, { ...options, ...('deletedWith' in options && { deletedWith: urn }) });
    };
  const { snapshot } = await runScenario({ providers, program: program(before) });
  const outcome = await previewed({ ...destroyRun, providers, prior: snapshot, program: program(now) });
  expect(sorted(deletes(providers).map(({ name }) => name))).toEqual(called);
  expect(outcome.names).toEqual([]);
});

test('what the program protects now stays, and so does everything else', async () => {
  const providers = new MockWorld({ pkgA: { behaviour: baz } });
  const { snapshot } = await runScenario({ providers, program: both });
  const { complaints, names } = await runScenario({
    ...{ ...destroyRun, providers, prior: snapshot },
    program: async ({ resource }) => void (await resource(TYPE, 'resA', { foo: 'bar' }, { protect: true })),
  });
  expect(complaints).toEqual([expect.stringContaining('resA')]);
  expect(names).toContain('resA');
});

test('an object that depends on another one does not go before it because the program says so', async () => {
  const providers = new MockWorld({ pkgA: { behaviour: baz } });
  const { snapshot } = await runScenario({
    providers,
    program: async ({ resource }) => {
      const { urn } = await resource(TYPE, 'resA', {});
      await resource(TYPE, 'resB', {}, { dependencies: [urn] });
    },
  });
  await previewed({
    ...{ ...destroyRun, providers, prior: snapshot },
    program: async ({ resource }) => {
      const { urn } = await resource(TYPE, 'resB', {});
      await resource(TYPE, 'resA', {}, { deletedWith: urn });
    },
  });
  expect(deletes(providers).map(({ name }) => name)).toEqual(['resB', 'resA']);
});

test('LT1-110 what is not in state is skipped, with what depends on it; what is in state goes all the same', async () => {
  const providers = new MockWorld({ pkgA: { behaviour: baz } });
  const { snapshot } = await runScenario({
    providers,
    program: async ({ resource }) => void (await resource(TYPE, 'resA')),
  });
  const outcome = await previewed({
    ...destroyRun,
    providers,
    prior: snapshot,
    program: async ({ resource, component, outputs }) => {
      const b = await resource(TYPE, 'resB');
      expect([b.id, b.unknown, b.result]).toEqual(['', true, 'success']);
      const comp = await component('my:index:Comp', 'comp', { dependencies: [b.urn] });
      await outputs(comp.urn, { from: 'comp' });
      const a = await resource(TYPE, 'resA', {}, { dependencies: [comp.urn] });
      expect([a.outputs, a.unknown]).toEqual([{ foo: 'baz' }, false]);
    },
  });
  expect(outcome.steps).toEqual(['delete resA']);
  expect(providers.called('create', 'delete')).toEqual(['delete resA']);
  expect(outcome.names).toEqual([]);
});

test('LT1-111 a resource found through an alias below a skipped parent is deleted once', async () => {
  const providers = new MockWorld({ pkgA: { behaviour: baz } });
  let old = '';
  const { snapshot } = await runScenario({
    providers,
    program: async ({ resource }) => void (old = (await resource(TYPE, 'resA', {}, { parent: '' })).urn),
  });
  const outcome = await previewed({
    ...destroyRun,
    providers,
    prior: snapshot,
    program: async ({ resource }) => {
      const parent = await resource(TYPE, 'resB');
      const { outputs } = await resource(
        TYPE,
        'resA',
        {},
        { parent: parent.urn, aliases: [{ kind: 'urn', urn: old }] },
      );
      expect(outputs).toEqual({ foo: 'baz' });
    },
  });
  expect(deletes(providers).map(({ urn }) => urn)).toEqual([old]);
  expect(outcome.names).toEqual([]);
});

test('LT1-112 reads are read and forgotten without a call', async () => {
  const providers = new MockWorld({
    pkgA: {
      behaviour: {
        read: ({ id }) => ({
          id,
          inputs: undefined,
          outputs: propertyMap({ found: id }),
          refreshBeforeUpdate: false,
        }),
      },
    },
  });
  const program =
    (inputs: Properties): ProgramFunction =>
    async ({ read, resource }) => {
      const { properties } = await read(TYPE, 'resA', 'id');
      expect(properties).toEqual({ found: 'id' });
      await resource(TYPE, 'resB', inputs);
    };
  const { snapshot } = await runScenario({ providers, program: program({ foo: 'bar' }) });
  const stored = snapshot.resources.find(({ urn }) => urnName(urn) === 'resA');
  expect([stored?.inputs, stored?.outputs]).toEqual([{}, { found: 'id' }]);
  const outcome = await previewed({
    ...destroyRun,
    providers,
    prior: snapshot,
    program: program({ foo: 'qux' }),
  });
  expect(sorted(outcome.steps)).toEqual(['delete resB', 'read resA', 'read-discard resA', 'same resB']);
  expect(deletes(providers).map(({ name }) => name)).toEqual(['resB']);
  expect(outcome.names).toEqual([]);
});

test('a read keeps its place although its program turns a dependency around [DEL-7]', async () => {
  const providers = new ScriptedWorld();
  const { snapshot } = await runScenario({
    providers,
    program: async ({ resource, read }) => {
      const { urn } = await read(TYPE, 'seen', 'outside-seen');
      await resource(TYPE, 'kept', {}, { dependencies: [urn], protect: true });
    },
  });
  const outcome = await runScenario({
    ...destroyRun,
    providers,
    prior: snapshot,
    program: async ({ resource, component, read }) => {
      const { urn } = await resource(TYPE, 'kept', {}, { protect: true });
      const comp = await component('my:index:Comp', 'comp', { dependencies: [urn] });
      await read(TYPE, 'seen', 'outside-seen', { dependencies: [comp.urn] });
    },
  });
  expect(outcome.names).toEqual(['test-test', 'default', 'seen', 'kept']);
  expect(outcome.snapshot.resources.map(({ dependencies }) => dependencies.map(urnName))).toEqual([
    ...[[], [], []],
    ['seen'],
  ]);
});

test('objects are deleted through providers with their present configuration [DEL-7]', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const config = (region: string) => ({ values: { 'pkgA:region': region }, secretKeys: [] });
  const { snapshot } = await runScenario({ providers, program: both, config: config('old') });
  const outcome = await previewed({
    ...destroyRun,
    providers,
    prior: snapshot,
    config: config('new'),
    program: async ({ resource }) => void (await resource(TYPE, 'resA')),
  });
  const settings = providers.calls
    .filter(({ method }) => method === 'delete')
    .map(({ instance }) => instance.settings);
  expect(settings).toEqual([{ region: 'new' }, { region: 'new' }]);
  expect(outcome.trace).toContain('update provider:pkgA');
  expect(outcome.names).toEqual([]);
});

test('what the run itself registers goes again: new providers, components and reads [DEL-7]', async () => {
  const providers = new MockWorld({
    pkgA: {
      behaviour: {
        read: ({ id }) => ({ id, inputs: undefined, outputs: propertyMap({}), refreshBeforeUpdate: false }),
      },
    },
  });
  const { snapshot } = await runScenario({ providers, program: both });
  const outcome = await previewed({
    ...destroyRun,
    providers,
    prior: snapshot,
    program: async ({ resource, component, provider, read }) => {
      const { urn } = await component('my:index:Comp', 'comp');
      const own = await provider('pkgA', 'own', { region: 'there' }, { parent: urn });
      await read(TYPE, 'seen', 'some-id', { provider: own });
      await resource(TYPE, 'resA', {}, { provider: own, parent: urn, aliases: [] });
    },
  });
  expect(outcome.names).toEqual([]);
  expect(providers.alive).toEqual([]);
});

describe('whatever the state and the program are', () => {
  const rename = (urn: string) => [{ kind: 'urn' as const, urn }];
  /** Destroys, and checks that entries are gone and none refers to a missing one: the replay checks that. */
  async function destroyed(
    scenario: Partial<Scenario> & Pick<Scenario, 'prior' | 'program'>,
  ): Promise<Outcome> {
    const providers = new MockWorld({
      pkgA: {
        behaviour: {
          read: async ({ id, inputs, state }) => ({ id, inputs, outputs: state, refreshBeforeUpdate: false }),
        },
      },
      pkgB: {},
    });
    const whole = { ...destroyRun, providers, ...scenario };
    await runScenario({ ...whole, preview: true });
    return runScenario(whole);
  }

  test('LT1-116 a target gets a provider as a child', async () => {
    const prior = new SnapshotBuilder(HOME);
    const future = prior.component('my:index:Comp', 'future-parent');
    prior.provider('pkgA', { name: 'prov' });
    const program =
      (aliases: string[]): ProgramFunction =>
      async ({ component, provider }) => {
        const { urn } = await component('my:index:Comp', 'future-parent', { parent: '' });
        await provider('pkgA', 'prov', {}, { parent: urn, aliases: aliases.flatMap(rename) });
      };
    const old = prior.build().resources[1]?.urn ?? '';
    for (const aliases of [[], [old]]) {
      const scope = { targets: [future.urn], targetDependents: true };
      const outcome = await destroyed({ prior: prior.build(), program: program(aliases), scope });
      expect(outcome.names).not.toContain('future-parent');
    }
  });

  test.each([false, true])(
    'LT1-118 pending deletes that depend on a live entry (refresh: %s)',
    async (refresh) => {
      const prior = new SnapshotBuilder(HOME);
      prior.provider('pkgA', { name: 'prov' });
      prior.resource(TYPE, 'resA');
      prior.resource(TYPE, 'resA', {}, { delete: true, id: 'old' });
      const live = prior.build().resources[1]?.urn;
      prior.resource(
        TYPE,
        'resB',
        {},
        { delete: true, pendingReplacement: true, dependencies: live === undefined ? [] : [live] },
      );
      const outcome = await destroyed({
        prior: prior.build(),
        scope: { refresh },
        program: async ({ provider }) => void (await provider('pkgA', 'prov', {}, { parent: '' })),
      });
      expect(outcome.complaints).toEqual([]);
      expect(outcome.names).toEqual([]);
    },
  );

  test('LT1-119 a provider below a new component, under an alias', async () => {
    const prior = new SnapshotBuilder(HOME);
    prior.provider('pkgA', { name: 'provA' });
    const resA = prior.resource(TYPE, 'resA');
    const other = prior.resource(TYPE, 'other', {}, { dependencies: [resA.urn] });
    const old = prior.build().resources[0]?.urn ?? '';
    const outcome = await destroyed({
      prior: prior.build(),
      program: async ({ component, provider, resource }) => {
        const { urn } = await component('my:index:Comp', 'comp');
        const moved = await provider('pkgA', 'provA', {}, { parent: urn, aliases: rename(old) });
        await resource(TYPE, 'resA', {}, { provider: moved, parent: '' });
      },
    });
    expect(outcome.complaints).toEqual([]);
    expect(outcome.steps.filter((step) => step.startsWith('delete'))).toEqual([
      `delete ${urnName(other.urn)}`,
      'delete resA',
      'delete comp',
    ]);
    expect(outcome.names).toEqual([]);
  });

  test('LT1-120 two copies of a provider with one id, moved below a new resource, as targets', async () => {
    const prior = new SnapshotBuilder(HOME);
    const provA = prior.provider('pkgA', { name: 'provA' });
    prior.provider('pkgB', { name: 'provB', id: 'one-id' });
    const provB = prior.provider('pkgB', { name: 'provB', id: 'one-id' });
    prior.resource('pkgB:m:typB', 'resD', {}, { provider: provB });
    const [first, stale, live, resD] = prior.build().resources as readonly ResourceEntry[] as [
      ResourceEntry,
      ResourceEntry,
      ResourceEntry,
      ResourceEntry,
    ];
    const outcome = await destroyed({
      prior: { ...prior.build(), resources: [first, { ...stale, delete: true }, live, resD] },
      scope: { targets: ['**::resD', '**::provB'], refresh: true },
      program: async ({ resource, provider }) => {
        await provider('pkgA', 'provA', {}, { parent: '' });
        const fresh = await resource(TYPE, 'fresh', {}, { provider: provA });
        await provider('pkgB', 'provB', {}, { parent: fresh.urn, aliases: rename(live.urn) });
      },
    });
    expect(outcome.complaints).toEqual([]);
    expect(outcome.names).toEqual(['test-test', 'provA']);
  });
});

test('nothing is asked of plugins about what is left out: constructors, functions and methods [DEL-7]', async () => {
  const construct: MockBehaviour['construct'] = () => {
    throw new Error('a constructor is called');
  };
  const providers = new MockWorld({ pkgA: { behaviour: { ...baz, construct } } });
  const { snapshot } = await runScenario({
    providers,
    program: async ({ resource }) => void (await resource(TYPE, 'resA')),
  });
  const told: unknown[] = [];
  const outcome = await previewed({
    ...destroyRun,
    providers,
    prior: snapshot,
    program: async ({ resource, provider, monitor, stack }) => {
      const fresh = await resource(TYPE, 'fresh');
      const own = await provider('pkgA', 'own', {}, { dependencies: [fresh.urn] });
      const remote = { type: 'pkgA:m:Comp', name: 'remote', custom: false, remote: true, parent: stack };
      for (const needs of [{ dependencies: [fresh.urn] }, { provider: own }]) {
        const name = `remote-${Object.keys(needs)[0] ?? ''}`;
        const comp = await monitor.registerResource(registerRequest({ ...remote, name, ...needs }));
        told.push(comp.unknown);
      }
      const question = { token: 'pkgA:m:ask', provider: own };
      told.push((await monitor.invoke(invokeRequest(question))).unknown);
    },
  });
  expect(told).toEqual([true, true, true, true, true, true]);
  expect(outcome.steps.filter((step) => !step.startsWith('same'))).toEqual(['delete resA']);
  expect(outcome.names).toEqual([]);
});
