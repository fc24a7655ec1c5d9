import { makeUrn, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import { MockPack, MockWorld, policyDiagnostic, remediation, runScenario } from '@cairn/testkit';
import type { Outcome, ProgramFunction, Scenario } from '@cairn/testkit';

/** Detailed rules of targets and excludes [TGT-1] [TGT-4] [DIFF-2] [TGT-9] [TGT-12]. */

const TYPE = 'pkgA:m:typA';
const urn = (name: string, type = TYPE, parent?: Urn) =>
  makeUrn({ project: 'test', stack: 'test', type, name, parent });

class Stack {
  constructor(
    readonly providers = new MockWorld({ pkgA: {}, pkgB: {} }),
    public snapshot: Snapshot = emptySnapshot,
  ) {}

  async run(rest: Omit<Scenario, 'providers' | 'prior'>): Promise<Outcome> {
    const scenario = { ...rest, providers: this.providers, prior: this.snapshot };
    const outcome = await runScenario(scenario);
    if (rest.preview !== true) this.snapshot = outcome.snapshot;
    return outcome;
  }

  /** Runs the operation after a preview that reports the same. */
  async both(rest: Omit<Scenario, 'providers' | 'prior' | 'preview'>): Promise<Outcome> {
    const preview = await this.run({ ...rest, preview: true });
    const outcome = await this.run(rest);
    expect([...preview.trace].sort()).toEqual([...outcome.trace].sort());
    expect(preview.complaints).toEqual(outcome.complaints);
    return outcome;
  }

  get names(): readonly string[] {
    return this.snapshot.resources
      .map((entry) => urnName(entry.urn))
      .filter((name) => name !== 'test-test')
      .sort();
  }
}

const errors = ({ complaints }: Outcome) => complaints.filter((line) => line.startsWith('error '));

describe('policy packs', () => {
  const program =
    (v: number): ProgramFunction =>
    async ({ resource, provider }) => {
      await resource(TYPE, 'target', { v });
      const own = { provider: await provider('pkgB', `own${v}`) };
      await resource(TYPE, 'other', { v }, { protect: v > 1 });
      if (v === 1) await resource('pkgB:m:typB', 'unregistered', {}, own);
    };

  test('analyzers see what is left untouched with what it has in state [TGT-5]', async () => {
    const stack = new Stack();
    await stack.run({ program: program(1) });
    const pack = new MockPack({
      remediate: ({ name }) =>
        name === 'other'
          ? { remediations: [remediation({ policyName: 'p', properties: propertyMap({ v: 99 }) })] }
          : {},
    });
    const scope = { targets: [urn('target')] };
    const outcome = await stack.run({ program: program(2), scope, packs: [pack] });
    expect(errors(outcome)).toEqual([]);
    const seen = pack.analyzed.filter(({ name }) => name === 'other');
    expect(seen).toHaveLength(1);
    expect(seen[0]?.options.protect).toBe(false);
    const entry = stack.snapshot.resources.find((each) => each.urn === urn('other'));
    expect([entry?.inputs, entry?.protect]).toEqual([{ v: 1 }, false]);
    expect(pack.stacks.at(-1)?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['target', 'other', 'unregistered']),
    );
  });

  test('a mandatory policy that it breaks fails the run [TGT-5]', async () => {
    const stack = new Stack();
    await stack.run({ program: program(1) });
    const pack = new MockPack({
      policies: [{ name: 'p', enforcementLevel: 'mandatory' }],
      analyze: ({ name, properties }) =>
        name === 'other' && properties['v'] === 1
          ? { diagnostics: [policyDiagnostic({ policyName: 'p' })] }
          : {},
    });
    const scope = { targets: [urn('target')] };
    for (const preview of [true, false]) {
      const outcome = await stack.run({ preview, program: program(2), scope, packs: [pack] });
      expect(errors(outcome)).toEqual([expect.stringContaining('p is broken')]);
    }
  });
});

describe('with dependents', () => {
  const program =
    (v: number): ProgramFunction =>
    async ({ resource }) => {
      await resource(TYPE, 'root', { v });
      const root = urn('root');
      await resource(TYPE, 'byParent', { v }, { parent: root });
      await resource(TYPE, 'byDependency', { v }, { dependencies: [root] });
      await resource(TYPE, 'byProperty', { v }, { propertyDependencies: { v: [root] } });
      await resource(TYPE, 'byDeletedWith', { v }, { deletedWith: root });
      await resource(TYPE, 'byReplaceWith', { v }, { replaceWith: [root] });
      await resource(TYPE, 'second', { v }, { dependencies: [urn('byDeletedWith')] });
      await resource(TYPE, 'sibling', { v });
      if (v > 1) await resource(TYPE, 'fresh', { v }, { replaceWith: [root] });
      if (v > 1) await resource(TYPE, 'freshSibling', { v });
    };

  test('every kind of reference makes a dependent; a shared provider does not [TGT-4]', async () => {
    const stack = new Stack();
    await stack.both({ program: program(1) });
    const scope = { targets: [urn('root')], targetDependents: true };
    const outcome = await stack.both({ program: program(2), scope });
    expect(errors(outcome)).toEqual([]);
    expect(outcome.steps.filter((step) => !step.startsWith('same')).toSorted()).toEqual([
      'create fresh',
      'update byDeletedWith',
      'update byDependency',
      'update byParent',
      'update byProperty',
      'update byReplaceWith',
      'update root',
      'update second',
    ]);
    expect(stack.names).not.toContain('freshSibling');
  });

  test('exclusion reaches the same ones [TGT-4]', async () => {
    const stack = new Stack();
    await stack.both({ program: program(1) });
    const scope = { excludes: [urn('root')], excludeDependents: true };
    const outcome = await stack.both({ program: program(2), scope });
    expect(errors(outcome)).toEqual([]);
    expect(outcome.steps.filter((step) => !step.startsWith('same')).toSorted()).toEqual([
      'create freshSibling',
      'update sibling',
    ]);
  });

  test.each(['up', 'destroy'] as const)(
    '%s without dependents names all of them and deletes nothing [TGT-9]',
    async (kind) => {
      const stack = new Stack();
      await stack.both({ program: program(1) });
      const before = stack.names;
      const scope = { targets: [urn('root')] };
      const outcome = await stack.run({ kind, scope });
      for (const name of ['byDependency', 'byProperty', 'byDeletedWith', 'byReplaceWith', 'second']) {
        expect(outcome.complaints).toContainEqual(
          expect.stringContaining(
            `Resource '${urn(name)}' will be destroyed but was not specified in --target list. Either include ` +
              'resource in --target list or pass --target-dependents to proceed.',
          ),
        );
      }
      expect(outcome.complaints).toContainEqual(expect.stringContaining('delete untargeted resource'));
      expect(stack.names).toEqual(before);
      const preview = await stack.run({ kind, scope, preview: true });
      expect(preview.result.summary.result).toBe('failed');
      const all = await stack.run({ kind, scope: { ...scope, targetDependents: true } });
      expect(errors(all)).toEqual([]);
      expect(stack.names).toEqual(['default', 'sibling']);
    },
  );

  test('what an excluded resource needs is kept [TGT-10]', async () => {
    const stack = new Stack();
    await stack.both({ program: program(1) });
    await stack.run({ kind: 'destroy', scope: { excludes: [urn('second')] } });
    expect(stack.names).toEqual(['byDeletedWith', 'default', 'root', 'second']);
  });

  test('a refresh reaches the same ones [TGT-12]', async () => {
    const stack = new Stack();
    await stack.both({ program: program(1) });
    stack.providers.forgetCalls();
    await stack.run({ kind: 'refresh', scope: { targets: [urn('root')], targetDependents: true } });
    expect(
      stack.providers
        .called('read')
        .map((call) => call.split(' ')[1])
        .toSorted(),
    ).toEqual(['byDeletedWith', 'byDependency', 'byParent', 'byProperty', 'byReplaceWith', 'root', 'second']);
    stack.providers.forgetCalls();
    await stack.run({ kind: 'refresh', scope: { excludes: [urn('root')], excludeDependents: true } });
    expect(stack.providers.called('read').map((call) => call.split(' ')[1])).toEqual(['sibling']);
  });
});

describe('left out', () => {
  test.each(['parent', 'dependencies', 'propertyDependencies', 'deletedWith', 'replaceWith'])(
    'a target that needs one by %s is refused [TGT-6]',
    async (option) => {
      const stack = new Stack();
      const a = urn('resA');
      const options = {
        parent: { parent: a },
        dependencies: { dependencies: [a] },
        propertyDependencies: { propertyDependencies: { v: [a] } },
        deletedWith: { deletedWith: a },
        replaceWith: { replaceWith: [a] },
      }[option];
      let returned = false;
      const program: ProgramFunction = async ({ resource }) => {
        const { urn: out, unknown, id, result } = await resource(TYPE, 'resA', { v: 1 });
        expect([out, unknown, id, result]).toEqual([a, true, '', 'success']);
        await resource(TYPE, 'resB', { v: 1 }, options);
        returned = true;
      };
      const needs = option === 'parent' ? urn('resB', TYPE, a) : urn('resB');
      const scope = { targets: [needs] };
      const preview = await stack.run({ program, scope, preview: true });
      const text = `Resource '${needs}' depends on '${a}' which was was not specified in --target list.`;
      expect(errors(preview)).toEqual([expect.stringContaining(text)]);
      expect(returned).toBe(true);
      returned = false;
      const outcome = await stack.run({ program, scope });
      expect(errors(outcome)).toEqual([
        expect.stringContaining(text),
        expect.stringContaining('untargeted create'),
      ]);
      expect([returned, stack.names]).toEqual([false, ['default']]);
    },
  );
});

describe('replacing', () => {
  const program =
    (name: string, old: readonly string[] = []): ProgramFunction =>
    async ({ resource }) => {
      await resource(
        TYPE,
        name,
        {},
        { aliases: old.map((each) => ({ kind: 'urn', urn: urn(each) }) as const) },
      );
      await resource(TYPE, 'other', {});
    };

  test('a resource is named by the URN it has in the stack, also when it is renamed at the same time [DIFF-2]', async () => {
    const stack = new Stack();
    await stack.both({ program: program('old') });
    const outcome = await stack.both({ program: program('new', ['old']), scope: { replace: [urn('old')] } });
    expect(errors(outcome)).toEqual([]);
    expect(outcome.steps.filter((step) => !step.startsWith('same'))).toEqual([
      'create-replacement new',
      'replace new',
      'delete-replaced old',
    ]);
  });

  test('unknown ones are found before the program starts, all of them [TGT-2]', async () => {
    const stack = new Stack();
    let started = false;
    const outcome = await stack.run({
      program: async () => void (started = true),
      scope: { replace: [urn('x'), urn('y'), '**nothing**'] },
    });
    expect(errors(outcome)).toEqual([
      expect.stringContaining(`Target '${urn('x')}' could not be found in the stack.`),
      expect.stringContaining(`Target '${urn('y')}' could not be found in the stack.`),
      expect.stringContaining('one or more targets could not be found in the stack'),
    ]);
    expect(started).toBe(false);
  });
});
