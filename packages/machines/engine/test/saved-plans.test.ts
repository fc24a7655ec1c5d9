import { makeUrn, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { SavedPlan } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { UNKNOWN, getProperty, propertyMap, withProperty } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { MockWorld, diffAnswer, runScenario } from '@cairn/testkit';
import type {
  MockBehaviour,
  Outcome,
  ProgramContext,
  ProgramFunction,
  Properties,
  Scenario,
} from '@cairn/testkit';

/** Saved plans [PLAN-4]: the findings of a preview limit the actions of a later operation. */

const TYPE = 'pkgA:m:typA';
const urnOf = (name: string, type = TYPE): Urn =>
  makeUrn({ stack: 'test', project: 'test', parent: undefined, type, name });

/** Makes created objects return no outputs, as in the scenarios. */
const silent: MockBehaviour = {
  create: async (_request, { standard }) => ({ ...(await standard()), outputs: propertyMap({}) }),
};

class Stack {
  snapshot: Snapshot = emptySnapshot;
  readonly providers: MockWorld;

  constructor(behaviour: MockBehaviour = {}) {
    this.providers = new MockWorld({ pkgA: { behaviour } });
  }

  async run(scenario: Omit<Scenario, 'providers' | 'prior'>): Promise<Outcome> {
    const outcome = await runScenario({ ...scenario, providers: this.providers, prior: this.snapshot });
    if (scenario.preview !== true) this.snapshot = outcome.snapshot;
    return outcome;
  }

  /** Runs a preview and an update, both without complaint. */
  async up(
    program: ProgramFunction,
    rest: Omit<Scenario, 'providers' | 'prior' | 'program'> = {},
  ): Promise<Outcome> {
    const previewed = await this.run({ program, ...rest, preview: true });
    const outcome = await this.run({ program, ...rest });
    expect([...previewed.complaints, ...outcome.complaints]).toEqual([]);
    return outcome;
  }

  async planned(
    program: ProgramFunction,
    rest: Omit<Scenario, 'providers' | 'prior' | 'program'> = {},
  ): Promise<SavedPlan> {
    const outcome = await this.run({ program, ...rest, preview: true, plan: { make: true } });
    expect(outcome.complaints).toEqual([]);
    const { plan } = outcome.result;
    if (plan === undefined) throw new Error('the preview made no plan');
    return plan;
  }

  /** Runs under the plan, as preview and then for real; both must report the same. */
  async follow(plan: SavedPlan, program: ProgramFunction, rest: Partial<Scenario> = {}): Promise<Outcome> {
    const previewed = await this.run({ program, ...rest, preview: true, plan: { follow: plan } });
    const outcome = await this.run({ program, ...rest, plan: { follow: plan } });
    expect(previewed.complaints).toEqual(outcome.complaints);
    return outcome;
  }

  inputs(name: string): PropertyMap | undefined {
    return this.snapshot.resources.find(({ urn }) => urnName(urn) === name)?.inputs;
  }

  outputs(name: string): PropertyMap | undefined {
    return this.snapshot.resources.find(({ urn }) => urnName(urn) === name)?.outputs;
  }
}

/** Makes a program that registers resources of typA by name. One with `undefined` inputs is not registered. */
const registers =
  (resources: Readonly<Record<string, Properties | undefined>>): ProgramFunction =>
  async ({ resource }) => {
    for (const [name, inputs] of Object.entries(resources)) {
      if (inputs !== undefined) await resource(TYPE, name, inputs);
    }
  };

/** Returns the summaries of errors. */
const errors = ({ complaints }: Outcome) => complaints.filter((line) => line.startsWith('error CAIRN-'));
const violation = (text: string) => [`error CAIRN-PLAN-VIOLATED ${text}`];
const steps = (plan: SavedPlan, name: string) => plan.resources.get(urnOf(name))?.steps;

describe('steps', () => {
  test('LT2-025 replacing and targets decide the planned steps', async () => {
    const stack = new Stack();
    const program =
      (foo: string, more: boolean): ProgramFunction =>
      async ({ resource }) => {
        await resource(TYPE, 'resA', { foo }, { replaceOnChanges: ['foo'] });
        if (more) await resource(TYPE, 'resB');
        return { foo };
      };
    await stack.up(program('bar', false));
    const planned = (scope: Scenario['scope']) => stack.planned(program('baz', true), { scope: scope ?? {} });
    const trio = ['create-replacement', 'replace', 'delete-replaced'];
    const [a, b] = [urnOf('resA'), urnOf('resB')];
    expect(steps(await planned({ targets: [a], replace: [a] }), 'resB')).toEqual(['same']);
    const replaced = await planned({ replace: [a] });
    expect([steps(replaced, 'resA'), steps(replaced, 'resB')]).toEqual([trio, ['create']]);
    const other = await planned({ replace: [a], targets: [b] });
    expect([steps(other, 'resA'), steps(other, 'resB')]).toEqual([['same'], ['create']]);
  });

  test('LT2-050 an unplanned delete', async () => {
    const stack = new Stack(silent);
    await stack.up(registers({ resA: {}, resB: {} }));
    const plan = await stack.planned(registers({ resA: {}, resB: {} }));
    const outcome = await stack.follow(plan, registers({ resA: {} }));
    expect(errors(outcome)).toEqual(
      violation('delete is not allowed by the plan: this resource is constrained to same'),
    );
    expect([...outcome.names].sort()).toEqual(['default', 'resA', 'resB', 'test-test']);
    expect(stack.providers.called('delete')).toEqual([]);
  });

  test('LT2-051 an expected delete of what is registered again', async () => {
    const stack = new Stack(silent);
    await stack.up(registers({ resA: {}, resB: {} }));
    const plan = await stack.planned(registers({ resA: {} }));
    const outcome = await stack.follow(plan, registers({ resA: {}, resB: {} }));
    expect(errors(outcome)).toEqual(
      violation(`resource ${urnOf('resB')} violates plan: resource unexpectedly not deleted`),
    );
    expect(outcome.names).toHaveLength(4);
  });

  test('LT2-054 a planned create that somebody has done already', async () => {
    const stack = new Stack(silent);
    const plan = await stack.planned(registers({ resA: { foo: 'bar' } }));
    await stack.up(registers({ resA: { foo: 'bar' } }));
    const outcome = await stack.follow(plan, registers({ resA: { foo: 'bar' } }));
    expect([outcome.complaints, outcome.steps]).toEqual([[], ['same resA']]);
  });

  test('LT2-055 a planned delete that somebody has done already', async () => {
    const stack = new Stack(silent);
    await stack.up(registers({ resA: {} }));
    const plan = await stack.planned(registers({}));
    await stack.up(registers({}));
    const outcome = await stack.follow(plan, registers({}));
    expect([outcome.complaints, outcome.names]).toEqual([[], ['test-test']]);
  });

  test('LT2-056 what the plan does not know may stay as it is', async () => {
    const stack = new Stack();
    const zed = (value: Properties['zed']) => ({ resA: { foo: 'bar', zed: value } });
    const plan = await stack.planned(registers(zed(UNKNOWN)));
    await stack.up(registers({ resB: { X: 'Y' } }));
    const outcome = await stack.follow(plan, registers({ ...zed(24), resB: { X: 'Y' } }));
    expect([outcome.complaints, outcome.steps]).toEqual([[], ['create resA', 'same resB']]);
    expect(stack.outputs('resA')).toEqual(propertyMap({ foo: 'bar', zed: 24 }));
    const changed = await stack.follow(plan, registers({ ...zed(24), resB: { X: 'Z' } }));
    expect(errors(changed)).toEqual(
      violation(`resource ${urnOf('resB')} violates plan: properties changed: =~X[{Z}]`),
    );
    const fresh = await stack.follow(plan, registers({ ...zed(24), resB: { X: 'Y' }, resC: {} }));
    expect(errors(fresh)).toEqual(
      violation('create is not allowed by the plan: no steps were expected for this resource'),
    );
  });

  test('a step after the last planned one, and planned steps that never come', async () => {
    const stack = new Stack();
    await stack.up(registers({ resA: { foo: 1 } }));
    const empty = await stack.planned(registers({ resA: { foo: 1 } }));
    const resources = new Map(empty.resources);
    const resA = resources.get(urnOf('resA'));
    if (resA === undefined) throw new Error('no plan for resA');
    resources.set(urnOf('resA'), { ...resA, steps: [] });
    const exhausted = await stack.follow({ resources }, registers({ resA: { foo: 1 } }));
    expect(errors(exhausted)).toEqual(
      violation('same is not allowed by the plan: no more steps were expected for this resource'),
    );
    resources.set(urnOf('resA'), { ...resA, steps: ['same', 'update'] });
    const missing = await stack.follow({ resources }, registers({ resA: { foo: 1 } }));
    expect(errors(missing)).toEqual(
      violation(`expected resource operations for ${urnOf('resA')} but none were seen`),
    );
  });

  test('LT2-067 deletes ahead of a replacement are planned with what is created again', async () => {
    const replaces: MockBehaviour = {
      diff: ({ oldInputs, news }) =>
        getProperty(oldInputs, 'foo') === getProperty(news, 'foo')
          ? diffAnswer('none')
          : diffAnswer('some', { replaceKeys: ['foo'], deleteBeforeReplace: true }),
    };
    const stack = new Stack(replaces);
    const program =
      (foo: string): ProgramFunction =>
      async ({ resource }) => {
        const a = await resource(TYPE, 'resA', { foo });
        await resource('pkgA:m:typB', 'resB', a.outputs, {
          dependencies: [a.urn],
          propertyDependencies: { foo: [a.urn] },
        });
      };
    await stack.up(program('bar'));
    const plan = await stack.planned(program('baz'));
    const three = ['delete-replaced', 'replace', 'create-replacement'];
    expect(steps(plan, 'resA')).toEqual(three);
    expect(plan.resources.get(urnOf('resB', 'pkgA:m:typB'))?.steps).toEqual(three);
    const outcome = await stack.follow(plan, program('baz'));
    expect(outcome.complaints).toEqual([]);
    expect(stack.inputs('resB')).toEqual(propertyMap({ foo: 'baz' }));
  });

  test('LT2-068 a plan made with targets is followed with the same targets', async () => {
    const stack = new Stack(silent);
    const scope = { targets: [urnOf('resB')] };
    const program = registers({ resA: {}, resB: {} });
    const plan = await stack.planned(program, { scope });
    const outside = await stack.follow(plan, program);
    expect(errors(outside)).toEqual(
      violation('create is not allowed by the plan: this resource is constrained to same'),
    );
    expect(outside.names).toEqual(['test-test', 'default']);
    const inside = await stack.follow(plan, program, { scope });
    expect([inside.complaints, inside.steps]).toEqual([[], ['create resB']]);
  });
});

describe('goals', () => {
  test('LT2-057 a preview is held to a plan', async () => {
    const stack = new Stack();
    const wanted = { foo: 'bar', baz: { a: 42, b: UNKNOWN }, qux: [UNKNOWN, 24], zed: UNKNOWN };
    const plan = await stack.planned(registers({ resA: wanted }));
    const less = registers({ resA: { qux: ['alpha', 24] } });
    const refused = await stack.run({ preview: true, program: less, plan: { follow: plan } });
    expect(errors(refused)).toEqual(
      violation(
        `resource ${urnOf('resA')} violates plan: properties changed: ` +
          '+-baz[{map[a:{42} b:output<string>{}]}], +-foo[{bar}]',
      ),
    );
    const known = { foo: 'bar', baz: { a: 42, b: UNKNOWN }, qux: ['beta', 24], zed: 'grr' };
    const program = registers({ resA: known });
    const accepted = await stack.run({ preview: true, program, plan: { follow: plan } });
    expect(accepted.complaints).toEqual([]);
  });

  test('LT2-060 inputs count, outputs of the provider do not', async () => {
    const stack = new Stack({
      create: async (_request, { standard }) => ({
        ...(await standard()),
        outputs: propertyMap({ foo: 'bar', frob: 'baz', baz: 24 }),
      }),
      update: async (_request, { standard }) => ({
        ...(await standard()),
        outputs: propertyMap({ foo: 'bar', frob: 'newBazzer', baz: 24 }),
      }),
    });
    const program = (frob: string) => registers({ resA: { foo: 'bar', frob } });
    const created = await stack.follow(await stack.planned(program('baz')), program('baz'));
    expect(created.complaints).toEqual([]);
    const plan = await stack.planned(program('newBazzer'));
    const refused = await stack.follow(plan, program('differentBazzer'));
    expect(errors(refused)[0]).toContain('properties changed: ~~frob[{newBazzer}!={differentBazzer}]');
    expect((await stack.follow(plan, program('newBazzer'))).steps).toEqual(['update resA']);
  });

  test('LT2-061 a renamed resource is planned under its new name', async () => {
    const renamed: ProgramFunction = async ({ resource }) => {
      await resource(TYPE, 'newResA', { foo: 'bar' }, { aliases: [{ kind: 'urn', urn: urnOf('resA') }] });
    };
    const stack = new Stack();
    const plan = await stack.planned(renamed);
    await stack.up(registers({ resA: { foo: 'bar' } }));
    const outcome = await stack.follow(plan, renamed);
    expect([outcome.complaints, outcome.steps]).toEqual([[], ['same newResA']]);
    const other: ProgramFunction = async ({ resource }) => {
      await resource(TYPE, 'newResA', { foo: 'bar' });
    };
    expect(errors(await stack.follow(plan, other))[0]).toContain(
      'violates plan: aliases changed: removed "resA"',
    );
  });

  test('LT2-062 what was not known may be left out, in inputs and in registered outputs', async () => {
    const unknown = { foo: 'bar', baz: { a: 42, b: UNKNOWN }, qux: [UNKNOWN, 24], zed: UNKNOWN };
    const part = { foo: 'bar', baz: { a: 42 }, qux: [null, 24] };
    const full = { foo: 'bar', baz: { a: 42, b: 'alpha' }, qux: ['beta', 24], zed: 'grr' };
    const program =
      (values: Properties): ProgramFunction =>
      async ({ component, outputs, resource }) => {
        const { urn } = await component('pkgA:m:typC', 'resA');
        await outputs(urn, values);
        await resource(TYPE, 'resB', values);
      };
    const stack = new Stack();
    const both = () => [stack.outputs('resA'), stack.outputs('resB')];
    const is = (values: Properties) => [propertyMap(values), propertyMap(values)];
    expect((await stack.follow(await stack.planned(program(unknown)), program(part))).complaints).toEqual([]);
    expect(both()).toEqual(is(part));
    await stack.up(program(full));
    expect(both()).toEqual(is(full));
    expect((await stack.follow(await stack.planned(program(unknown)), program(part))).complaints).toEqual([]);
    expect(both()).toEqual(is(part));
    const plan = await stack.planned(program(part));
    const refused = await stack.follow(plan, program({ ...part, foo: 'other' }));
    expect(errors(refused)).toEqual(violation('resource violates plan: properties changed: =~foo[{other}]'));
  });

  test('LT2-063 a name that the seed does not decide violates the plan', async () => {
    let names = 0;
    const name = () => `res${String(names++).padStart(9, '0')}`;
    const stack = new Stack({
      check: ({ news, olds }) => ({
        inputs: withProperty(
          news,
          'name',
          getProperty(news, 'name') ?? getProperty(olds ?? {}, 'name') ?? name(),
        ),
        failures: [],
      }),
    });
    const program =
      (zed: Properties['zed']): ProgramFunction =>
      async ({ resource }) => {
        const a = await resource(TYPE, 'resA', { foo: 'bar', zed });
        await resource(TYPE, 'resB', { name: getProperty(a.outputs, 'name') ?? null });
      };
    const plan = await stack.planned(program(UNKNOWN));
    const outcome = await stack.run({ program: program(24), plan: { follow: plan } });
    expect(errors(outcome)[0]).toMatch(
      /properties changed: \+\+name\[\{res[\da-z]{9}\}!=\{res[\da-z]{9}\}\]$/,
    );
    expect(outcome.names).toEqual(['test-test', 'default']);
  });

  test('the planned seed decides a name again, in a plan made of the plan too [PLAN-3]', async () => {
    const seeds: string[] = [];
    const stack = new Stack({
      check: ({ news, randomSeed }) => {
        seeds.push(Buffer.from(randomSeed).toString('hex'));
        return { inputs: news, failures: [] };
      },
    });
    const program = registers({ resA: {} });
    const plan = await stack.planned(program);
    const planned = plan.resources.get(urnOf('resA'));
    if (planned === undefined) throw new Error('no plan for resA');
    const seed = new Uint8Array(32).fill(7);
    const own = { resources: new Map([...plan.resources, [urnOf('resA'), { ...planned, seed }]]) };
    seeds.length = 0;
    const again = await stack.run({ program, preview: true, plan: { follow: own, make: true } });
    expect(seeds).toEqual(['07'.repeat(32)]);
    expect(again.result.plan?.resources.get(urnOf('resA'))?.seed).toEqual(seed);
  });

  test('LT2-064 a failed check is the error, with and without a plan', async () => {
    const stack = new Stack({
      check: ({ news }) => ({
        inputs: news,
        failures: getProperty(news, 'foo') === 'bad' ? [{ property: 'foo', reason: 'Bad foo' }] : [],
      }),
    });
    const bad = registers({ resA: { foo: 'bad' } });
    const message = [
      "error CAIRN-RESOURCE-CHECK pkgA:m:typA resource 'resA': property foo value {bad} has a problem: Bad foo",
    ];
    const failed = await stack.run({ program: bad, preview: true, plan: { make: true } });
    expect([errors(failed), failed.result.plan]).toEqual([message, undefined]);
    const plan = await stack.planned(registers({ resA: { foo: 'good' } }));
    expect([...plan.resources.keys()].map(urnName)).toContain('resA');
    const outcome = await stack.run({ program: bad, plan: { follow: plan } });
    expect([errors(outcome), outcome.names]).toEqual([message, ['test-test', 'default']]);
  });

  test('LT2-065 required packages that no plugin serves do not matter to a plan', async () => {
    const stack = new Stack(silent);
    const packages = [
      { name: 'pkgA', version: '', server: '' },
      { name: 'pkgB', version: '1.0.0', server: '' },
    ];
    const plan = await stack.planned(registers({ resA: {} }), { packages });
    expect(steps(plan, 'resA')).toEqual(['create']);
  });

  test.each<[string, Parameters<ProgramContext['resource']>[3], string]>([
    ['protect', { protect: true }, 'protect changed from "false" to "true"'],
    [
      'parent',
      { parent: '' },
      'parent changed from "urn:pulumi:test::test::pulumi:pulumi:Stack::test-test" to none',
    ],
    [
      'deleteBeforeReplace',
      { deleteBeforeReplace: false },
      'deleteBeforeReplace changed from none to "false"',
    ],
    ['ignoreChanges', { ignoreChanges: ['foo'] }, 'ignoreChanges changed: added "foo"'],
    ['secret outputs', { additionalSecretOutputs: ['foo'] }, 'additionalSecretOutputs changed: added "foo"'],
    [
      'timeouts',
      { customTimeouts: { create: '5m', update: '', delete: '' } },
      'create timeout changed from "0s" to "300s"',
    ],
    [
      'dependencies',
      { dependencies: [urnOf('resA')] },
      `dependencies changed: added "resA" (${urnOf('resA')})`,
    ],
  ])('%s must be as planned [PLAN-5]', async (_title, options, message) => {
    const stack = new Stack();
    const program =
      (given: typeof options): ProgramFunction =>
      async ({ resource }) => {
        await resource(TYPE, 'resA');
        await resource(TYPE, 'resB', {}, given);
      };
    const plan = await stack.planned(program({}));
    const outcome = await stack.follow(plan, program(options));
    expect(errors(outcome)[0]).toContain(`violates plan: ${message}`);
    const fresh = new Stack();
    const other = await fresh.planned(program(options));
    expect((await fresh.follow(other, program(options))).complaints).toEqual([]);
  });
});

describe('what changes between plan and update', () => {
  test('an unplanned create [PLAN-4]', async () => {
    const stack = new Stack(silent);
    const plan = await stack.planned(registers({}));
    const outcome = await stack.follow(plan, registers({ resA: {} }));
    expect(errors(outcome)).toEqual(
      violation('create is not allowed by the plan: no steps were expected for this resource'),
    );
    expect(outcome.names).toEqual(['test-test']);
  });

  test('a planned create that does not come [PLAN-9]', async () => {
    const stack = new Stack(silent);
    await stack.up(registers({ resA: {} }));
    const plan = await stack.planned(registers({ resA: {}, resB: {} }));
    const outcome = await stack.follow(plan, registers({ resA: {} }));
    expect(errors(outcome)).toEqual(
      violation(`expected resource operations for ${urnOf('resB')} but none were seen`),
    );
  });

  test('a planned property that does not come [PLAN-6]', async () => {
    const stack = new Stack();
    const plan = await stack.planned(registers({ resA: { foo: 'bar', frob: 'baz' } }));
    const outcome = await stack.follow(plan, registers({ resA: { foo: 'bar' } }));
    expect(errors(outcome)[0]).toContain('violates plan: properties changed: +-frob[{baz}]');
    expect(stack.inputs('resA')).toBeUndefined();
  });

  test('somebody else has changed a property that the plan leaves alone [PLAN-6]', async () => {
    const stack = new Stack();
    await stack.up(registers({ resA: { foo: 'bar', zed: 24 } }));
    const plan = await stack.planned(registers({ resA: { foo: 'baz', zed: 24 } }));
    await stack.up(registers({ resA: { foo: 'bar', zed: 26 } }));
    const outcome = await stack.follow(plan, registers({ resA: { foo: 'baz', zed: 24 } }));
    expect(errors(outcome)[0]).toContain('violates plan: properties changed: =~zed[{24}]');
    expect(stack.inputs('resA')).toEqual(propertyMap({ foo: 'bar', zed: 26 }));
  });

  test('registered outputs other than the planned ones [PLAN-8]', async () => {
    const program =
      (frob: string): ProgramFunction =>
      async ({ component, outputs }) => {
        const { urn } = await component('pkgA:m:typC', 'resA');
        await outputs(urn, { foo: 'bar', frob });
      };
    const stack = new Stack();
    await stack.up(program('baz'));
    const plan = await stack.planned(program('newBazzer'));
    const outcome = await stack.follow(plan, program('differentBazzer'));
    expect(errors(outcome)).toEqual(
      violation('resource violates plan: properties changed: ~~frob[{newBazzer}!={differentBazzer}]'),
    );
    expect(stack.outputs('resA')).toEqual(propertyMap({ foo: 'bar', frob: 'baz' }));
    expect((await stack.follow(plan, program('newBazzer'))).complaints).toEqual([]);
  });

  test('a name made of the seed is the planned one, for the replacement too [PLAN-3]', async () => {
    const stack = new Stack({
      check: ({ news, olds, randomSeed }) => {
        const made = `made-${Buffer.from(randomSeed).toString('hex').slice(0, 8)}`;
        const name = getProperty(olds ?? {}, 'name') ?? made;
        return { inputs: withProperty(news, 'name', name), failures: [] };
      },
      diff: ({ oldInputs, news }) =>
        getProperty(oldInputs, 'foo') === getProperty(news, 'foo')
          ? diffAnswer('none')
          : diffAnswer('some', { replaceKeys: ['foo'] }),
    });
    for (const foo of ['bar', 'baz']) {
      const plan = await stack.planned(registers({ resA: { foo } }));
      const outcome = await stack.follow(plan, registers({ resA: { foo } }));
      expect(outcome.complaints).toEqual([]);
      const seed = Buffer.from(plan.resources.get(urnOf('resA'))?.seed ?? []).toString('hex');
      expect(stack.inputs('resA')).toEqual(propertyMap({ foo, name: `made-${seed.slice(0, 8)}` }));
    }
  });

  test('an import, and the update that follows it [PLAN-4]', async () => {
    const stack = new Stack({
      read: ({ id }) => ({
        id,
        inputs: propertyMap({ foo: 'there' }),
        outputs: propertyMap({ foo: 'there' }),
        refreshBeforeUpdate: false,
      }),
      update: ({ news }) => ({ outputs: news, refreshBeforeUpdate: false }),
    });
    const program =
      (foo: string, importId: string): ProgramFunction =>
      async ({ resource }) => {
        await resource(TYPE, 'resA', { foo }, { importId });
      };
    const plan = await stack.planned(program('here', 'object-1'));
    expect(steps(plan, 'resA')).toEqual(['import', 'update']);
    expect(plan.resources.get(urnOf('resA'))?.goal?.inputs.adds).toEqual(propertyMap({}));
    const other = await stack.follow(plan, program('here', 'object-2'));
    expect(errors(other)[0]).toContain('import id changed from "object-1" to "object-2"');
    const outcome = await stack.follow(plan, program('here', 'object-1'));
    expect([outcome.complaints, outcome.steps]).toEqual([[], ['import resA', 'update resA']]);
  });

  test('a read [PLAN-4]', async () => {
    const stack = new Stack({
      read: ({ id }) => ({ id, inputs: undefined, outputs: propertyMap({}), refreshBeforeUpdate: false }),
    });
    const program =
      (...names: readonly string[]): ProgramFunction =>
      async ({ read }) => {
        for (const name of names) await read(TYPE, name, 'some-id');
      };
    const plan = await stack.planned(program('resA'));
    expect(steps(plan, 'resA')).toEqual(['read']);
    expect(errors(await stack.follow(plan, program('resA', 'resB')))).toEqual(
      violation('read is not allowed by the plan: no steps were expected for this resource'),
    );
    expect((await stack.follow(plan, program('resA'))).complaints).toEqual([]);
  });

  test('objects looked up first do not count as steps [PLAN-4]', async () => {
    const stack = new Stack();
    await stack.up(registers({ resA: { foo: 1 } }));
    const scope = { refresh: true };
    const plan = await stack.planned(registers({ resA: { foo: 2 } }), { scope });
    expect(steps(plan, 'resA')).toEqual(['update']);
    expect((await stack.follow(plan, registers({ resA: { foo: 2 } }), { scope })).complaints).toEqual([]);
  });
});

describe('outputs of the stack', () => {
  const program =
    (foo: string): ProgramFunction =>
    async ({ resource }) => {
      await resource(TYPE, 'resA');
      return { foo };
    };

  test('LT2-069 they are allowed although the stack is no target', async () => {
    const stack = new Stack(silent);
    const scope = { targets: [urnOf('resA')] };
    const plan = await stack.planned(program('bar'), { scope });
    const outcome = await stack.follow(plan, program('bar'), { scope });
    expect([outcome.complaints, stack.outputs('test-test')]).toEqual([[], propertyMap({ foo: 'bar' })]);
  });

  test('they must be as planned; others are not stored [PLAN-4]', async () => {
    const stack = new Stack(silent);
    const plan = await stack.planned(program('bar'));
    const outcome = await stack.follow(plan, program('other'));
    expect(errors(outcome)).toEqual(
      violation('resource violates plan: properties changed: ++foo[{bar}!={other}]'),
    );
    expect([stack.outputs('test-test'), outcome.steps]).toEqual([propertyMap({}), ['create resA']]);
  });
});
