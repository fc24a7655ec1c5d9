import { urnName } from '@cairn/addresses';
import type { EngineEvent, PolicySummary, Violation } from '@cairn/engine';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { propertyMap, secret } from '@cairn/values';
import type { AnalyzedResource, PolicySeverity } from '@cairn/wire';
import {
  MockPack,
  MockWorld,
  diffAnswer,
  gate,
  policyDiagnostic,
  remediation,
  runScenario,
} from '@cairn/testkit';
import type { Outcome, PackBehaviour, ProgramFunction, Scenario } from '@cairn/testkit';

/** Scenarios of the analyzers [POL-2], run by the whole engine. */

const TYPE = 'pkgA:m:typA';
const world = () => new MockWorld({ pkgA: {} });
const resA: ProgramFunction = async ({ resource }) => void (await resource(TYPE, 'resA'));
const notApplicable = (policyName: string) => ({ notApplicable: [{ policyName, reason: 'not typA' }] });

/** Runs one up with the packs, after a preview if the test requests one. */
function up(packs: readonly MockPack[], rest: Partial<Scenario> = {}): Promise<Outcome> {
  return runScenario({ providers: world(), program: resA, packs, ...rest });
}

function pack(behaviour: PackBehaviour): MockPack {
  return new MockPack(behaviour);
}

const violations = ({ events }: Outcome): readonly Violation[] =>
  events.flatMap((event) => (event.t === 'policy-violation' ? [event.violation] : []));

type SummaryEvent = Extract<EngineEvent, { t: 'policy-summary' }>;
/** Returns summaries of one kind by name of the resource, without the stack resource. */
function summaries(outcome: Outcome, of: SummaryEvent['of']): readonly (readonly [string, PolicySummary])[] {
  return outcome.events.flatMap((event) => {
    if (event.t !== 'policy-summary' || event.of !== of) return [];
    const name = event.urn === undefined ? '' : urnName(event.urn);
    return name === 'test-test' ? [] : [[name, event.summary] as const];
  });
}
const passedAndFailed = (outcome: Outcome, of: SummaryEvent['of']) =>
  summaries(outcome, of).map(([name, { passed, failed }]) => [name, passed, failed]);

function entryNamed({ snapshot }: Outcome, name: string): ResourceEntry {
  const found = snapshot.resources.find(({ urn }) => urnName(urn) === name);
  if (found === undefined) throw new Error(`no entry ${name}`);
  return found;
}

/** Returns a policy that fails for typA and is not applicable to anything else. */
function alwaysFails(declared: PolicySeverity, found: PolicySeverity = 'unspecified'): MockPack {
  return pack({
    policies: [{ name: 'always-fails', enforcementLevel: 'mandatory', severity: declared }],
    remediate: () => notApplicable('always-fails'),
    analyze: ({ type }) =>
      type === TYPE
        ? {
            diagnostics: [
              policyDiagnostic({ policyName: 'always-fails', message: 'a policy failed', severity: found }),
            ],
          }
        : notApplicable('always-fails'),
  });
}

describe.each([
  ['LT2-162 a broken mandatory policy, severity as declared', alwaysFails('high'), 'high'],
  [
    'LT2-171 the severity of the finding wins over the declared one',
    alwaysFails('medium', 'critical'),
    'critical',
  ],
])('%s', (_, failing, severity) => {
  const outcome = up([failing]);

  test('the registration is refused, and the run fails with exactly one violation', async () => {
    const { result, steps } = await outcome;
    expect(result.summary.result).toBe('failed');
    expect(steps).toEqual([]);
    expect(violations(await outcome)).toEqual([
      {
        urn: 'urn:pulumi:test::test::pkgA:m:typA::resA',
        policyName: 'always-fails',
        packName: 'pack',
        packVersion: '1.0.0',
        description: 'always-fails is kept',
        message: 'a policy failed',
        level: 'mandatory',
        severity,
      },
    ]);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['CAIRN-POLICY-VIOLATION']);
    expect(result.diagnostics[0]?.summary).toContain('a policy failed');
  });

  test('one summary a resource', async () => {
    expect(passedAndFailed(await outcome, 'analyze')).toEqual([
      ['default', [], []],
      ['resA', [], ['always-fails']],
    ]);
  });

  test('the stack is not analyzed after an error', async () => {
    await outcome;
    expect(failing.stacks).toEqual([]);
    expect(failing.calls).toEqual(['configureStack', 'close']);
  });
});

test('a preview goes on after a mandatory violation and fails in the end [POL-5]', async () => {
  const failing = alwaysFails('high');
  const outcome = await up([failing], { preview: true });
  expect(outcome.result.summary.result).toBe('failed');
  expect(outcome.steps).toEqual(['create resA']);
  expect(violations(outcome)).toHaveLength(1);
  expect(failing.stacks).toEqual([]);
  expect(failing.stack?.dryRun).toBe(true);
});

test('LT2-163 a broken stack policy: the changes stand, the run fails [POL-6]', async () => {
  const stackPack = pack({
    policies: [{ name: 'always-fails', enforcementLevel: 'mandatory', type: 'stack' }],
    analyzeStack: () => ({ diagnostics: [policyDiagnostic({ policyName: 'always-fails' })] }),
  });
  for (const preview of [true, false]) {
    const outcome = await up([stackPack], { preview });
    expect(outcome.result.summary.result).toBe('failed');
    expect(outcome.steps).toEqual(['create resA']);
    expect(violations(outcome)).toMatchObject([
      { urn: 'urn:pulumi:test::test::pulumi:pulumi:Stack::test-test', level: 'mandatory' },
    ]);
    expect(passedAndFailed(outcome, 'analyze-stack')).toEqual([['', [], ['always-fails']]]);
    if (!preview) expect(outcome.names).toEqual(['test-test', 'default', 'resA']);
  }
});

test('LT2-168 a finding of level remediate on the stack is mandatory', async () => {
  const stackPack = pack({
    policies: [{ name: 'always-fails', enforcementLevel: 'remediate', type: 'stack' }],
    analyzeStack: ([, , last]) => ({
      diagnostics: [
        policyDiagnostic({ policyName: 'always-fails', enforcementLevel: 'remediate', urn: last?.urn ?? '' }),
      ],
    }),
  });
  const outcome = await up([stackPack]);
  expect(outcome.result.summary.result).toBe('failed');
  expect(violations(outcome)).toMatchObject([{ level: 'mandatory' }]);
  expect(violations(outcome)[0]?.urn).toContain('::resA');
});

const correcting = pack({
  policies: [
    { name: 'ignored', enforcementLevel: 'remediate' },
    { name: 'real-deal', enforcementLevel: 'remediate' },
  ],
  remediate: ({ type }) =>
    type === TYPE
      ? {
          remediations: [
            remediation({ policyName: 'ignored', properties: propertyMap({ a: 'nope', ggg: true }) }),
            remediation({
              policyName: 'real-deal',
              properties: propertyMap({ a: 'foo', fff: true, z: 'bar' }),
            }),
          ],
        }
      : { notApplicable: ['ignored', 'real-deal'].map((policyName) => ({ policyName, reason: '' })) },
  analyze: ({ type }) =>
    type === TYPE
      ? {}
      : { notApplicable: ['ignored', 'real-deal'].map((policyName) => ({ policyName, reason: '' })) },
});

test('LT2-164 remediations replace the inputs, one after the other [POL-4]', async () => {
  for (const preview of [true, false]) {
    const outcome = await up([correcting], { preview });
    expect(outcome.result.summary.result).toBe('succeeded');
    const told = outcome.events.filter((event) => event.t === 'policy-remediation');
    expect(told).toMatchObject([
      { policyName: 'ignored', before: {}, after: { a: 'nope', ggg: true } },
      { policyName: 'real-deal', before: { a: 'nope', ggg: true }, after: { a: 'foo', fff: true, z: 'bar' } },
    ]);
    expect(passedAndFailed(outcome, 'remediate')).toEqual([
      ['default', [], []],
      ['resA', [], ['ignored', 'real-deal']],
    ]);
    if (!preview) expect(entryNamed(outcome, 'resA').inputs).toEqual({ a: 'foo', fff: true, z: 'bar' });
  }
  expect(correcting.analyzed.at(-1)?.properties).toEqual({ a: 'foo', fff: true, z: 'bar' });
});

test('what was corrected is corrected for a replacement too [POL-4]', async () => {
  const providers = new MockWorld({
    pkgA: { behaviour: { diff: async () => diffAnswer('some', { replaceKeys: ['a'] }) } },
  });
  const first = await up([], { providers });
  const outcome = await up([correcting], { providers, prior: first.snapshot });
  expect(outcome.steps).toContain('create-replacement resA');
  expect(entryNamed(outcome, 'resA').inputs).toEqual({ a: 'foo', fff: true, z: 'bar' });
  expect(outcome.events.filter((event) => event.t === 'policy-remediation')).toHaveLength(2);
});

test('a component is compared by the inputs that packs have corrected [POL-4]', async () => {
  const [size, corrected] = [propertyMap({ size: 1 }), propertyMap({ size: 2 })];
  const doubling = pack({
    remediate: ({ type }) =>
      type === 'my:index:Box'
        ? { remediations: [remediation({ policyName: 'doubled', properties: corrected })] }
        : {},
  });
  const program: ProgramFunction = async ({ component }) =>
    void (await component('my:index:Box', 'box', { inputs: size }));
  const first = await up([doubling], { program });
  expect(entryNamed(first, 'box').inputs).toEqual(corrected);
  const again = await up([doubling], { program, prior: first.snapshot });
  expect(again.steps).toContain('same box');
  const without = await up([], { program, prior: first.snapshot });
  expect(without.steps).toContain('update box');
  expect(entryNamed(without, 'box').inputs).toEqual(size);
});

test('each pack corrects what the one before has left, and analyses see the end', async () => {
  const adding = (key: string) =>
    pack({
      name: key,
      remediate: ({ properties }) => ({
        remediations: [
          remediation({
            policyName: key,
            policyPackName: key,
            properties: { ...properties, [key]: secret('x') },
          }),
        ],
      }),
    });
  const [one, two] = [adding('one'), adding('two')];
  const outcome = await up([one, two]);
  expect(entryNamed(outcome, 'resA').inputs).toEqual({ one: secret('x'), two: secret('x') });
  expect(one.analyzed.at(-1)?.properties).toEqual(two.analyzed.at(-1)?.properties);
});

test('LT2-165 a remediation that only says something is an advisory violation', async () => {
  const outcome = await up([
    pack({
      policies: [{ name: 'warning', enforcementLevel: 'remediate', severity: 'low' }],
      remediate: ({ type }) =>
        type === TYPE
          ? { remediations: [remediation({ policyName: 'warning', diagnostic: 'cannot fix' })] }
          : {},
    }),
  ]);
  expect(outcome.result.summary.result).toBe('succeeded');
  expect(outcome.names).toEqual(['test-test', 'default', 'resA']);
  expect(entryNamed(outcome, 'resA').inputs).toEqual({});
  expect(violations(outcome)).toMatchObject([{ level: 'advisory', message: 'cannot fix', severity: 'low' }]);
  expect(outcome.events.some((event) => event.t === 'policy-remediation')).toBe(false);
});

test('LT2-166 a pack that cannot remediate fails the run, and nothing is stored', async () => {
  for (const preview of [true, false]) {
    const outcome = await up(
      [
        pack({
          remediate: () => {
            throw new Error('this is not going to work');
          },
        }),
      ],
      { preview },
    );
    expect(outcome.result.summary.result).toBe('failed');
    expect(outcome.complaints.join()).toContain('failed to run remediation');
    expect(outcome.complaints.join()).toContain('this is not going to work');
    expect(outcome.names).toEqual([]);
  }
});

test('LT2-170 every violation is told, whatever its level and severity', async () => {
  const policies = (['advisory', 'mandatory'] as const).flatMap((enforcementLevel) =>
    (['unspecified', 'low', 'medium', 'high', 'critical'] as const).map((severity) => ({
      name: `${enforcementLevel}-${severity}`,
      enforcementLevel,
      severity,
    })),
  );
  const outcome = await up([
    pack({
      policies,
      analyze: ({ type }) => ({
        diagnostics:
          type === TYPE
            ? policies.map(({ name, ...rest }) => policyDiagnostic({ policyName: name, ...rest }))
            : [],
      }),
    }),
  ]);
  expect(outcome.result.summary.result).toBe('failed');
  expect(violations(outcome).map(({ level, severity }) => `${level}-${severity}`)).toEqual(
    policies.map(({ name }) => name),
  );
  expect(outcome.result.diagnostics).toHaveLength(1);
  expect(outcome.result.diagnostics[0]?.summary).toContain('breaks 5 mandatory policies');
});

test('advisory violations and disabled policies fail nothing; disabled ones are not counted [POL-7]', async () => {
  const outcome = await up([
    pack({
      policies: [{ name: 'off', enforcementLevel: 'disabled' }, { name: 'on' }, { name: 'soft' }],
      analyze: () => ({
        diagnostics: [
          policyDiagnostic({ policyName: 'off', enforcementLevel: 'disabled' }),
          policyDiagnostic({ policyName: 'soft', enforcementLevel: 'advisory', message: '' }),
        ],
      }),
    }),
  ]);
  expect(outcome.result.summary.result).toBe('succeeded');
  expect(new Set(violations(outcome).map(({ policyName }) => policyName))).toEqual(new Set(['soft']));
  expect(violations(outcome)[0]?.message).toBe('soft is kept');
  expect(passedAndFailed(outcome, 'analyze').at(-1)).toEqual(['resA', ['on'], ['soft']]);
});

test('LT2-172 the packs analyze one resource at the same time', async () => {
  const all = gate();
  let waiting = 0;
  const packs = ['a', 'b', 'c'].map((name) =>
    pack({
      name,
      analyze: async ({ type }) => {
        if (type !== TYPE) return {};
        if ((waiting += 1) === 3) all.open();
        await all.pass();
        return {};
      },
    }),
  );
  expect((await up(packs)).result.summary.result).toBe('succeeded');
  expect(waiting).toBe(3);
});

test('PULUMI_PARALLEL_ANALYZE: no more analyses at a time than asked for [POL-2]', async () => {
  let [open, most] = [0, 0];
  const packs = ['a', 'b', 'c'].map((name) =>
    pack({
      name,
      analyze: async () => {
        most = Math.max(most, (open += 1));
        await Promise.resolve();
        open -= 1;
        return {};
      },
    }),
  );
  await up(packs, { analyses: 1 });
  expect(most).toBe(1);
});

test.each([
  ['LT2-174 a pack that cannot be downloaded', 'policy pack download failed'],
  ['LT2-175 a pack that cannot be installed', 'policy pack install failed'],
])('%s fails the operation before anything happens', async (_, message) => {
  const fine = pack({ name: 'fine' });
  const missing = pack({ loadError: new Error(message) });
  const required = { t: 'required', name: 'missing', version: '1.0.0', location: '1', settings: {} } as const;
  for (const preview of [true, false]) {
    const outcome = await up([fine, missing], {
      preview,
      policy: { packs: [{ t: 'local', directory: '0', settings: {} }, required] },
    });
    expect(outcome.result.summary.result).toBe('failed');
    expect(outcome.complaints.join()).toContain(message);
    expect(outcome.names).toEqual([]);
    expect(outcome.trace).toEqual([]);
  }
  expect(fine.calls).toEqual(['configureStack', 'close', 'configureStack', 'close']);
});

test('what a pack is told: the stack, each resource with its options and its provider [POL-1] [POL-3]', async () => {
  const seeing = pack({});
  await up([seeing], {
    config: { values: { 'test:a': '{"b":1}' }, secretKeys: ['test:a'] },
    program: async ({ resource, component }) => {
      const parent = (await component('my:index:Comp', 'comp')).urn;
      await resource(
        TYPE,
        'resA',
        { a: secret(1) },
        {
          parent,
          protect: true,
          ignoreChanges: ['b'],
          deleteBeforeReplace: false,
          additionalSecretOutputs: ['c'],
          customTimeouts: { create: '2m', update: '', delete: '' },
        },
      );
    },
  });
  expect(seeing.stack).toEqual({
    organization: 'organization',
    project: 'test',
    stack: 'test',
    dryRun: false,
    config: { 'test:a': '{"b":1}' },
    configSecretKeys: ['test:a'],
    tags: {},
  });
  expect(seeing.analyzed.map(({ name }) => name)).toEqual(['test-test', 'comp', 'default', 'resA']);
  expect(seeing.analyzed.at(-1)).toMatchObject<Partial<AnalyzedResource>>({
    type: TYPE,
    properties: propertyMap({ a: secret(1) }),
    options: {
      protect: true,
      ignoreChanges: ['b'],
      deleteBeforeReplace: false,
      additionalSecretOutputs: ['c'],
      aliases: [],
      customTimeouts: { create: 120, update: 0, delete: 0, read: 0 },
      parent: 'urn:pulumi:test::test::my:index:Comp::comp',
    },
    provider: {
      urn: 'urn:pulumi:test::test::pulumi:providers:pkgA::default',
      type: 'pulumi:providers:pkgA',
      name: 'default',
      properties: expect.anything() as never,
    },
  });
  const [stack] = seeing.stacks;
  expect(stack?.map(({ name, parent }) => [name, parent !== ''])).toEqual([
    ['test-test', false],
    ['comp', true],
    ['default', false],
    ['resA', true],
  ]);
});

test('stack policies see the outputs of the program before they are stored', async () => {
  const seeing = pack({});
  await up([seeing], { program: async () => ({ url: 'x' }) });
  expect(seeing.stacks[0]?.[0]?.properties).toEqual({ url: 'x' });
});

const packFor = { name: 'conf', supportsConfig: true } as const;
const limits = {
  ...packFor,
  initialConfig: { size: { enforcementLevel: 'advisory', properties: propertyMap({ unit: 'MB' }) } },
  policies: [
    {
      name: 'size',
      configSchema: {
        properties: propertyMap({
          max: { type: 'integer', minimum: 1, default: 3 },
          unit: { type: 'string' },
        }),
        required: ['max'],
      },
    },
    { name: 'other', enforcementLevel: 'mandatory' },
  ],
} as const satisfies PackBehaviour;

test('settings: given, for all, initial, declared; defaults of the schema below them', async () => {
  const configured = pack(limits);
  await up([configured], {
    packSettings: [
      {
        all: { enforcementLevel: 'disabled', properties: propertyMap({}) },
        size: { enforcementLevel: undefined, properties: propertyMap({ max: 9 }) },
      },
    ],
  });
  expect(configured.settings).toEqual({
    size: { enforcementLevel: 'disabled', properties: { max: 9, unit: 'MB' } },
    other: { enforcementLevel: 'disabled', properties: {} },
  });
  const untouched = pack(limits);
  await up([untouched]);
  expect(untouched.settings).toEqual({
    size: { enforcementLevel: 'advisory', properties: { max: 3, unit: 'MB' } },
    other: { enforcementLevel: 'mandatory', properties: {} },
  });
});

test('settings that do not fit the schema fail the operation; unknown policies are a warning', async () => {
  const wrong = await up([pack(limits)], {
    packSettings: [{ size: { enforcementLevel: undefined, properties: propertyMap({ max: 0.5 }) } }],
  });
  expect(wrong.result.diagnostics[0]).toMatchObject({
    code: 'CAIRN-POLICY-PACK',
    causes: ['size: max must be of type integer', 'size: max must be at least 1'],
  });
  const unknown = await up([pack(limits)], {
    packSettings: [{ sise: { enforcementLevel: 'advisory', properties: propertyMap({}) } }],
  });
  expect(unknown.result.summary.result).toBe('succeeded');
  expect(unknown.complaints.join()).toContain('it has no policy "sise"');
});

test('cancelling the operation cancels the packs [POL-8]', async () => {
  const answer = gate();
  const slow = pack({
    analyze: async ({ type }) => {
      if (type !== TYPE) return {};
      await answer.pass();
      return {};
    },
  });
  const outcome = await up([slow], {
    onStart: (operation) =>
      void answer.reached.then(() => {
        operation.cancel();
        answer.open();
      }),
  });
  expect(outcome.result.summary.result).toBe('cancelled');
  expect(slow.calls).toEqual(['configureStack', 'cancel', 'close']);
});

test('destroy and refresh run no packs', async () => {
  const unused = pack({});
  for (const kind of ['destroy', 'refresh'] as const) await up([unused], { kind, prior: emptySnapshot });
  expect(unused.calls).toEqual([]);
});

describe('under targets', () => {
  const two: ProgramFunction = async ({ resource }) => {
    await resource(TYPE, 'resA');
    await resource(TYPE, 'resB');
  };

  test('LT2-043 the analysis of the stack sees what is left untouched', async () => {
    const providers = world();
    const seeing = pack({});
    const first = await up([seeing], { providers, program: two });
    for (const preview of [true, false]) {
      const outcome = await up([seeing], {
        providers,
        preview,
        prior: first.snapshot,
        scope: { targets: ['**resA**'] },
      });
      expect(outcome.result.summary.result).toBe('succeeded');
      expect(seeing.stacks.at(-1)?.map(({ name }) => name)).toEqual(expect.arrayContaining(['resA', 'resB']));
      expect(outcome.names.filter((name) => name !== 'test-test')).toHaveLength(3);
    }
  });

  test('LT2-044 what is left untouched keeps its provider', async () => {
    const providers = new MockWorld({ pkgA: [{ version: '1.0.0' }, { version: '2.0.0' }] });
    const seeing = pack({});
    const versioned =
      (version: string, names: readonly string[]): ProgramFunction =>
      async ({ resource }) => {
        const selector = { version, pluginDownloadUrl: '', pluginChecksums: {}, packageRef: '' };
        for (const name of names) await resource(TYPE, name, {}, { package: selector });
      };
    const first = await up([seeing], { providers, program: versioned('1.0.0', ['resA', 'resB']) });
    const outcome = await up([seeing], {
      providers,
      prior: first.snapshot,
      program: versioned('2.0.0', ['resA']),
      scope: { targets: ['**resA**'], refresh: true },
    });
    expect(outcome.result.summary.result).toBe('succeeded');
    const providerNames = Object.fromEntries(
      (seeing.stacks.at(-1) ?? []).map(({ name, provider }) => [name, provider?.name]),
    );
    expect(providerNames).toMatchObject({ resA: 'default_2_0_0', resB: 'default_1_0_0' });
    expect(outcome.names.filter((name) => name !== 'test-test')).toHaveLength(4);
  });
});
