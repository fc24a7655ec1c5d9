import { makeUrn, parseProviderReference, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { UNKNOWN } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { RegisterResourceRequest } from '@cairn/wire';
import { MockWorld, SnapshotBuilder, noSelector, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramContext, ProgramFunction, Scenario } from '@cairn/testkit';

/** Targets where providers matter, and old states that only targets can lead to [TGT-4] [TGT-8]. */

const HOME = { project: 'test', stack: 'test' };
const TYPE = 'pkgA:m:typA';
const TARGET = { targets: ['**target**'] };

const urn = (type: string, name: string, parent?: Urn) => makeUrn({ ...HOME, type, name, parent });
const version = (text: string): Partial<RegisterResourceRequest> => ({
  package: { ...noSelector, version: text },
});
const alias = (old: Urn): Partial<RegisterResourceRequest> => ({ aliases: [{ kind: 'urn', urn: old }] });

/** Operations on one stack, each on the state that the one before it left. */
class Stack {
  constructor(
    readonly providers: MockWorld,
    public snapshot: Snapshot = emptySnapshot,
  ) {}

  async up(program: ProgramFunction, scope: Scenario['scope'] = {}): Promise<Outcome> {
    const scenario = { program, scope, providers: this.providers, prior: this.snapshot };
    const preview = await runScenario({ ...scenario, preview: true });
    const outcome = await runScenario(scenario);
    expect(errors(preview)).toEqual(errors(outcome));
    this.snapshot = outcome.snapshot;
    return outcome;
  }

  async destroy(scope: Scenario['scope']): Promise<Outcome> {
    const { providers, snapshot: prior } = this;
    const outcome = await runScenario({ kind: 'destroy', providers, prior, scope });
    this.snapshot = outcome.snapshot;
    return outcome;
  }

  /** Names of the entries, without the stack itself. */
  get names(): readonly string[] {
    return this.snapshot.resources.map((entry) => urnName(entry.urn)).filter((name) => name !== 'test-test');
  }

  entry(name: string): ResourceEntry {
    const found = this.snapshot.resources.find((entry) => urnName(entry.urn) === name && !entry.delete);
    if (found === undefined) throw new Error(`no entry ${name}`);
    return found;
  }

  /** Returns the name of the provider that an entry refers to. */
  providerOf(name: string): string {
    const { provider } = this.entry(name);
    return provider === undefined ? '' : urnName(parseProviderReference(provider).urn);
  }
}

const errors = ({ complaints }: Outcome) => complaints.filter((line) => line.startsWith('error '));

describe('providers under targets', () => {
  test('LT2-038 an untargeted resource that asks for another version of its provider', async () => {
    const stack = new Stack(new MockWorld({ pkgA: {}, pkgB: [{ version: '1.0.0' }, { version: '2.0.0' }] }));
    const unrelated = ['unrelated1', 'unrelated2'];
    const program =
      (v: number, first: string): ProgramFunction =>
      async ({ resource }) => {
        await resource(TYPE, 'target', { v });
        for (const name of unrelated) {
          const asked = name === 'unrelated1' ? first : '1.0.0';
          await resource('pkgB:m:typB', name, { v }, version(asked));
        }
      };
    await stack.up(program(1, '1.0.0'));
    expect(stack.snapshot.resources).toHaveLength(6);
    const failed = await stack.up(program(2, '2.0.0'), TARGET);
    expect(errors(failed)).toEqual([
      expect.stringContaining(
        `for resource ${stack.entry('unrelated1').urn} has not been registered yet, this is due to a change of ` +
          'providers mixed with --target. Change your program back to the original providers',
      ),
    ]);
    expect(stack.snapshot.resources).toHaveLength(7);
    expect(stack.providerOf('unrelated1')).toBe('default_1_0_0');
    expect(stack.names).toContain('default_2_0_0');
  });

  test('LT2-040 an untargeted resource that moves to the default provider', async () => {
    const stack = new Stack(new MockWorld({ pkgA: {}, pkgB: {} }));
    let returned = false;
    const program =
      (isExplicit: boolean): ProgramFunction =>
      async ({ resource, provider }) => {
        await resource(TYPE, 'target', { isExplicit });
        const options = isExplicit ? { provider: await provider('pkgB', 'explicit') } : {};
        await resource('pkgB:m:typB', 'unrelated', {}, options);
        returned = !isExplicit;
      };
    await stack.up(program(true));
    expect(stack.snapshot.resources).toHaveLength(5);
    const failed = await stack.up(program(false), TARGET);
    expect(errors(failed)).toEqual([expect.stringContaining('has not been registered yet')]);
    expect([returned, stack.snapshot.resources.length]).toEqual([false, 6]);
    expect(stack.providerOf('unrelated')).toBe('explicit');
  });

  test('an untargeted provider that is renamed and re-parented takes its untouched resources along [TGT-8]', async () => {
    const stack = new Stack(new MockWorld({ pkgA: {}, pkgB: {} }));
    const program =
      (v: number): ProgramFunction =>
      async ({ resource, provider, component }) => {
        await resource(TYPE, 'target', { v });
        const { urn: parent } = await component('my:index:Home', 'home');
        const old = urn('pulumi:providers:pkgB', 'old');
        const reference =
          v === 1
            ? await provider('pkgB', 'old', { v })
            : await provider('pkgB', 'new', { v }, { parent, ...alias(old) });
        await resource('pkgB:m:typB', 'unrelated', { v }, { provider: reference });
      };
    await stack.up(program(1));
    const { id } = stack.entry('old');
    const run = await stack.up(program(2), TARGET);
    expect(errors(run)).toEqual([]);
    expect(run.trace).toEqual(expect.arrayContaining(['update new', 'same unrelated', 'update target']));
    expect([stack.entry('new').id, stack.providerOf('unrelated')]).toEqual([id, 'new']);
    expect(stack.entry('unrelated').inputs).toEqual({ v: 1 });
  });

  test('LT2-045 a provider that cannot be configured harms no run on other packages', async () => {
    const broken: { is: boolean } = { is: false };
    const configure: MockBehaviour['configure'] = async (_request, { standard }) => {
      if (broken.is) throw new ProviderError('INTERNAL', 'no credentials');
      return standard();
    };
    const program =
      (withA: boolean): ProgramFunction =>
      async ({ resource }) => {
        if (withA) await resource(TYPE, 'resA');
        await resource('pkgB:m:typB', 'resB');
      };
    for (const stillRegistered of [false, true]) {
      broken.is = false;
      const stack = new Stack(new MockWorld({ pkgA: { behaviour: { configure } }, pkgB: {} }));
      await stack.up(program(true));
      broken.is = true;
      const before = stack.names.toSorted();
      const targets = [urn('pkgB:m:typB', 'resB')];
      expect(errors(await stack.up(program(stillRegistered), { targets }))).toEqual([]);
      expect(stack.names.toSorted()).toEqual(before);
      stack.providers.forgetCalls();
      expect(errors(await stack.destroy({ targets }))).toEqual([]);
      expect(stack.names.toSorted()).toEqual(before.filter((name) => name !== 'resB'));
      expect(stack.providers.called('configure')).toEqual(['configure default']);
    }
  });
});

describe('values of what was excluded before it existed', () => {
  const program: ProgramFunction = async ({ resource, provider }) => {
    const { urn: needed } = await resource(TYPE, 'resA');
    const options = { dependencies: [needed], propertyDependencies: { in: [needed] } };
    const prov = await provider('pkgA', 'prov', { in: UNKNOWN }, options);
    await resource(TYPE, 'resB', {}, { provider: prov });
    await resource(TYPE, 'resC', { in: UNKNOWN, b: 1 }, options);
    await resource(TYPE, 'resD');
  };
  const excludes = [urn(TYPE, 'resA')];

  test.each([false, true])(
    'they are missed before anything is created with them (over the wire: %s)',
    async (overWire) => {
      const scenario = { program, overWire, scope: { excludes }, providers: new MockWorld({ pkgA: {} }) };
      const preview = await runScenario({ ...scenario, preview: true });
      const text = 'needs values of a resource that does not exist and is left out: in';
      expect(errors(preview)).toEqual([expect.stringContaining(text), expect.stringContaining(text)]);
      const outcome = await runScenario(scenario);
      expect(errors(outcome)).toEqual([expect.stringContaining(`::prov ${text}`)]);
      expect(outcome.names).toEqual(['test-test', 'default']);
    },
  );

  test('with dependents they are excluded too, and so is a provider that lives of them', async () => {
    const stack = new Stack(new MockWorld({ pkgA: {} }));
    const run = await stack.up(program, { excludes, excludeDependents: true });
    expect([errors(run), stack.names]).toEqual([[], ['default', 'resD']]);
  });
});

test('a component that an operation leaves out gets the outputs that are known', async () => {
  const stack = new Stack(new MockWorld({ pkgA: {} }));
  const program =
    (size: number, more: boolean): ProgramFunction =>
    async ({ component, resource, outputs }) => {
      const { urn: comp } = await component('my:index:Comp', 'comp', { inputs: { size } });
      if (more) await resource(TYPE, 'added');
      await resource(TYPE, 'target', { size });
      await outputs(comp, { size, kept: more ? UNKNOWN : 'before' });
    };
  await stack.up(program(1, false));
  for (const _ of [1, 2]) {
    const run = await stack.up(program(2, true), TARGET);
    expect(errors(run)).toEqual([]);
    const comp = stack.snapshot.resources.find((each) => urnName(each.urn) === 'comp');
    expect(comp).toMatchObject({ inputs: { size: 1 }, outputs: { size: 2, kept: 'before' } });
  }
});

describe('old states under targets', () => {
  const built = () => new SnapshotBuilder(HOME);

  test('LT1-063 an untargeted component under a new URN keeps the provider it names in state', async () => {
    const state = built();
    const comp = state.component('my:index:Comp', 'comp');
    const prov = state.add('pulumi:providers:pkgA', 'childProv', { id: 'prov-id', parent: comp.urn });
    const old = state.component('my:index:Comp', 'resA', {
      parent: comp.urn,
      provider: `${prov.urn}::prov-id` as ResourceEntry['provider'],
    });
    const read = () => Promise.reject(new ProviderError('INTERNAL', 'nothing can be read'));
    const stack = new Stack(new MockWorld({ pkgA: { behaviour: { read } } }), state.build());
    const run = await stack.up(
      async ({ component, provider }) => {
        await component('my:index:Comp', 'comp', { parent: '' });
        await provider('pkgA', 'childProv', {}, { parent: '' });
        await component('my:index:Comp', 'resA', { parent: '', ...alias(old.urn) });
      },
      { targets: [old.urn], refresh: true },
    );
    expect(errors(run)).toEqual([]);
    expect(stack.names.toSorted()).toEqual(['childProv', 'childProv', 'comp', 'resA']);
    expect(stack.entry('resA').provider).toBe(`${prov.urn}::prov-id`);
    expect(stack.entry('resA').urn).toBe(urn('my:index:Comp', 'resA'));
  });

  /** Entries that are pending delete come after, or before, the live entries of the same names. */
  test.each([true, false])(
    'LT1-064 a pending delete and its child under names that live on (behind: %s)',
    async (isBehind) => {
      const state = built();
      const pending = () => {
        const gone = state.component('my:index:Comp', 'comp', { delete: true });
        state.component('my:index:Comp', 'child', { parent: gone.urn, delete: true });
      };
      if (!isBehind) pending();
      const comp = state.component('my:index:Comp', 'comp');
      const child = state.component('my:index:Comp', 'child', { parent: comp.urn });
      const nested = state.component('my:index:Comp', 'nested', { parent: child.urn });
      if (isBehind) pending();
      const program: ProgramFunction = async ({ component }) => {
        const { urn: outer } = await component('my:index:Comp', 'comp', { parent: '' });
        const { urn: inner } = await component('my:index:Comp', 'child', { parent: outer });
        await component('my:index:Comp', 'nested', { parent: inner, dependencies: [outer] });
      };
      const stack = new Stack(new MockWorld({}), state.build());
      const run = await stack.up(program, { targets: [nested.urn], refresh: true });
      expect(errors(run)).toEqual([]);
      expect(stack.names.toSorted()).toEqual(['child', 'child', 'comp', 'comp', 'nested']);
      expect(stack.entry('nested').dependencies).toEqual([comp.urn]);
      for (const targets of [[child.urn], [comp.urn]]) {
        await stack.up(program, { targets, targetDependents: true });
      }
      expect(stack.names.toSorted()).toEqual(['child', 'comp', 'nested']);
    },
  );

  test.each([false, true])(
    'LT1-058 a pending replacement leaves a parent that goes (targeted: %s)',
    async (isTargeted) => {
      const state = built();
      const provider = state.provider('pkgA');
      const parent = state.component('my:index:Comp', 'parent');
      const child = state.resource(
        TYPE,
        'child',
        {},
        { provider, parent: parent.urn, pendingReplacement: true },
      );
      const present = urn(TYPE, 'child');
      const providers = new MockWorld({ pkgA: {} });
      const outcome = await runScenario({
        providers,
        prior: state.build(),
        runProgram: true,
        scope: { refresh: true, targets: isTargeted ? [present] : [] },
        program: async ({ resource }) => {
          await resource(TYPE, 'child', {}, { parent: '', ...alias(child.urn) });
        },
      });
      expect(errors(outcome)).toEqual([]);
      expect(outcome.snapshot.resources.find((entry) => entry.urn === present)).toMatchObject({
        id: 'id-1',
        pendingReplacement: false,
        parent: undefined,
      });
      expect(outcome.names.includes('parent')).toBe(isTargeted);
    },
  );

  test('LT1-060 a provider that is deleted with something on its way out', async () => {
    const state = built();
    state.provider('pkgA', { name: 'provA' });
    const resA = state.component('my:index:Comp', 'resA', { delete: true });
    state.add('pulumi:providers:pkgB', 'provB', { id: 'prov-b', deletedWith: resA.urn });
    const program =
      (deletedWith: string): ProgramFunction =>
      async ({ provider }: ProgramContext) => {
        await provider('pkgA', 'provA', {}, { parent: '' });
        await provider('pkgB', 'provB', {}, { parent: '', deletedWith });
      };
    const stack = new Stack(new MockWorld({ pkgA: {}, pkgB: {} }), state.build());
    const refused = await stack.up(program(resA.urn));
    expect(errors(refused)).toEqual([expect.stringContaining('which has not been registered')]);
    expect(stack.names.toSorted()).toEqual(['provA', 'provB', 'resA']);
    const run = await stack.up(program(''));
    expect([errors(run), stack.entry('provB').deletedWith]).toEqual([[], undefined]);
    expect(stack.names.toSorted()).toEqual(['provA', 'provB']);
  });
});
