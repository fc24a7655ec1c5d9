import { urnName } from '@cairn/addresses';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { UNKNOWN, propertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { DiffRequest, ReadRequest, ReadResponse, UpdateRequest } from '@cairn/wire';
import { MockWorld, SnapshotBuilder, diffAnswer, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Properties, Scenario } from '@cairn/testkit';

/** Refreshes that run the program, and ups that read resources when they are registered [REF-1]. */

const TYPE = 'pkgA:m:typA';
const COMPONENT = 'my:index:Comp';
const HOME = { project: 'test', stack: 'test' };
const refreshRun = { kind: 'refresh', runProgram: true } as const;
const upRefreshRun = { kind: 'up', runProgram: true, scope: { refresh: true } } as const;

const answer = (
  id: string,
  inputs: ReadResponse['inputs'],
  outputs: Properties | undefined,
): ReadResponse => ({
  id,
  inputs,
  outputs: outputs && propertyMap(outputs),
  refreshBeforeUpdate: false,
});
/** Reads these outputs, whatever is stored. */
const reads = (outputs: Properties): MockBehaviour => ({
  read: ({ id, inputs }) => answer(id, inputs, outputs),
});
const gone = (...names: readonly string[]): MockBehaviour => ({
  read: ({ name, id, inputs, state }) =>
    names.includes(name) ? answer('', undefined, undefined) : answer(id, inputs, state),
});

function entry({ resources }: Snapshot, name: string): ResourceEntry {
  const found = resources.find(({ urn }) => urnName(urn) === name);
  if (found === undefined) throw new Error(`no ${name} in the snapshot`);
  return found;
}

function requests<R>(providers: MockWorld, method: string): readonly R[] {
  return providers.calls.filter((call) => call.method === method).map(({ request }) => request as R);
}

const one =
  (inputs: Properties): ProgramFunction =>
  async ({ resource }) =>
    void (await resource(TYPE, 'resA', inputs));

/** Runs a preview, which must behave alike, and the operation itself; both without complaints. */
async function previewed(scenario: Scenario): Promise<Outcome> {
  const preview = await runScenario({ ...scenario, preview: true });
  expect(preview.complaints).toEqual([]);
  scenario.providers.forgetCalls();
  const outcome = await runScenario(scenario);
  expect(outcome.complaints).toEqual([]);
  expect([...outcome.steps].sort()).toEqual([...preview.steps].sort());
  return outcome;
}

describe('refresh with the program', () => {
  test('LT1-240 the program sees what was read; inputs stay the stored ones', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const { snapshot } = await runScenario({ providers, program: one({ foo: 'bar' }) });
    providers.install('pkgA', { behaviour: reads({ foo: 'baz' }) });
    const told: unknown[] = [];
    const outcome = await previewed({
      ...refreshRun,
      providers,
      prior: snapshot,
      program: async ({ resource }) => void told.push((await resource(TYPE, 'resA', { foo: 'qux' })).outputs),
    });
    expect(told).toEqual([{ foo: 'baz' }, { foo: 'baz' }]);
    expect(requests<ReadRequest>(providers, 'read')).toMatchObject([
      { inputs: { foo: 'bar' }, state: { foo: 'bar' } },
    ]);
    expect(entry(outcome.snapshot, 'resA')).toMatchObject({
      inputs: { foo: 'bar' },
      outputs: { foo: 'baz' },
    });
    expect(outcome.steps).toEqual(['refresh resA']);
  });

  test('LT1-243 the default provider has its present configuration', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const config = (auth: string) => ({ values: { 'pkgA:auth': auth }, secretKeys: [] });
    const { snapshot } = await runScenario({
      providers,
      program: one({ foo: 'bar' }),
      config: config('upauth'),
    });
    const read: MockBehaviour['read'] = ({ id, inputs }, { instance }) => {
      if (instance.settings?.['auth'] !== 'refreshauth')
        throw new ProviderError('UNAUTHENTICATED', 'wrong auth');
      return answer(id, inputs, { foo: 'read' });
    };
    providers.install('pkgA', { behaviour: { read } });
    const outcome = await previewed({
      ...refreshRun,
      providers,
      prior: snapshot,
      config: config('refreshauth'),
      program: one({ foo: 'other' }),
    });
    expect(entry(outcome.snapshot, 'resA')).toMatchObject({
      inputs: { foo: 'bar' },
      outputs: { foo: 'read' },
    });
    expect(entry(outcome.snapshot, 'default').inputs).toMatchObject({ auth: 'refreshauth' });
  });

  test('LT1-246 there may be more resources than workers', async () => {
    const providers = new MockWorld({ pkgA: { behaviour: reads({ seen: true }) } });
    const program: ProgramFunction = async ({ resource }) => {
      for (let index = 0; index < 12; index += 1) await resource(TYPE, `res${index}`);
    };
    const { snapshot } = await runScenario({ providers, program });
    const outcome = await previewed({ ...refreshRun, providers, prior: snapshot, program });
    expect(outcome.names).toEqual(snapshot.resources.map(({ urn }) => urnName(urn)));
    expect(requests(providers, 'read')).toHaveLength(12);
  });

  test('LT1-247 under an alias it is read by its new type', async () => {
    const providers = new MockWorld({ pkgA: { behaviour: reads({ seen: true }) } });
    let old = '';
    const { snapshot } = await runScenario({
      providers,
      program: async ({ resource }) => void (old = (await resource(TYPE, 'resA', { foo: 'bar' })).urn),
    });
    const outcome = await previewed({
      ...refreshRun,
      providers,
      prior: snapshot,
      program: async ({ resource }) =>
        void (await resource(
          'pkgA:m:typB',
          'resA',
          { foo: 'qux' },
          { aliases: [{ kind: 'urn', urn: old }] },
        )),
    });
    expect(requests<ReadRequest>(providers, 'read')).toMatchObject([{ type: 'pkgA:m:typB' }]);
    expect(entry(outcome.snapshot, 'resA')).toMatchObject({
      type: 'pkgA:m:typB',
      inputs: { foo: 'bar' },
      outputs: { seen: true },
    });
  });

  test('LT1-253 a failed read fails the refresh and changes nothing', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const { snapshot } = await runScenario({ providers, program: one({ foo: 'bar' }) });
    providers.failNext('read', 'resA', new ProviderError('INTERNAL', 'cannot look'));
    const outcome = await runScenario({
      ...refreshRun,
      providers,
      prior: snapshot,
      program: one({ foo: 'bar' }),
    });
    expect(outcome.result.summary.result).toBe('failed');
    expect(outcome.complaints).toEqual([expect.stringContaining('cannot look')]);
    expect(outcome.snapshot.resources).toEqual(snapshot.resources);
  });

  test('what is not registered is looked up through its provider in state; what is gone goes, with references to it [REF-5]', async () => {
    const providers = new MockWorld({ pkgA: { behaviour: gone('lost', 'stray') } });
    const { snapshot } = await runScenario({
      providers,
      program: async ({ resource }) => {
        const lost = await resource(TYPE, 'lost');
        const stray = await resource(TYPE, 'stray', {}, { parent: lost.urn });
        await resource(TYPE, 'kept', { x: 1 }, { dependencies: [stray.urn], parent: lost.urn });
        await resource(TYPE, 'child', {}, { parent: stray.urn });
      },
    });
    const outcome = await previewed({
      ...refreshRun,
      providers,
      prior: snapshot,
      program: async ({ resource }) => {
        const { id, unknown } = await resource(TYPE, 'lost');
        expect([id, unknown]).toEqual(['', true]);
      },
    });
    expect(outcome.names).toEqual(['test-test', 'default', 'kept', 'child']);
    const { urn: stack } = entry(outcome.snapshot, 'test-test');
    expect(entry(outcome.snapshot, 'kept')).toMatchObject({ dependencies: [], parent: stack });
    expect(entry(outcome.snapshot, 'child').parent).toBe(stack);
    expect(requests(providers, 'delete')).toEqual([]);
  });

  test('nothing is created, updated or replaced but providers and components [REF-5]', async () => {
    const providers = new MockWorld({
      pkgA: {
        behaviour: { diff: () => diffAnswer('some', { replaceKeys: ['foo'], deleteBeforeReplace: true }) },
      },
    });
    const { snapshot } = await runScenario({ providers, program: one({ foo: 'bar' }) });
    const outcome = await previewed({
      ...refreshRun,
      providers,
      prior: snapshot,
      program: async ({ resource, component, outputs }) => {
        const comp = await component(COMPONENT, 'comp');
        const fresh = await resource(TYPE, 'fresh', {}, { parent: comp.urn });
        expect(fresh.unknown).toBe(true);
        await outputs(comp.urn, { known: 1 });
        await resource(TYPE, 'resA', { foo: 'qux' }, { dependencies: [comp.urn] });
      },
    });
    expect([...outcome.steps].sort()).toEqual(['create comp', 'refresh resA']);
    expect(entry(outcome.snapshot, 'comp').outputs).toEqual({ known: 1 });
    expect(entry(outcome.snapshot, 'resA')).toMatchObject({ inputs: { foo: 'bar' }, dependencies: [] });
    expect(providers.called('create', 'update', 'delete')).toEqual([]);
  });

  test('what depends on something gone or new is looked up when it is registered, and answered with what was read [REF-5]', async () => {
    const lookUp: MockBehaviour = {
      read: ({ name, id, inputs }, { instance }) =>
        name === 'lost'
          ? answer('', undefined, undefined)
          : answer(id, inputs, { seen: instance.settings?.['region'] ?? 'none' }),
    };
    const providers = new MockWorld({ pkgA: { behaviour: lookUp } });
    const program =
      (region: string, told: string[]): ProgramFunction =>
      async (p) => {
        const provider = await p.provider('pkgA', 'prov', { region });
        const lost = await p.resource(TYPE, 'lost', {}, { provider });
        const needed = told.length === 0 ? [lost.urn] : [lost.urn, (await p.resource(TYPE, 'fresh')).urn];
        const own = await p.provider('pkgA', 'own', { region: 'own' }, { dependencies: [lost.urn] });
        const comp = await p.component(COMPONENT, 'comp', { dependencies: [lost.urn] });
        const options = {
          b: { provider, dependencies: needed },
          c: { provider: own },
          d: { parent: comp.urn },
        };
        for (const [name, each] of Object.entries(options)) {
          const { id, outputs } = await p.resource(TYPE, name, {}, each);
          if (told.length > 0) told.push(`${name} ${id !== ''} ${String(outputs['seen'])}`);
        }
      };
    const { snapshot } = await runScenario({ providers, program: program('old', []) });
    const told = ['told'];
    const outcome = await previewed({
      ...refreshRun,
      providers,
      prior: snapshot,
      program: program('new', told),
    });
    const seen = ['b true new', 'c true own', 'd true none'];
    expect(told).toEqual(['told', ...seen, ...seen]);
    expect(requests<ReadRequest>(providers, 'read').map(({ name }) => name)).toEqual(['lost', 'b', 'c', 'd']);
    expect(outcome.names).not.toContain('lost');
    expect(outcome.names).not.toContain('fresh');
    expect(entry(outcome.snapshot, 'b').dependencies).toEqual([]);
    expect(entry(outcome.snapshot, 'd').parent).toBe(entry(outcome.snapshot, 'comp').urn);
    expect(providers.called('create', 'update', 'delete')).toEqual([]);
  });

  test('a child of something new keeps a parent that is in state when it is renamed [REF-5]', async () => {
    const providers = new MockWorld({ pkgA: { behaviour: reads({ seen: true }) } });
    let old = '';
    const { snapshot } = await runScenario({
      providers,
      program: async ({ resource }) => void (old = (await resource(TYPE, 'resA', {})).urn),
    });
    const outcome = await previewed({
      ...refreshRun,
      providers,
      prior: snapshot,
      program: async ({ resource }) => {
        const fresh = await resource(TYPE, 'fresh');
        await resource(TYPE, 'resB', {}, { parent: fresh.urn, aliases: [{ kind: 'urn', urn: old }] });
      },
    });
    expect(entry(outcome.snapshot, 'resB')).toMatchObject({
      parent: entry(outcome.snapshot, 'test-test').urn,
      outputs: { seen: true },
    });
  });

  test('a provider that must be replaced takes no object with it [REF-5]', async () => {
    const replaced: MockBehaviour = {
      diffConfig: ({ oldInputs, news }) =>
        oldInputs['region'] === news['region']
          ? diffAnswer('none')
          : diffAnswer('some', { replaceKeys: ['region'], deleteBeforeReplace: true }),
    };
    const providers = new MockWorld({ pkgA: { behaviour: replaced } });
    const config = (region: string) => ({ values: { 'pkgA:region': region }, secretKeys: [] });
    const { snapshot } = await runScenario({
      providers,
      program: one({ foo: 'bar' }),
      config: config('here'),
    });
    const outcome = await previewed({
      ...refreshRun,
      providers,
      prior: snapshot,
      program: one({ foo: 'bar' }),
      config: config('there'),
    });
    expect(providers.alive).toEqual(['resA']);
    expect(entry(outcome.snapshot, 'resA').provider).toBe(entry(snapshot, 'resA').provider);
    const up = await runScenario({
      providers,
      prior: outcome.snapshot,
      program: one({ foo: 'bar' }),
      config: config('there'),
    });
    expect(up.complaints).toEqual([]);
    expect(up.steps).toEqual(['create-replacement resA', 'replace resA', 'delete-replaced resA']);
    expect(up.names).toEqual(
      ['default', 'resA', 'test-test'].sort((a, b) => up.names.indexOf(a) - up.names.indexOf(b)),
    );
  });

  test('outputs that come from what was left out keep what is stored of them [REF-5]', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const program =
      (fails: boolean): ProgramFunction =>
      async ({ resource }) => {
        const { outputs, unknown } = await resource(TYPE, fails ? 'other' : 'resA', { x: 1 });
        const x = unknown ? UNKNOWN : (outputs['x'] ?? 0);
        return { x, nested: [x], y: 2 };
      };
    const { snapshot } = await runScenario({ providers, program: program(false) });
    const outcome = await runScenario({ ...refreshRun, providers, prior: snapshot, program: program(true) });
    expect(outcome.complaints).toEqual([]);
    expect(outcome.result.stackOutputs).toEqual({ x: 1, nested: [1], y: 2 });
  });
});

describe('refresh with the program, whatever state and program are', () => {
  function found(): MockWorld {
    const behaviour: MockBehaviour = {
      read: ({ id, inputs, state }) => answer(id, inputs, state),
      diff: () => diffAnswer('none'),
    };
    return new MockWorld({ pkgA: { behaviour }, pkgB: { behaviour } });
  }

  test('LT1-256 a provider as the target', async () => {
    const prior = new SnapshotBuilder(HOME);
    const provider = prior.provider('pkgA', { name: 'prov' });
    const { urn } = prior.resource(TYPE, 'resA');
    prior.component(COMPONENT, 'comp', { inputs: propertyMap({ x: 1 }), propertyDependencies: { x: [urn] } });
    const outcome = await previewed({
      ...refreshRun,
      providers: found(),
      prior: prior.build(),
      scope: { targets: ['**::prov'], refresh: true },
      program: async (p) => {
        await p.provider('pkgA', 'prov', {}, { parent: '' });
        const resA = await p.resource(TYPE, 'resA', {}, { provider, parent: '' });
        await p.component(COMPONENT, 'comp', {
          parent: '',
          inputs: propertyMap({ x: 2 }),
          propertyDependencies: { x: [resA.urn] },
        } as never);
      },
    });
    expect(entry(outcome.snapshot, 'comp').inputs).toEqual({ x: 1 });
    expect(outcome.steps.filter((step) => step.startsWith('refresh'))).toEqual([]);
  });

  test('LT1-257 a target that the program does not register', async () => {
    const prior = new SnapshotBuilder(HOME);
    const provider = prior.provider('pkgA', { name: 'provA' });
    const resA = prior.resource(TYPE, 'resA');
    prior.component(COMPONENT, 'resB');
    prior.component(COMPONENT, 'resC', { dependencies: [resA.urn] });
    const outcome = await previewed({
      ...refreshRun,
      providers: found(),
      prior: prior.build(),
      scope: { targets: ['**::resB'] },
      program: async (p) => {
        await p.provider('pkgA', 'provA', {}, { parent: '' });
        const a = await p.resource(TYPE, 'resA', {}, { provider, parent: '' });
        await p.component(COMPONENT, 'resC', { parent: '', dependencies: [a.urn] });
      },
    });
    expect(outcome.steps).toContain('refresh resB');
    expect([...outcome.names].sort()).toEqual(['provA', 'resA', 'resB', 'resC', 'test-test']);
  });

  test('LT1-259 a component that depends on a resource that is not in state is left out as well', async () => {
    const prior = new SnapshotBuilder(HOME);
    const provider = prior.provider('pkgA', { name: 'provA' });
    const outcome = await previewed({
      ...refreshRun,
      providers: found(),
      prior: prior.build(),
      program: async (p) => {
        await p.provider('pkgA', 'provA', {}, { parent: '' });
        const a = await p.resource(TYPE, 'resA', {}, { provider });
        await p.component(COMPONENT, 'resB', { deletedWith: a.urn });
      },
    });
    expect(outcome.names).toEqual(['test-test', 'provA']);
  });

  test('LT1-260 a parent that is gone, and its child that is not registered', async () => {
    const prior = new SnapshotBuilder(HOME);
    const provider = prior.provider('pkgA', { name: 'prov' });
    const parent = prior.resource(TYPE, 'parent');
    prior.component(COMPONENT, 'child', { parent: parent.urn });
    const diff = () => {
      throw new ProviderError('INTERNAL', 'there is nothing to compare');
    };
    const providers = new MockWorld({ pkgA: { behaviour: { ...gone('parent'), diff } } });
    const outcome = await previewed({
      ...refreshRun,
      providers,
      prior: prior.build(),
      program: async (p) => {
        await p.provider('pkgA', 'prov', {}, { parent: '' });
        await p.resource(TYPE, 'parent', {}, { provider, parent: '' });
      },
    });
    expect(outcome.names).toEqual(['test-test', 'prov', 'child']);
    expect(entry(outcome.snapshot, 'child').parent).toBeUndefined();
  });

  test('LT1-262 only the target is looked up', async () => {
    const providers = new MockWorld({ pkgA: { behaviour: reads({ refreshed: true }) } });
    const program: ProgramFunction = async ({ resource }) => {
      for (const name of ['resA', 'resB', 'resC']) await resource(TYPE, name);
    };
    const { snapshot } = await runScenario({ providers, program });
    const outcome = await previewed({
      ...refreshRun,
      providers,
      prior: snapshot,
      program,
      scope: { targets: ['**::resB'] },
    });
    expect(outcome.names).toHaveLength(5);
    const refreshed = outcome.snapshot.resources.filter(({ outputs }) => outputs['refreshed'] === true);
    expect(refreshed.map(({ urn }) => urnName(urn))).toEqual(['resB']);
  });

  test('LT1-263 links to what is left out drop', async () => {
    const prior = new SnapshotBuilder(HOME);
    prior.component(COMPONENT, 'resA');
    const outcome = await previewed({
      ...refreshRun,
      scope: { refresh: true },
      providers: found(),
      prior: prior.build(),
      program: async (p) => {
        const b = await p.resource(TYPE, 'resB', {}, { parent: '' });
        const a = await p.component(COMPONENT, 'resA', { parent: '', deletedWith: b.urn });
        await p.component(COMPONENT, 'resC', { parent: '', deletedWith: a.urn });
      },
    });
    expect(outcome.names.filter((name) => name.startsWith('res'))).toEqual(['resA']);
    expect(entry(outcome.snapshot, 'resA').deletedWith).toBeUndefined();
  });
});

describe('up with refresh and the program', () => {
  const replacing = (deleteBeforeReplace: boolean): MockBehaviour => ({
    diff: ({ name }) =>
      name === 'resA'
        ? diffAnswer('some', { replaceKeys: ['foo'], deleteBeforeReplace })
        : diffAnswer('unknown'),
  });
  const pair =
    (foo: string): ProgramFunction =>
    async ({ resource }) => {
      const a = await resource(TYPE, 'resA', { foo });
      await resource(TYPE, 'resB', { from: a.outputs['foo'] }, { dependencies: [a.urn] });
    };

  test('LT1-249 delete-first replacements take their dependents along', async () => {
    const providers = new MockWorld({ pkgA: { behaviour: replacing(true) } });
    const { snapshot } = await runScenario({ providers, program: pair('bar') });
    const outcome = await previewed({ ...upRefreshRun, providers, prior: snapshot, program: pair('baz') });
    expect(entry(outcome.snapshot, 'resA').id).not.toBe(entry(snapshot, 'resA').id);
    expect(outcome.names).toHaveLength(4);
    expect(providers.alive).toEqual(['resA', 'resB']);
  });

  test('LT1-250 the old object of a create-first replacement is deleted', async () => {
    const providers = new MockWorld({ pkgA: { behaviour: replacing(false) } });
    const { snapshot } = await runScenario({ providers, program: one({ foo: 'bar' }) });
    const outcome = await previewed({
      ...upRefreshRun,
      providers,
      prior: snapshot,
      program: one({ foo: 'baz' }),
    });
    expect(outcome.steps).toEqual([
      'refresh resA',
      'create-replacement resA',
      'replace resA',
      'delete-replaced resA',
    ]);
    expect(entry(outcome.snapshot, 'resA').id).not.toBe(entry(snapshot, 'resA').id);
    expect([...providers.objects.keys()]).toEqual([entry(outcome.snapshot, 'resA').id]);
  });

  test('LT1-061 LT1-093 an interrupted replacement is not looked up; it is completed', async () => {
    const providers = new MockWorld({ pkgA: { behaviour: replacing(true) } });
    const { snapshot } = await runScenario({ providers, program: one({ foo: 'bar' }) });
    providers.failNext('create', 'resA', new ProviderError('INVALID_ARGUMENT', 'no'));
    const failed = await runScenario({ providers, prior: snapshot, program: one({ foo: 'baz' }) });
    expect(failed.names).toContain('resA(pending)');
    const outcome = await previewed({
      ...upRefreshRun,
      providers,
      prior: failed.snapshot,
      program: one({ foo: 'baz' }),
    });
    expect(outcome.steps).toEqual(['replace resA', 'create-replacement resA']);
    expect(providers.called('read', 'delete', 'create')).toEqual(['create resA']);
    expect(entry(outcome.snapshot, 'resA').pendingReplacement).toBe(false);
    expect(outcome.names).toHaveLength(3);
  });

  test('what is gone is created, what is not registered is deleted without a look [REF-5]', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const program =
      (...names: readonly string[]): ProgramFunction =>
      async ({ resource }) => {
        for (const name of names) await resource(TYPE, name, { x: 1 });
      };
    const { snapshot } = await runScenario({ providers, program: program('resA', 'resB') });
    providers.objects.delete(entry(snapshot, 'resA').id);
    const outcome = await previewed({
      ...upRefreshRun,
      providers,
      prior: snapshot,
      program: program('resA'),
    });
    expect(outcome.steps).toEqual(['refresh resA', 'create resA', 'delete resB']);
    expect(requests<ReadRequest>(providers, 'read').map(({ name }) => name)).toEqual(['resA']);
    expect(providers.alive).toEqual(['resA']);
  });

  test('what was found is compared with the goal, and recorded when the update fails [REF-5]', async () => {
    const providers = new MockWorld({
      pkgA: { behaviour: { read: ({ id }) => answer(id, propertyMap({ foo: 'drift' }), { foo: 'drift' }) } },
    });
    const { snapshot } = await runScenario({ providers, program: one({ foo: 'bar' }) });
    providers.failNext('update', 'resA', new ProviderError('INVALID_ARGUMENT', 'no'));
    const outcome = await runScenario({
      ...upRefreshRun,
      providers,
      prior: snapshot,
      program: one({ foo: 'bar' }),
    });
    expect(outcome.steps).toEqual(['refresh resA', '!update resA']);
    expect(requests<DiffRequest>(providers, 'diff').at(-1)).toMatchObject({
      oldInputs: { foo: 'drift' },
      news: { foo: 'bar' },
    });
    expect(entry(outcome.snapshot, 'resA')).toMatchObject({
      inputs: { foo: 'drift' },
      outputs: { foo: 'drift' },
    });
  });

  test('LT1-268 a preview updates from what was found', async () => {
    const providers = new MockWorld({
      pkgA: {
        behaviour: {
          ...reads({ foo: 'baz' }),
          update: () => ({ outputs: propertyMap({ foo: 'qux' }), refreshBeforeUpdate: false }),
        },
      },
    });
    let runs = 0;
    const told: unknown[] = [];
    const program =
      (foo: string): ProgramFunction =>
      async ({ resource }) => {
        runs += 1;
        told.push((await resource(TYPE, 'resA', { foo })).outputs);
      };
    const { snapshot } = await runScenario({ providers, program: program('bar') });
    const preview = await runScenario({
      ...upRefreshRun,
      preview: true,
      providers,
      prior: snapshot,
      program: program('qux'),
    });
    expect(preview.steps).toEqual(['refresh resA', 'update resA']);
    expect(requests<ReadRequest>(providers, 'read')).toMatchObject([
      { inputs: { foo: 'bar' }, state: { foo: 'bar' } },
    ]);
    expect(requests<UpdateRequest>(providers, 'update')).toMatchObject([
      { preview: true, news: { foo: 'qux' }, oldOutputs: { foo: 'baz' } },
    ]);
    expect([runs, told]).toEqual([2, [{ foo: 'bar' }, { foo: 'qux' }]]);
    expect(preview.store.records).toEqual([]);
  });
});
