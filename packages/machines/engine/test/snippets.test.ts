import { makeUrn, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry, Snapshot, Snippet } from '@cairn/state';
import { UNKNOWN, getProperty, propertyMap, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import { MockWorld, diffAnswer, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Scenario } from '@cairn/testkit';

/** Declarative resources kept in state [SNIP-1], run by the whole engine. */

const TYPE = 'pkgA:index:res';
const home = { project: 'test', stack: 'test' };
const urnOf = (type: string, name: string): Urn => makeUrn({ ...home, type, name });

const property = { type: 'string' };
const schemaOf = (pkg: string, required: readonly string[]): string =>
  JSON.stringify({
    name: pkg,
    provider: { inputProperties: { region: property } },
    resources: {
      [`${pkg}:index:res`]: { inputProperties: { propA: {}, propB: {} }, requiredInputs: required },
      [`${pkg}:index:producer`]: { inputProperties: { seed: property } },
      [`${pkg}:index:consumer`]: { inputProperties: { message: property } },
    },
  });

/** Returns the inputs as outputs; producers add a value derived from their seed. */
const made = (inputs: PropertyMap): PropertyMap => {
  const seed = getProperty(inputs, 'seed');
  return seed === undefined ? inputs : propertyMap({ ...inputs, value: `value-of-${String(seed)}` });
};

function plugin(pkg: string, more: MockBehaviour = {}, required: readonly string[] = ['propA']) {
  const behaviour: MockBehaviour = {
    getSchema: async () => schemaOf(pkg, required),
    create: async ({ inputs, preview }, { standard }) => {
      const answer = await standard();
      return preview ? answer : { ...answer, outputs: made(inputs) };
    },
    ...more,
  };
  return { version: '1.0.0', behaviour };
}
const worldOf = (more: MockBehaviour = {}, required?: readonly string[]) =>
  new MockWorld({ pkgA: plugin('pkgA', more, required) });

function snippet(name: string, code: string, more: Partial<Snippet> = {}): Snippet {
  return { uuid: `uuid-${name}`, name, type: TYPE, code, descriptor: { name: 'pkgA' }, ...more };
}

const stateOf = (...snippets: readonly Snippet[]): Snapshot => ({ ...emptySnapshot, snippets });

/** Runs one up; the preview before it must behave alike. */
async function up(providers: MockWorld, prior: Snapshot, more: Partial<Scenario> = {}): Promise<Outcome> {
  const preview = await runScenario({ providers, prior, ...more, preview: true });
  expect(preview.snapshot).toBe(prior);
  const outcome = await runScenario({ providers, prior, ...more });
  const isFine = outcome.result.summary.result === 'succeeded';
  if (isFine) expect(preview.complaints).toEqual([]);
  return outcome;
}

function ok(outcome: Outcome): Outcome {
  expect(outcome.complaints).toEqual([]);
  expect(outcome.result.summary.result).toBe('succeeded');
  return outcome;
}
const names = (outcome: Outcome) => outcome.names.filter((name) => name !== 'test-test');
const uuids = ({ snapshot }: Outcome) => (snapshot.snippets ?? []).map(({ uuid }) => uuid);
function entry({ snapshot }: Outcome, name: string): ResourceEntry {
  const found = snapshot.resources.find(({ urn }) => urnName(urn) === name);
  if (found === undefined) throw new Error(`no entry ${name}`);
  return found;
}
const complaint = ({ complaints }: Outcome): string => complaints.join('\n');

test('LT2-207 a snippet in state makes a resource', async () => {
  const outcome = ok(await up(worldOf(), stateOf(snippet('test-resource', 'propA = true'))));
  expect(names(outcome)).toEqual(['default', 'test-resource']);
  expect(entry(outcome, 'test-resource').inputs).toEqual({ propA: true });
  expect(uuids(outcome)).toEqual(['uuid-test-resource']);
});

test('LT2-208 a snippet that does not fit the schema: nothing is registered [SNIP-3]', async () => {
  const outcome = await up(worldOf({}, ['propA', 'propB']), stateOf(snippet('bad', 'propA = true')));
  expect(complaint(outcome)).toContain("missing required attribute 'propB'");
  expect(names(outcome)).toEqual([]);
  expect(outcome.trace).toEqual([]);
});

test('an unknown type and an unknown attribute are refused as well', async () => {
  const wrongType = await up(worldOf(), stateOf(snippet('bad', '', { type: 'pkgA:index:nothing' })));
  expect(complaint(wrongType)).toContain("unknown resource type 'pkgA:index:nothing'");
  const wrongAttribute = await up(worldOf(), stateOf(snippet('bad', 'propA = 1\nother = 2')));
  expect(complaint(wrongAttribute)).toContain("unsupported attribute 'other'");
});

test('LT2-210 without its snippet a resource is deleted', async () => {
  const providers = worldOf();
  const first = ok(await up(providers, stateOf(snippet('r', 'propA = true'))));
  const second = ok(await up(providers, { ...first.snapshot, snippets: [] }));
  expect(second.steps).toEqual(['delete r']);
  expect(names(second)).toEqual([]);
});

test('LT2-211 several snippets', async () => {
  const outcome = ok(
    await up(worldOf(), stateOf(snippet('r1', 'propA = true'), snippet('r2', 'propA = false'))),
  );
  expect(uuids(outcome)).toEqual(['uuid-r1', 'uuid-r2']);
  expect(entry(outcome, 'r1').inputs).toEqual({ propA: true });
  expect(entry(outcome, 'r2').inputs).toEqual({ propA: false });
});

test('LT2-213 cwd and rootDirectory are the root of the project', async () => {
  const code = 'propA = "${cwd()} ${rootDirectory()} ${organization()}/${project()}/${stack()}"';
  const outcome = ok(await up(worldOf(), stateOf(snippet('r', code))));
  expect(entry(outcome, 'r').inputs).toEqual({ propA: '/project /project organization/test/test' });
});

test('LT2-214 a snippet asks a provider', async () => {
  const providers = worldOf({
    invoke: async ({ args }) => ({
      result: propertyMap({ result: `echoed: ${String(args['input'])}` }),
      failures: [],
    }),
  });
  const code = 'message = invoke("pkgA:index:echo", { input = "hi" }).result';
  const outcome = ok(
    await runScenario({
      providers,
      prior: stateOf(snippet('r', code, { type: 'pkgA:index:consumer' })),
    }),
  );
  expect(providers.calls.filter(({ method }) => method === 'invoke')).toHaveLength(1);
  expect(entry(outcome, 'r').inputs).toEqual({ message: 'echoed: hi' });
});

const consumer = (name: string, code: string, references: Record<string, Urn>): Snippet =>
  snippet(name, code, { type: 'pkgA:index:consumer', references });
const producer: ProgramFunction = async ({ resource }) =>
  void (await resource('pkgA:index:producer', 'producer', { seed: 'abc' }, { parent: '' }));
const PRODUCER = urnOf('pkgA:index:producer', 'producer');

test('LT2-216 a reference to a component waits for its outputs [SNIP-2]', async () => {
  const prior = stateOf(consumer('r', 'message = comp.value', { comp: urnOf('my:index:Comp', 'comp') }));
  const outcome = ok(
    await up(worldOf(), prior, {
      program: async ({ component, outputs }) => {
        const { urn } = await component('my:index:Comp', 'comp', { parent: '' });
        await outputs(urn, { value: 'final' });
      },
    }),
  );
  expect(entry(outcome, 'r').inputs).toEqual({ message: 'final' });
  expect(entry(outcome, 'r').dependencies).toEqual([urnOf('my:index:Comp', 'comp')]);
  expect(entry(outcome, 'r').propertyDependencies).toEqual({ message: [urnOf('my:index:Comp', 'comp')] });
});

test('LT2-217 what nobody registers is an error, not a wait for ever [SNIP-2]', async () => {
  const providers = worldOf();
  const prior = stateOf(consumer('r', 'message = producer.value', { producer: PRODUCER }));
  const first = ok(await up(providers, prior, { program: producer }));
  expect(entry(first, 'r').inputs).toEqual({ message: 'value-of-abc' });
  const second = await up(providers, first.snapshot);
  expect(complaint(second)).toContain('no source registered this URN');
  expect(second.result.summary.result).toBe('failed');
  expect(names(second)).toEqual(names(first));
});

test('LT2-218 a chain of snippets; the first link goes', async () => {
  const providers = worldOf();
  const makes = (name: string, code: string, references?: Record<string, Urn>): Snippet =>
    snippet(name, code, { type: 'pkgA:index:producer', ...(references && { references }) });
  const links = [
    consumer('consumer', 'message = middle.value', { middle: urnOf('pkgA:index:producer', 'middle') }),
    makes('middle', 'seed = producer.value', { producer: PRODUCER }),
    makes('producer', 'seed = "abc"'),
  ];
  const first = ok(await up(providers, stateOf(...links)));
  expect(entry(first, 'consumer').inputs).toEqual({ message: 'value-of-value-of-abc' });
  const broken = { ...first.snapshot, snippets: links.slice(0, 2) };
  const second = await up(providers, broken);
  expect(complaint(second)).toContain('no source registered this URN');
});

test('two snippets that wait for each other are an error', async () => {
  const outcome = await up(
    worldOf(),
    stateOf(
      consumer('a', 'message = b.message', { b: urnOf('pkgA:index:consumer', 'b') }),
      consumer('b', 'message = a.message', { a: urnOf('pkgA:index:consumer', 'a') }),
    ),
  );
  expect(complaint(outcome)).toContain('no source registered this URN');
});

test('LT2-219 a reference follows an alias, and so does the one in state', async () => {
  const providers = worldOf();
  const a = urnOf('pkgA:index:producer', 'A');
  const b = urnOf('pkgA:index:producer', 'B');
  const named =
    (name: string, aliases: readonly Urn[] = []): ProgramFunction =>
    async ({ resource }) =>
      void (await resource(
        'pkgA:index:producer',
        name,
        { seed: 'abc' },
        { parent: '', aliases: aliases.map((urn) => ({ kind: 'urn', urn })) },
      ));
  const prior = stateOf(consumer('r', 'message = A.value', { A: a }));
  const first = ok(await up(providers, prior, { program: named('A') }));
  const second = ok(await up(providers, first.snapshot, { program: named('B', [a]) }));
  expect(entry(second, 'r').inputs).toEqual({ message: 'value-of-abc' });
  expect(second.snapshot.snippets?.[0]?.references).toEqual({ A: b });
  const third = ok(await up(providers, second.snapshot, { program: named('B') }));
  expect(third.steps.filter((step) => !step.startsWith('same'))).toEqual([]);
});

test('LT2-220 options of a snippet end up in state', async () => {
  const code = `propA = true
options {
  protect = true
  retainOnDelete = true
  ignoreChanges = [propA]
  additionalSecretOutputs = [propA]
  replaceOnChanges = [propA]
  deleteBeforeReplace = true
  customTimeouts = { create = "5m", update = "10m", delete = "15m" }
}`;
  const outcome = ok(await up(worldOf(), stateOf(snippet('r', code))));
  expect(entry(outcome, 'r')).toMatchObject({
    protect: true,
    retainOnDelete: true,
    ignoreChanges: ['propA'],
    additionalSecretOutputs: ['propA'],
    replaceOnChanges: ['propA'],
    customTimeouts: { create: 300, update: 600, delete: 900 },
  });
});

test('references in options: parent, dependsOn, deletedWith', async () => {
  const prior = stateOf(
    snippet('r', 'propA = 1\noptions {\n  parent = p\n  dependsOn = [p]\n  deletedWith = p\n}', {
      references: { p: PRODUCER },
    }),
  );
  const outcome = ok(await up(worldOf(), prior, { program: producer }));
  expect(entry(outcome, 'r')).toMatchObject({
    parent: PRODUCER,
    dependencies: [PRODUCER],
    deletedWith: PRODUCER,
  });
});

test('LT2-223 a renamed snippet with an alias keeps its object', async () => {
  const providers = worldOf();
  const first = ok(await up(providers, stateOf(snippet('old-name', 'propA = true'))));
  const renamed = snippet(
    'new-name',
    `propA = true\noptions {\n  aliases = ["${urnOf(TYPE, 'old-name')}"]\n}`,
    {
      uuid: 'uuid-old-name',
    },
  );
  const second = ok(await up(providers, { ...first.snapshot, snippets: [renamed] }));
  expect(second.steps.filter((step) => /create|delete/.test(step))).toEqual([]);
  expect(entry(second, 'new-name').id).toBe(entry(first, 'old-name').id);
});

test('LT2-224 a range makes several', async () => {
  const outcome = ok(
    await up(worldOf(), stateOf(snippet('fan', 'propA = range.value\noptions {\n  range = 3\n}'))),
  );
  expect(names(outcome).slice(1).sort()).toEqual(['fan-0', 'fan-1', 'fan-2']);
  expect(outcome.steps.filter((step) => step.startsWith('create'))).toHaveLength(3);
  expect(entry(outcome, 'fan-2').inputs).toEqual({ propA: 2 });
});

describe('LT2-226 changes that cannot be made [SNIP-3]', () => {
  test.each<[string, Record<string, Snippet | null>, readonly string[]]>([
    ['another uuid', { key: snippet('r', 'propA = 1') }, ['snippet "key" has mismatched uuid "uuid-r"']],
    ['nothing to delete', { gone: null }, ['cannot delete snippet "gone": no such snippet in snapshot']],
    [
      'code that does not fit',
      { 'uuid-r': snippet('r', '') },
      ['bind snippet', "missing required attribute 'propA'"],
    ],
  ])('%s', async (_, changes, messages) => {
    const outcome = await up(worldOf(), emptySnapshot, { snippets: { changes } });
    for (const message of messages) expect(complaint(outcome)).toContain(message);
    expect(outcome.result.summary.result).toBe('failed');
    expect(uuids(outcome)).toEqual([]);
  });
});

test('snippets are added, replaced and deleted by an operation', async () => {
  const providers = worldOf();
  const add = { 'uuid-r': snippet('r', 'propA = 1') };
  const first = ok(await up(providers, emptySnapshot, { snippets: { changes: add } }));
  expect(uuids(first)).toEqual(['uuid-r']);
  const change = { 'uuid-r': snippet('r', 'propA = 2') };
  const second = ok(await up(providers, first.snapshot, { snippets: { changes: change } }));
  expect(second.steps).toContain('update r');
  expect(second.snapshot.snippets?.[0]?.code).toBe('propA = 2');
  const third = ok(await up(providers, second.snapshot, { snippets: { changes: { 'uuid-r': null } } }));
  expect(third.steps).toEqual(['delete r']);
  expect(uuids(third)).toEqual([]);
});

test('LT2-227 a resource records its snippet', async () => {
  const outcome = ok(await up(worldOf(), stateOf(snippet('r', 'propA = 1')), { program: producer }));
  expect(entry(outcome, 'r').snippetId).toBe('uuid-r');
  expect(entry(outcome, 'producer').snippetId).toBeUndefined();
});

describe('snippets as targets [SNIP-5]', () => {
  const both = stateOf(snippet('r1', 'propA = 1'), snippet('r2', 'propA = 2'));

  test.each([
    ['LT2-229 only the resource of the target is deleted', []],
    ['LT2-230 excludes do not count', ['urn:pulumi:test::test::no:such:thing::at-all']],
  ])('%s', async (_, excludes) => {
    const providers = worldOf();
    const first = ok(await up(providers, both));
    const outcome = ok(
      await up(
        providers,
        { ...first.snapshot, snippets: [] },
        {
          snippets: { targets: ['uuid-r1'] },
          scope: { excludes },
        },
      ),
    );
    expect(outcome.steps.filter((step) => !step.startsWith('same'))).toEqual(['delete r1']);
    expect(names(outcome)).toEqual(['default', 'r2']);
  });

  test('LT2-231 providers of other snippets are left alone', async () => {
    const providers = new MockWorld({ pkgA: plugin('pkgA'), pkgB: plugin('pkgB') });
    const rB = snippet('rB', 'propA = 1', { type: 'pkgB:index:res', descriptor: { name: 'pkgB' } });
    const first = ok(await up(providers, stateOf(snippet('rA', 'propA = 1'), rB)));
    expect(names(first)).toHaveLength(4);
    const refuse = () => Promise.reject(new ProviderError('UNKNOWN', 'pkgB must not be asked'));
    providers.install('pkgB', plugin('pkgB', { checkConfig: refuse, configure: refuse }));
    const changed = { ...first.snapshot, snippets: [snippet('rA', 'propA = 2'), rB] };
    const second = ok(await up(providers, changed, { snippets: { targets: ['uuid-rA'] } }));
    expect(second.steps.filter((step) => !step.startsWith('same'))).toEqual(['update rA']);
    expect(names(second)).toHaveLength(4);
  });

  test('LT2-233 an explicit provider comes from state', async () => {
    const providers = worldOf();
    const mine = snippet('my-provider', 'region = "west"', { type: 'pulumi:providers:pkgA' });
    const using = (value: number): Snippet =>
      snippet('r', `propA = ${value}\noptions {\n  provider = mine\n}`, {
        references: { mine: urnOf('pulumi:providers:pkgA', 'my-provider') },
      });
    const first = ok(await up(providers, stateOf(mine, using(1))));
    expect(names(first)).toEqual(['my-provider', 'r']);
    const changed = { ...first.snapshot, snippets: [mine, using(2)] };
    const second = ok(await up(providers, changed, { snippets: { targets: ['uuid-r'] } }));
    expect(second.steps.filter((step) => !step.startsWith('same'))).toEqual(['update r']);
    expect(entry(second, 'r').provider).toBe(entry(first, 'r').provider);
    expect(providers.instances.at(-1)?.settings).toMatchObject({ region: 'west' });
  });

  test('the program is not run', async () => {
    const providers = worldOf();
    let runs = 0;
    const program: ProgramFunction = async () => void (runs += 1);
    const first = ok(await up(providers, both, { program }));
    expect(runs).toBe(2);
    ok(await up(providers, first.snapshot, { program, snippets: { targets: ['uuid-r1'] } }));
    expect(runs).toBe(2);
  });
});

test('LT2-235 a snippet whose resource could not be deleted stays [SNIP-4]', async () => {
  const providers = worldOf();
  const first = ok(await up(providers, stateOf(snippet('r1', 'propA = 1'), snippet('r2', 'propA = 2'))));
  providers.failNext('delete', 'r1', new ProviderError('UNKNOWN', 'not today'));
  const changes = { 'uuid-r1': null, 'uuid-r2': null };
  const second = await runScenario({
    providers,
    prior: first.snapshot,
    snippets: { changes },
    policy: { continueOnError: true },
  });
  expect(second.result.summary.result).toBe('failed');
  expect(uuids(second)).toEqual(['uuid-r1']);
  expect(names(second)).toEqual(['default', 'r1']);
  const third = ok(await up(providers, second.snapshot, { snippets: { changes: { 'uuid-r1': null } } }));
  expect(uuids(third)).toEqual([]);
  expect(names(third)).toEqual([]);
});

test('LT2-236 a copy that is pending delete does not hold its snippet [SNIP-4]', async () => {
  const providers = worldOf({ diff: async () => diffAnswer('some', { replaceKeys: ['propA'] }) });
  const first = ok(await up(providers, stateOf(snippet('r', 'propA = 1'))));
  const changed = { ...first.snapshot, snippets: [snippet('r', 'propA = 2')] };
  providers.failNext('delete', 'r', new ProviderError('UNKNOWN', 'not today'));
  const second = await runScenario({ providers, prior: changed });
  expect(names(second)).toContain('r(delete)');
  const copy = second.snapshot.resources.find((each) => each.delete);
  providers.install(
    'pkgA',
    plugin('pkgA', {
      delete: ({ id }) =>
        id === copy?.id ? Promise.reject(new ProviderError('UNKNOWN', 'not today')) : Promise.resolve(),
    }),
  );
  const third = await runScenario({
    providers,
    prior: second.snapshot,
    snippets: { changes: { 'uuid-r': null } },
    policy: { continueOnError: true },
  });
  expect(third.result.summary.result).toBe('failed');
  expect(uuids(third)).toEqual([]);
  expect(names(third)).toEqual(['default', 'r(delete)']);
  providers.install('pkgA', plugin('pkgA'));
  const fourth = ok(await runScenario({ providers, prior: third.snapshot }));
  expect(names(fourth)).toEqual([]);
  expect(fourth.steps.filter((step) => step.startsWith('create'))).toEqual([]);
});

test('secrets and unknowns go through', async () => {
  const code = 'propA = "${p.value}!"\npropB = secret("x")';
  const prior = stateOf(snippet('r', code, { references: { p: PRODUCER } }));
  const preview = await runScenario({ providers: worldOf(), prior, program: producer, preview: true });
  const planned = preview.events.find((event) => event.t === 'step-ended' && urnName(event.step.urn) === 'r');
  expect(planned).toMatchObject({ step: { new: { inputs: { propA: UNKNOWN, propB: secret('x') } } } });
  const outcome = ok(await runScenario({ providers: worldOf(), prior, program: producer }));
  expect(entry(outcome, 'r').inputs).toEqual({ propA: 'value-of-abc!', propB: secret('x') });
});
