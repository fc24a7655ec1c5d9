import { makeUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { SavedPlan } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import type { RegisterResourceRequest } from '@cairn/wire';
import { MockWorld, runScenario } from '@cairn/testkit';
import type { Outcome, ProgramFunction, Scenario } from '@cairn/testkit';

/** Goals that a plan allows, option by option [PLAN-4] [PLAN-5] [PLAN-9]. */

const TYPE = 'pkgA:m:typA';
const urn = (name: string): Urn =>
  makeUrn({ project: 'test', stack: 'test', type: TYPE, name, parent: undefined });

class Stack {
  readonly providers = new MockWorld({ pkgA: {} });
  snapshot: Snapshot = emptySnapshot;

  async run(program: ProgramFunction, rest: Partial<Scenario> = {}): Promise<Outcome> {
    const outcome = await runScenario({ ...rest, program, providers: this.providers, prior: this.snapshot });
    if (rest.preview !== true) this.snapshot = outcome.snapshot;
    return outcome;
  }

  async planned(program: ProgramFunction): Promise<SavedPlan> {
    const { result, complaints } = await this.run(program, { preview: true, plan: { make: true } });
    expect(complaints).toEqual([]);
    return result.plan as SavedPlan;
  }
}

const errors = ({ complaints }: Outcome) => complaints.filter((line) => line.startsWith('error '));
type Options = Partial<RegisterResourceRequest>;

const program =
  (options: Options, planned = true): ProgramFunction =>
  async ({ resource, component }) => {
    const { urn: comp } = await component('my:index:Comp', 'comp');
    const parent = options.parent === 'comp' ? { parent: comp } : {};
    await resource(TYPE, 'needed');
    if (planned) await resource(TYPE, 'resA', { v: 1 }, { ...options, ...parent });
  };

const CASES: readonly (readonly [string, Options, Options])[] = [
  ['protect', {}, { protect: true }],
  ['delete-before-replace', {}, { deleteBeforeReplace: true }],
  ['delete-before-replace, said or not', { deleteBeforeReplace: false }, {}],
  ['ignoreChanges', { ignoreChanges: ['a'] }, { ignoreChanges: ['b'] }],
  ['additionalSecretOutputs', {}, { additionalSecretOutputs: ['v'] }],
  ['dependencies', {}, { dependencies: [urn('needed')] }],
  [
    'property dependencies',
    { propertyDependencies: { v: [] } },
    { propertyDependencies: { v: [urn('needed')] } },
  ],
  ['aliases', {}, { aliases: [{ kind: 'urn', urn: urn('gone') }] }],
  ['timeouts', {}, { customTimeouts: { create: '5m', update: '', delete: '' } }],
];

test.each(CASES)('%s [PLAN-5]', async (_what, before, after) => {
  const stack = new Stack();
  const plan = await stack.planned(program(before));
  const outcome = await stack.run(program(after), { plan: { follow: plan } });
  expect(errors(outcome).join()).toContain(`resource ${urn('resA')} violates plan: `);
  expect(stack.snapshot.resources.some((entry) => entry.urn === urn('resA'))).toBe(false);
  const followed = await stack.run(program(before), { plan: { follow: plan } });
  expect(errors(followed)).toEqual([]);
});

test('lists are compared as sets [PLAN-5]', async () => {
  const stack = new Stack();
  const plan = await stack.planned(
    program({ ignoreChanges: ['a', 'b'], additionalSecretOutputs: ['v', 'w'] }),
  );
  const outcome = await stack.run(
    program({ ignoreChanges: ['b', 'a'], additionalSecretOutputs: ['w', 'v'] }),
    {
      plan: { follow: plan },
    },
  );
  expect(errors(outcome)).toEqual([]);
});

test('what is not in the plan must stay as it is in every option [PLAN-5]', async () => {
  const stack = new Stack();
  const plan = await stack.planned(program({}, false));
  expect(errors(await stack.run(program({})))).toEqual([]);
  const same = await stack.planned(program({}, true));
  const without: SavedPlan = {
    ...same,
    resources: new Map([...same.resources].filter(([each]) => each !== urn('resA'))),
  };
  expect(errors(await stack.run(program({}), { plan: { follow: without } }))).toEqual([]);
  const changed = await stack.run(program({ protect: true }), { plan: { follow: without } });
  expect(errors(changed).join()).toContain(`resource ${urn('resA')} violates plan: `);
  expect(plan.resources.has(urn('resA'))).toBe(false);
});

test('steps that are planned and not taken are named, if nothing else failed [PLAN-9]', async () => {
  const stack = new Stack();
  const plan = await stack.planned(program({}));
  const outcome = await stack.run(program({}, false), { plan: { follow: plan } });
  expect(errors(outcome)).toEqual([
    expect.stringContaining(`expected resource operations for ${urn('resA')} but none were seen`),
  ]);
});
