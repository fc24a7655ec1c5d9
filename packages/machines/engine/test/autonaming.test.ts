import { emptySnapshot } from '@cairn/state';
import { getProperty, withProperty } from '@cairn/values';
import type { CheckRequest } from '@cairn/wire';
import { MockPack, MockWorld, diffAnswer, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Scenario } from '@cairn/testkit';

/** Generated names of objects [REG-15]. */

const config = (setting: unknown) => ({
  values: { 'pulumi:autonaming': JSON.stringify(setting) },
  secretKeys: [],
});

/** Takes the proposed name if the program gives none and there is none yet. A new size needs a new object. */
const naming: MockBehaviour = {
  capabilities: { supportsAutonaming: true },
  check: ({ news, olds, autonaming }) => {
    const old = olds && getProperty(olds, 'name');
    const name = getProperty(news, 'name') ?? old ?? autonaming?.proposedName ?? 'made-up';
    return { inputs: withProperty(news, 'name', name), failures: [] };
  },
  diff: ({ oldInputs, news }) =>
    getProperty(oldInputs, 'size') === getProperty(news, 'size')
      ? diffAnswer('none')
      : diffAnswer('some', { replaceKeys: ['size'] }),
};

const program =
  (size: number): ProgramFunction =>
  async ({ resource }) => {
    await resource('pkgA:m:typA', 'db', { size });
  };

const asked = ({ calls }: MockWorld) =>
  calls
    .filter(({ method, name }) => method === 'check' && name === 'db')
    .map(({ request }) => (request as CheckRequest).autonaming);

async function run(providers: MockWorld, setting: unknown, rest: Partial<Scenario> = {}) {
  return runScenario({
    providers,
    program: program(1),
    config: config(setting),
    prior: emptySnapshot,
    ...rest,
  });
}

const errors = ({ complaints }: Outcome) => complaints.filter((line) => line.startsWith('error'));

test('check is told the name and what it is worth; the name stays for later runs [REG-15]', async () => {
  const providers = new MockWorld({ pkgA: { behaviour: naming } });
  const setting = { pattern: '${stack}-${name}-${hex(4)}' };
  const previewed = await run(providers, setting, { preview: true });
  const first = await run(providers, setting);
  expect(asked(providers)).toEqual([
    { proposedName: expect.stringMatching(/^test-db-[\da-f]{4}$/) as string, mode: 'propose' },
    expect.anything(),
  ]);
  const second = await run(providers, setting, { prior: first.snapshot });
  expect([previewed.complaints, first.complaints, second.steps]).toEqual([[], [], ['same db']]);
});

test.each<[string, unknown, readonly string[]]>([
  ['without a setting', {}, ['create-replacement db', 'replace db', 'delete-replaced db']],
  ['verbatim', { mode: 'verbatim' }, ['delete-replaced db', 'replace db', 'create-replacement db']],
  [
    'a fixed pattern',
    { pattern: 'x-${name}' },
    ['delete-replaced db', 'replace db', 'create-replacement db'],
  ],
  ['a random pattern', { pattern: '${uuid}' }, ['create-replacement db', 'replace db', 'delete-replaced db']],
  ['disabled', { mode: 'disabled' }, ['create-replacement db', 'replace db', 'delete-replaced db']],
])('%s decides the order of a replacement [REG-15]', async (_title, setting, steps) => {
  const providers = new MockWorld({ pkgA: { behaviour: naming } });
  const { snapshot } = await run(providers, setting);
  for (const preview of [true, false]) {
    const replaced = await run(providers, setting, { prior: snapshot, program: program(2), preview });
    expect(replaced.steps).toEqual(steps);
  }
  const names = asked(providers).map((each) => each?.proposedName);
  expect(names.at(-1)).toBe(names.at(-2));
});

test.each<[string, unknown, boolean]>([
  ['a proposal for all', { pattern: '${name}-${num(2)}' }, false],
  ['an enforced pattern', { pattern: '${name}-${num(2)}', enforce: true }, true],
  ['a setting of the provider', { providers: { pkgA: { pattern: '${name}-${num(2)}' } } }, true],
  ['a setting of another provider', { providers: { pkgB: { mode: 'verbatim' } } }, false],
])('%s and a provider that takes no names [REG-15]', async (_title, setting, warned) => {
  const behaviour = { ...naming, capabilities: { supportsAutonaming: false } };
  const providers = new MockWorld({ pkgA: { behaviour } });
  const outcome = await run(providers, setting);
  const warning =
    'warning CAIRN-CONFIG-INVALID pkgA:m:typA resource "db" has a custom autonaming setting, ' +
    'but its provider does not support it';
  expect(outcome.complaints).toEqual(warned ? [warning] : []);
  expect([outcome.steps, asked(providers)]).toEqual([['create db'], [undefined]]);
});

test('the seed of a plan decides the name again [REG-15]', async () => {
  const providers = new MockWorld({ pkgA: { behaviour: naming } });
  const setting = { pattern: '${name}-${alphanum(12)}' };
  const { result } = await run(providers, setting, { preview: true, plan: { make: true } });
  const resources = new Map(result.plan?.resources);
  for (const [urn, each] of resources) resources.set(urn, { ...each, seed: new Uint8Array(32).fill(9) });
  const held = { preview: true, plan: { follow: { resources }, make: true } };
  const again = await run(providers, setting, held);
  expect(errors(again)).toEqual([expect.stringContaining('properties changed: ++name[{db-')]);
  providers.forgetCalls();
  const planned = await run(providers, setting, { preview: true, plan: { make: true } });
  const followed = await run(providers, setting, { plan: { follow: planned.result.plan } });
  expect([followed.complaints, asked(providers)[0]]).toEqual([[], asked(providers)[1]]);
});

test('a provider resource goes by the same order, and is named by nobody [REG-15]', async () => {
  const behaviour: MockBehaviour = {
    ...naming,
    diffConfig: ({ oldInputs, news }) =>
      getProperty(oldInputs, 'region') === getProperty(news, 'region')
        ? diffAnswer('none')
        : diffAnswer('some', { replaceKeys: ['region'] }),
  };
  const of =
    (region: string): ProgramFunction =>
    async ({ resource }) => {
      await resource('pulumi:providers:pkgA', 'p', { region });
    };
  const orders = [{ mode: 'verbatim' }, { pattern: '${uuid}' }].map(async (setting) => {
    const providers = new MockWorld({ pkgA: { behaviour } });
    const { snapshot } = await run(providers, setting, { program: of('one') });
    const { events } = await run(providers, setting, { program: of('two'), prior: snapshot });
    return events.flatMap((event) =>
      event.t === 'step-ended' && event.step.urn.endsWith('::p') ? [event.step.kind] : [],
    );
  });
  expect(await Promise.all(orders)).toEqual([
    ['delete-replaced', 'replace', 'create-replacement'],
    ['create-replacement', 'replace', 'delete-replaced'],
  ]);
});

test('a name without randomness is in the goal: plans and policies see that the old object goes first [REG-15]', async () => {
  const seen: unknown[] = [];
  const providers = new MockWorld({ pkgA: { behaviour: naming } });
  const keeps: ProgramFunction = async ({ resource }) => {
    await resource('pkgA:m:typA', 'db', { size: 1 }, { deleteBeforeReplace: false });
    await resource('pkgA:m:typA', 'own', { size: 1 });
  };
  for (const setting of [{ mode: 'verbatim' }, { pattern: '${uuid}' }]) {
    const pack = new MockPack({});
    const rest: Partial<Scenario> = { program: keeps, packs: [pack], preview: true, plan: { make: true } };
    const { result } = await run(providers, setting, rest);
    const goals = [...(result.plan?.resources.entries() ?? [])];
    const planned = goals.filter(([urn]) => urn.includes('typA')).map(([, { goal }]) => goal);
    const analyzed = pack.analyzed.filter(({ type }) => type.includes('typA')).map(({ options }) => options);
    seen.push([planned, analyzed].map((of) => of.map((each) => each?.deleteBeforeReplace)));
  }
  expect(seen).toEqual([
    [
      [true, true],
      [true, true],
    ],
    [
      [false, undefined],
      [false, undefined],
    ],
  ]);
});

test('a setting that cannot be read ends the operation before it begins [REG-15]', async () => {
  const outcome = await run(new MockWorld({ pkgA: {} }), { mode: 'loud' });
  expect(outcome.complaints).toEqual([
    'error CAIRN-CONFIG-INVALID the configuration value pulumi:autonaming.mode is not one of default, verbatim, disabled',
  ]);
  expect(outcome.trace).toEqual([]);
});
