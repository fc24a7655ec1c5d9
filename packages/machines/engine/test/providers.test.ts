import { isProviderType, parseProviderReference, urnName } from '@cairn/addresses';
import type { ProviderReference } from '@cairn/addresses';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { emptySnapshot } from '@cairn/state';
import { UNKNOWN, getProperty, isMap, isSecret, propertyMap, secret } from '@cairn/values';
import { MissingConfigError, ProviderError } from '@cairn/wire';
import type { DiffConfigRequest, RegisterResourceRequest } from '@cairn/wire';
import { MockWorld, diffAnswer, noSelector, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramContext, ProgramFunction, Scenario } from '@cairn/testkit';

/** Scenarios of providers (`docs/rules/providers.md`), run by the whole engine with its registry of providers. */

const TYPE = 'pkgA:m:typA';
const OK: ProgramFunction = async () => {};

const version = (text: string): Partial<RegisterResourceRequest> => ({
  package: { ...noSelector, version: text },
});

const resA = async ({ resource }: ProgramContext) => {
  await resource(TYPE, 'resA');
};

function entry(snapshot: Snapshot, name: string): ResourceEntry {
  const found = snapshot.resources.find(({ urn, delete: gone }) => urnName(urn) === name && !gone);
  if (found === undefined) throw new Error(`no entry ${name}`);
  return found;
}

/** Operations on one stack, each on the state that the one before it left. */
class Stack {
  snapshot: Snapshot = emptySnapshot;

  constructor(readonly providers: MockWorld) {}

  async run(scenario: Omit<Scenario, 'providers' | 'prior'>): Promise<Outcome> {
    const outcome = await runScenario({ ...scenario, providers: this.providers, prior: this.snapshot });
    if (scenario.preview !== true) this.snapshot = outcome.snapshot;
    return outcome;
  }

  /** Runs a preview, then the operation for real. */
  async both(scenario: Omit<Scenario, 'providers' | 'prior' | 'preview'>): Promise<Outcome> {
    await this.run({ ...scenario, preview: true });
    return this.run(scenario);
  }

  up(
    program: ProgramFunction,
    rest: Omit<Scenario, 'providers' | 'prior' | 'program'> = {},
  ): Promise<Outcome> {
    return this.run({ program, ...rest });
  }
}

/** Replaces the provider if settings differ. */
const replacing: MockBehaviour = {
  diffConfig: ({ oldOutputs, news }) =>
    diffAnswer('unknown', { replaceKeys: [...new Set([...Object.keys(oldOutputs), ...Object.keys(news)])] }),
};

describe('lifecycle', () => {
  const steps = (outcome: Outcome) => outcome.trace.filter((line) => !line.endsWith('test-test'));

  test.each([
    ['LT1-158 default provider', resA, 'provider:pkgA'],
    [
      'LT1-159 explicit provider',
      async ({ provider, resource }: ProgramContext) => {
        const provA = await provider('pkgA', 'provA');
        await resource(TYPE, 'resA', {}, { provider: provA });
      },
      'provA',
    ],
  ])('%s: up, refresh, up, refresh, destroy, refresh', async (_title, program, provider) => {
    const stack = new Stack(new MockWorld({ pkgA: {} }));
    const created = await stack.both({ program });
    expect(steps(created)).toEqual([`create ${provider}`, 'create resA']);
    const refreshed = await stack.both({ kind: 'refresh' });
    expect(refreshed.complaints).toEqual([]);
    expect(refreshed.names).toHaveLength(3);
    expect(steps(await stack.both({ program }))).toEqual([`same ${provider}`, 'same resA']);
    await stack.both({ kind: 'refresh' });
    const destroyed = await stack.both({ kind: 'destroy' });
    expect(steps(destroyed)).toEqual(['delete resA', `delete ${provider}`]);
    expect(destroyed.names).toEqual([]);
    expect(steps(await stack.both({ kind: 'refresh' }))).toEqual([]);
    expect(stack.providers.alive).toEqual([]);
    expect(stack.providers.instances.every(({ closed }) => closed)).toBe(true);
  });

  test('LT1-158 at most one plugin is started in each operation, none for an empty one', async () => {
    const stack = new Stack(new MockWorld({ pkgA: {} }));
    const { instances } = stack.providers;
    for (const scenario of [{ program: resA }, { kind: 'refresh' as const }, { program: resA }]) {
      for (const preview of [true, false]) {
        const before = instances.length;
        await stack.run({ ...scenario, preview });
        expect(instances.length - before).toBe(1);
      }
    }
    await stack.run({ kind: 'destroy' });
    const before = instances.length;
    await stack.both({ kind: 'refresh' });
    expect(instances.length).toBe(before);
  });

  test('LT1-161 a default provider whose settings change is replaced with its resources; unchanged it stays', async () => {
    const stack = new Stack(new MockWorld({ pkgA: { behaviour: replacing } }));
    const config = (foo: string) => ({ values: { 'pkgA:foo': foo }, secretKeys: [] });
    await stack.up(resA, { config: config('bar') });
    expect((await stack.up(resA, { config: config('bar') })).trace).toEqual([
      'same test-test',
      'same provider:pkgA',
      'same resA',
    ]);
    const changed = await stack.up(resA, { config: config('baz') });
    expect(changed.trace.filter((line) => line.startsWith('delete-replaced'))).toEqual([
      'delete-replaced resA',
      'delete-replaced provider:pkgA',
    ]);
    expect(stack.providers.alive).toEqual(['resA']);
    expect([...stack.providers.objects.values()][0]?.settings).toEqual(propertyMap({ foo: 'baz' }));
  });

  test('LT1-163 a renamed and updated provider deletes what it had under its old name', async () => {
    const stack = new Stack(new MockWorld({ pkgA: {} }));
    const urns: { provA?: string } = {};
    await stack.up(async ({ provider, resource }) => {
      const provA = await provider('pkgA', 'provA', { id: 'first' });
      urns.provA = parseProviderReference(provA).urn;
      await resource(TYPE, 'resA', {}, { provider: provA });
    });
    stack.providers.forgetCalls();
    const renamed = await stack.up(async ({ provider }) => {
      await provider(
        'pkgA',
        'provB',
        { id: 'second' },
        { aliases: [{ kind: 'urn', urn: urns.provA as string }] },
      );
    });
    expect(renamed.complaints).toEqual([]);
    expect(renamed.steps).toEqual(['delete resA']);
    const deletion = stack.providers.calls.find(({ method }) => method === 'delete');
    expect(deletion?.instance.settings).toEqual(propertyMap({ id: 'second' }));
    expect(renamed.names).toEqual(['test-test', 'provB']);
  });

  test('LT1-164 a replaced provider deletes its old objects itself, the new one creates theirs', async () => {
    const stack = new Stack(new MockWorld({ pkgA: { behaviour: replacing } }));
    const urns: { provA?: string } = {};
    const program =
      (name: string, id: string) =>
      async ({ provider, resource }: ProgramContext) => {
        const aliases = urns.provA === undefined ? [] : [{ kind: 'urn', urn: urns.provA } as const];
        const reference = await provider('pkgA', name, { id }, { aliases });
        urns.provA ??= parseProviderReference(reference).urn;
        await resource(TYPE, 'resA', {}, { provider: reference });
      };
    await stack.up(program('provA', 'first'));
    const renamed = await stack.up(program('provB', 'first'));
    expect(renamed.trace).toEqual(['same test-test', 'same provB', 'same resA']);
    stack.providers.forgetCalls();
    const replaced = await stack.up(program('provB', 'second'));
    expect(replaced.steps).toEqual(['create-replacement resA', 'replace resA', 'delete-replaced resA']);
    const by = (method: string) =>
      stack.providers.calls.find((call) => call.method === method)?.instance.settings;
    expect(by('create')).toEqual(propertyMap({ id: 'second' }));
    expect(by('delete')).toEqual(propertyMap({ id: 'first' }));
  });

  describe('a replaced provider stays while an entry names it', () => {
    const failing: MockBehaviour = {
      ...replacing,
      create: () => {
        throw new ProviderError('UNKNOWN', 'not now');
      },
    };
    const program =
      (id: string, ...dependents: readonly string[]) =>
      async ({ provider, resource }: ProgramContext) => {
        const { urn } = await resource(
          TYPE,
          'resA',
          {},
          { provider: await provider('pkgA', 'provA', { id }) },
        );
        for (const name of dependents) await resource(TYPE, name, {}, { dependencies: [urn] });
      };
    const providers = ({ snapshot }: Stack) =>
      snapshot.resources
        .filter(({ urn }) => urnName(urn) === 'provA')
        .map(({ delete: leaving }) => (leaving ? 'replaced' : 'present'))
        .sort();
    const halfReplaced = async (policy: Scenario['policy'] = {}) => {
      const stack = new Stack(new MockWorld({ pkgA: { behaviour: replacing } }));
      await stack.up(program('first'));
      stack.providers.install('pkgA', { behaviour: failing });
      const { complaints } = await stack.up(program('second'), { policy });
      expect(complaints.join()).toContain('not now');
      expect(providers(stack)).toEqual(['present', 'replaced']);
      stack.providers.install('pkgA', { behaviour: replacing });
      return stack;
    };

    test.each([
      ['the operation ends there', {}],
      ['the operation goes on', { continueOnError: true }],
    ])('its dependent could not be replaced: %s', async (_title, policy) => {
      const stack = await halfReplaced(policy);
      expect((await stack.up(program('second'))).complaints).toEqual([]);
      expect(providers(stack)).toEqual(['present']);
    });

    test('an untargeted dependent goes into the journal behind it', async () => {
      const stack = await halfReplaced();
      const limited = await stack.up(program('second', 'resB'), { scope: { targets: ['**::resB'] } });
      expect(limited.steps).toEqual(['same resA', 'create resB']);
      expect(providers(stack)).toEqual(['present', 'replaced']);
    });

    test('an excluded dependent needs it', async () => {
      const stack = await halfReplaced();
      await stack.up(program('second'), { scope: { excludes: ['**::resA'] } });
      expect(providers(stack)).toEqual(['present', 'replaced']);
    });
  });

  test('LT1-165 a provider that is deleted first takes its resources with it', async () => {
    const behaviour: MockBehaviour = {
      diffConfig: ({ oldOutputs, news }: DiffConfigRequest) =>
        getProperty(oldOutputs, 'foo') === getProperty(news, 'foo')
          ? diffAnswer('none')
          : diffAnswer('some', { replaceKeys: ['foo'], deleteBeforeReplace: true }),
    };
    const stack = new Stack(new MockWorld({ pkgA: { behaviour } }));
    const program =
      (foo: string) =>
      async ({ provider, resource }: ProgramContext) => {
        await resource(TYPE, 'resA', {}, { provider: await provider('pkgA', 'provA', { foo }) });
      };
    await stack.up(program('bar'));
    const changed = await stack.up(program('baz'));
    const physical = changed.trace.filter((line) => /^(delete-replaced|create-replacement)/.test(line));
    expect(physical).toEqual([
      'delete-replaced resA',
      'delete-replaced provA',
      'create-replacement provA',
      'create-replacement resA',
    ]);
  });

  test('LT1-167 moving to another default provider replaces only what its DiffConfig says', async () => {
    const stack = new Stack(
      new MockWorld({
        pkgA: [
          { version: '0.17.9' },
          {
            version: '0.17.10',
            behaviour: { diffConfig: () => diffAnswer('some', { replaceKeys: ['id'] }) },
          },
          { version: '0.17.11', behaviour: { diffConfig: () => diffAnswer('none') } },
        ],
      }),
    );
    const program =
      (a: string, b: string) =>
      async ({ resource }: ProgramContext) => {
        await resource(TYPE, 'resA', {}, version(a));
        await resource(TYPE, 'resB', {}, version(b));
      };
    await stack.up(program('', ''));
    const moved = await stack.up(program('0.17.10', '0.17.11'));
    expect(moved.steps).toEqual([
      'create-replacement resA',
      'replace resA',
      'same resB',
      'delete-replaced resA',
    ]);
    expect(parseProviderReference(entry(stack.snapshot, 'resA').provider as ProviderReference).urn).toMatch(
      /::default_0_17_10$/,
    );
    expect(parseProviderReference(entry(stack.snapshot, 'resB').provider as ProviderReference).urn).toMatch(
      /::default_0_17_11$/,
    );
  });

  test('LT1-185 an unchanged provider is configured with its old inputs; the new ones are stored [PROV-1]', async () => {
    const diffs: [unknown, unknown][] = [];
    const behaviour: MockBehaviour = {
      diffConfig: ({ oldInputs, news }) => {
        diffs.push([getProperty(oldInputs, 'value'), getProperty(news, 'value')]);
        return diffAnswer('none');
      },
    };
    const stack = new Stack(new MockWorld({ pkgA: { behaviour } }));
    const program =
      (value: number) =>
      async ({ provider, resource }: ProgramContext) => {
        await resource(TYPE, 'resA', {}, { provider: await provider('pkgA', 'provA', { value }) });
      };
    await stack.up(program(100));
    await stack.up(program(200));
    expect(diffs).toEqual([[100, 200]]);
    expect(stack.providers.instances.map(({ settings }) => settings)).toEqual([
      propertyMap({ value: 100 }),
      propertyMap({ value: 100 }),
    ]);
    const provA = entry(stack.snapshot, 'provA');
    expect([provA.inputs, provA.outputs]).toEqual([propertyMap({ value: 200 }), propertyMap({ value: 100 })]);
  });
});

describe('which plugin', () => {
  const plugins = { pkgA: [{ version: '1.0.0' }, { version: '1.5.0' }] };

  test.each<[string, Partial<RegisterResourceRequest>, Record<string, string>, string]>([
    ['LT1-169 the newest when nothing is said', {}, {}, '1.5.0'],
    ['LT1-170 the version option', version('1.0.0'), {}, '1.0.0'],
    ['the version input', {}, { version: '1.0.0' }, '1.0.0'],
    ['LT1-172 the option beats the input', version('1.0.0'), { version: '1.5.0' }, '1.0.0'],
  ])('%s', async (_title, options, inputs, expected) => {
    const providers = new MockWorld(plugins);
    await runScenario({
      providers,
      program: async ({ provider }) => void (await provider('pkgA', 'provA', inputs, options)),
    });
    expect(providers.instances.map((instance) => instance.version)).toEqual([expected]);
  });

  const required = [
    { name: 'pkgA', version: '1.0.0', server: '' },
    { name: 'pkgA', version: '0.9.0', server: '' },
  ];

  test.each<[string, Partial<RegisterResourceRequest>, string]>([
    ['what the dependencies of the program say', {}, '1.0.0'],
    ['the option all the same', version('1.5.0'), '1.5.0'],
  ])('a default provider is %s', async (_title, options, expected) => {
    const providers = new MockWorld(plugins);
    const program: ProgramFunction = async ({ resource }) => void (await resource(TYPE, 'resA', {}, options));
    const { names } = await runScenario({ providers, program, packages: required });
    expect(providers.instances.map((instance) => instance.version)).toEqual([expected]);
    expect(names).toContain(`default_${expected.replaceAll('.', '_')}`);
  });

  const url: Partial<RegisterResourceRequest> = {
    package: { ...noSelector, pluginDownloadUrl: 'http://example.com' },
  };

  test('LT1-173 LT1-174 a download URL is kept beside the settings', async () => {
    const providers = new MockWorld(plugins);
    const { snapshot } = await runScenario({
      providers,
      packages: required,
      program: async ({ provider, resource }) => {
        await provider('pkgA', 'provA', {}, url);
        await resource(TYPE, 'resA', {}, url);
      },
    });
    const internal = (name: string) => getProperty(entry(snapshot, name).inputs, '__internal');
    expect(internal('provA')).toEqual(propertyMap({ pluginDownloadURL: 'http://example.com' }));
    expect(getProperty(entry(snapshot, 'provA').inputs, 'version')).toBeUndefined();
    expect(internal('default_1_0_0_http_/example.com')).toEqual(
      propertyMap({ pluginDownloadURL: 'http://example.com' }),
    );
    expect(providers.instances.map(({ spec }) => spec.downloadUrl)).toEqual([
      'http://example.com',
      'http://example.com',
    ]);
  });

  test('LT1-048 checksums are kept in hexadecimal', async () => {
    const stack = new Stack(new MockWorld(plugins));
    const pluginChecksums = { 'windows-x64': Uint8Array.from([0, 1, 2, 3, 4]) };
    await stack.up(
      async ({ resource }) =>
        void (await resource(TYPE, 'resA', {}, { package: { ...noSelector, pluginChecksums } })),
    );
    expect(getProperty(entry(stack.snapshot, 'default').inputs, '__internal')).toEqual(
      propertyMap({ pluginChecksums: propertyMap({ 'windows-x64': '0001020304' }) }),
    );
    expect((await stack.up(OK)).names).toEqual(['test-test']);
  });

  test('settings of a default provider come from the configuration of its package', async () => {
    const config = {
      values: { 'pkgA:region': 'eu', 'pkgA:token': 't0p', 'pkgB:x': '1' },
      secretKeys: ['pkgA:token'],
    };
    const { snapshot } = await runScenario({ providers: new MockWorld({ pkgA: {} }), program: resA, config });
    const { inputs } = entry(snapshot, 'default');
    expect(inputs).toEqual(propertyMap({ region: 'eu', token: secret('t0p') }));
  });

  test('a parameterized package is made of its base plugin', async () => {
    const providers = new MockWorld({ base: {} });
    const value = Uint8Array.from([1, 2, 3]);
    const { snapshot, complaints } = await runScenario({
      providers,
      program: async ({ monitor, resource }) => {
        const registration = {
          name: 'base',
          version: '1.0.0',
          downloadUrl: '',
          checksums: {},
          parameterization: { name: 'pkgA', version: '2.1.0', value },
        };
        const { ref } = await monitor.registerPackage(registration);
        expect((await monitor.registerPackage(registration)).ref).toBe(ref);
        await resource(TYPE, 'resA', {}, { package: { ...noSelector, packageRef: ref } });
      },
    });
    expect(complaints).toEqual([]);
    expect(entry(snapshot, 'default_2_1_0').inputs).toEqual(
      propertyMap({
        version: '2.1.0',
        __internal: propertyMap({ name: 'base', version: '1.0.0', parameterization: 'AQID' }),
      }),
    );
    const [instance] = providers.instances;
    expect(instance?.spec).toMatchObject({
      package: 'pkgA',
      version: '1.0.0',
      parameterization: { basePlugin: 'base', version: '2.1.0' },
    });
    expect([...(instance?.spec.parameterization?.value ?? [])]).toEqual([1, 2, 3]);
  });

  test('a missing plugin fails the operation and names who needs it', async () => {
    const { result, complaints } = await runScenario({ providers: new MockWorld({}), program: resA });
    expect(result.summary.result).toBe('failed');
    expect(complaints).toEqual(['error CAIRN-PLUGIN-NOT-FOUND no plugin for the package pkgA']);
    expect(result.diagnostics[0]?.urn).toMatch(/pulumi:providers:pkgA::default$/);
  });
});

describe('what plugins are told and answer', () => {
  test('LT1-184 what only the engine needs never reaches a plugin; Configure gets URN and id', async () => {
    const stack = new Stack(new MockWorld({ pkgA: [{ version: '1.0.0' }, { version: '1.1.0' }] }));
    const program =
      (text: string) =>
      async ({ provider, resource }: ProgramContext) => {
        const options = {
          package: { ...noSelector, version: text, pluginDownloadUrl: 'http://example.com' },
        };
        await provider('pkgA', 'provA', {}, options);
        await resource(TYPE, 'resA', {}, options);
      };
    await stack.up(program('1.0.0'));
    await stack.up(program('1.1.0'));
    const settings = stack.providers.calls.filter(({ method }) => /Config$|^configure$/.test(method));
    expect(settings.length).toBeGreaterThanOrEqual(9);
    for (const { request } of settings) expect(JSON.stringify(request)).not.toContain('__internal');
    const configured = settings
      .filter(({ method }) => method === 'configure')
      .map(({ request }) => request as { urn: string; id: string });
    expect(configured.every(({ id }) => id !== '')).toBe(true);
    expect(new Set(configured.map(({ urn }) => urn.slice(urn.lastIndexOf('::') + 2)))).toEqual(
      new Set(['provA', 'default_1_0_0_http_/example.com', 'default_1_1_0_http_/example.com']),
    );
  });

  test.each<[string, MockBehaviour, string[], unknown]>([
    [
      'LT1-188 a dropped version is restored',
      { checkConfig: () => ({ inputs: propertyMap({}), failures: [] }) },
      [],
      '1.0.0',
    ],
    [
      'LT1-189 a changed version is an error',
      { checkConfig: () => ({ inputs: propertyMap({ version: '2.0.0' }), failures: [] }) },
      ['error CAIRN-PROVIDER-ANSWER provider default_1_0_0 attempted to change version from 1.0.0 to 2.0.0'],
      undefined,
    ],
  ])('%s', async (_title, behaviour, complaints, stored) => {
    const program: ProgramFunction = async ({ resource }) =>
      void (await resource(TYPE, 'resA', {}, version('1.0.0')));
    const outcome = await runScenario({ providers: new MockWorld({ pkgA: { behaviour } }), program });
    expect(outcome.complaints).toEqual(complaints);
    const found = outcome.snapshot.resources.find(({ type }) => isProviderType(type));
    expect(found && getProperty(found.inputs, 'version')).toEqual(stored);
  });

  test('LT1-190 a reserved key in an answer is left out, with a warning', async () => {
    const behaviour: MockBehaviour = {
      checkConfig: ({ news }) => ({
        inputs: propertyMap({ ...news, __internal: propertyMap({ mine: true }) }),
        failures: [],
      }),
    };
    const outcome = await runScenario({
      providers: new MockWorld({ pkgA: { behaviour } }),
      program: async ({ resource }) =>
        void (await resource(
          TYPE,
          'resA',
          {},
          {
            package: { ...noSelector, version: '1.0.0', pluginDownloadUrl: 'http://example.com' },
          },
        )),
    });
    expect(outcome.complaints).toEqual([
      'warning CAIRN-PROVIDER-ANSWER the provider default_1_0_0_http_/example.com answered with the reserved key __internal; Cairn ignores it',
    ]);
    expect(
      getProperty(entry(outcome.snapshot, 'default_1_0_0_http_/example.com').inputs, '__internal'),
    ).toEqual(propertyMap({ pluginDownloadURL: 'http://example.com' }));
  });

  test('refused settings fail the operation before anything is created', async () => {
    const behaviour: MockBehaviour = {
      checkConfig: ({ news }) => ({ inputs: news, failures: [{ property: 'region', reason: 'is not one' }] }),
    };
    const outcome = await runScenario({ providers: new MockWorld({ pkgA: { behaviour } }), program: resA });
    expect(outcome.result.summary.result).toBe('failed');
    expect(outcome.complaints.join()).toMatch(/CAIRN-RESOURCE-CHECK.*is not one/);
  });

  test('LT1-183 old entries with everything at the top are understood', async () => {
    const providers = new MockWorld({ pkgA: [{ version: '1.3.0' }, { version: '1.4.0' }] });
    const stack = new Stack(providers);
    await stack.up(resA);
    const legacy = propertyMap({ version: '1.3.0', pluginDownloadURL: 'http://example.com' });
    const resources = stack.snapshot.resources.map((one) =>
      isProviderType(one.type) ? { ...one, inputs: legacy, outputs: propertyMap({}) } : one,
    );
    stack.snapshot = { ...stack.snapshot, resources };
    const before = providers.instances.length;
    const refreshed = await stack.run({ kind: 'refresh' });
    expect(refreshed.complaints).toEqual([]);
    expect(entry(stack.snapshot, 'default').inputs).toEqual(legacy);
    expect(providers.instances.slice(before).map((one) => [one.version, one.spec.downloadUrl])).toEqual([
      ['1.3.0', 'http://example.com'],
    ]);
  });
});

describe('settings that fail', () => {
  test.each<[string, Error, RegExp]>([
    [
      'missing keys are listed one by one',
      new MissingConfigError(
        [
          { name: 'pkgA:region', description: 'where to work' },
          { name: 'token', description: 'who you are' },
        ],
        'missing',
      ),
      /missing required configuration key "pkgA:region": where to work/,
    ],
    [
      'any other reason is told',
      new ProviderError('PERMISSION_DENIED', 'no such account'),
      /cannot configure the provider pkgA/,
    ],
  ])('%s, where the provider is first needed', async (_title, error, expected) => {
    const providers = new MockWorld({ pkgA: {} });
    providers.failNext('configure', 'default', error);
    const outcome = await runScenario({ providers, program: resA });
    expect(outcome.result.summary.result).toBe('failed');
    expect(outcome.complaints.join('\n')).toMatch(expected);
    expect(providers.alive).toEqual([]);
  });

  test('settings that are unknown in a preview are not sent, and nothing reaches the plugin', async () => {
    const providers = new MockWorld({ pkgA: {}, pkgB: {} });
    const program: ProgramFunction = async ({ provider, resource, dryRun }) => {
      const made = await resource('pkgB:m:t', 'resB', {});
      const key = dryRun ? UNKNOWN : made.id;
      const provA = await provider('pkgA', 'provA', { key });
      const { id, outputs } = await resource(TYPE, 'resA', { x: 1 }, { provider: provA });
      if (dryRun) expect([id, outputs]).toEqual(['', propertyMap({})]);
    };
    const preview = await runScenario({ providers, program, preview: true });
    expect(preview.complaints).toEqual([]);
    expect(preview.steps).toEqual(['create resB', 'create resA']);
    expect(providers.called().filter((line) => /resA|provA/.test(line))).toEqual(['checkConfig provA']);
    const real = await runScenario({ providers, program });
    expect(real.steps).toEqual(['create resB', 'create resA']);
    expect(providers.alive).toEqual(['resA', 'resB']);
  });

  test('a provider that cannot preview is not asked to create or update', async () => {
    const providers = new MockWorld({ pkgA: { behaviour: { capabilities: { supportsPreview: false } } } });
    const program =
      (foo: string): ProgramFunction =>
      async ({ resource }) => {
        expect((await resource(TYPE, 'resA', { foo })).outputs).toEqual(propertyMap({ foo }));
      };
    const stack = new Stack(providers);
    expect((await stack.up(program('a'), { preview: true })).complaints).toEqual([]);
    expect(providers.called('create')).toEqual([]);
    await stack.up(program('a'));
    expect((await stack.up(program('b'), { preview: true })).complaints).toEqual([]);
    expect(providers.called('create', 'update')).toEqual(['create resA']);
  });
});

describe('which provider [PROV-5]', () => {
  const used = (snapshot: Snapshot, name: string) =>
    urnName(parseProviderReference(entry(snapshot, name).provider as ProviderReference).urn);

  test('LT1-175 disabled default providers fail the operation; the program is told no more [PROV-4]', async () => {
    const cases: [string, string, ProgramFunction][] = [
      [
        '["pkgA"]',
        'failed',
        async ({ resource }) => void (await resource('pkgB:m:t', 'b'), await resource(TYPE, 'a')),
      ],
      ['["*"]', 'failed', resA],
      ['["*"]', 'failed', async ({ resource }) => void (await resource('pkgB:m:t', 'b'))],
      [
        '["pkgA"]',
        'succeeded',
        async ({ provider, resource }) => {
          await resource(TYPE, 'a', {}, { provider: await provider('pkgA', 'provA') });
          await resource('pkgB:m:t', 'b');
        },
      ],
    ];
    for (const [denied, expected, program] of cases) {
      const config = { values: { 'pulumi:disable-default-providers': denied }, secretKeys: [] };
      const outcome = await runScenario({
        providers: new MockWorld({ pkgA: {}, pkgB: {} }),
        program,
        config,
      });
      expect(outcome.result.summary.result).toBe(expected);
      if (expected === 'failed')
        expect(outcome.complaints.join()).toMatch(
          /CAIRN-PROVIDER-REFERENCE .*default providers of the package pkg[AB] are disabled/,
        );
      else expect(outcome.names).toHaveLength(5);
    }
  });

  test('LT1-186 a malformed provider reference is refused; the program may go on', async () => {
    const messages: string[] = [];
    const outcome = await runScenario({
      providers: new MockWorld({ pkgA: {} }),
      program: async ({ resource, provider }) => {
        const { urn } = parseProviderReference(await provider('pkgA', 'provA'));
        for (const text of [urn, 'hello world']) {
          await resource(TYPE, 'resA', {}, { provider: text }).catch((error: Error) =>
            messages.push(error.message),
          );
        }
      },
    });
    expect(outcome.result.summary.result).toBe('succeeded');
    expect(messages).toHaveLength(2);
    for (const message of messages)
      expect(message).toMatch(/^could not parse provider reference of provider /);
  });

  test('LT1-179 LT1-180 LT1-182 children use the provider of their parent, or its map', async () => {
    const { snapshot, complaints } = await runScenario({
      providers: new MockWorld({ pkgA: {}, pkgB: {} }),
      program: async ({ provider, resource, component }) => {
        const provA = await provider('pkgA', 'provA');
        const own = await resource(TYPE, 'own', {}, { provider: provA });
        await resource(TYPE, 'ownChild', {}, { parent: own.urn, ...version('9.9.9') });
        const mapped = await resource(TYPE, 'mapped', {}, { providers: { pkgA: provA } });
        await resource(TYPE, 'mappedChild', {}, { parent: mapped.urn });
        const other = await resource('pkgB:m:t', 'other', {}, { providers: { pkgA: provA } });
        await resource(TYPE, 'otherChild', {}, { parent: other.urn });
        const outer = await component('my:i:Outer', 'outer', { providers: { pkgA: provA } });
        const inner = await component('my:i:Inner', 'inner', { parent: outer.urn });
        await resource(TYPE, 'innerChild', {}, { parent: inner.urn });
      },
    });
    expect(complaints).toEqual([]);
    const expected = {
      own: 'provA',
      ownChild: 'provA',
      mapped: 'provA',
      mappedChild: 'provA',
      otherChild: 'default',
      innerChild: 'provA',
    };
    for (const [name, reference] of Object.entries(expected))
      expect([name, used(snapshot, name)]).toEqual([name, reference]);
  });

  test('one default provider serves needs that come at the same time', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const gate = providers.holdNext('checkConfig', 'default');
    const running = runScenario({
      providers,
      program: async ({ resource }) => {
        const all = Promise.all(['a', 'b', 'c'].map((name) => resource(TYPE, name)));
        await gate.reached;
        gate.open();
        await all;
      },
    });
    const { names } = await running;
    expect(names.filter((name) => name === 'default')).toHaveLength(1);
    expect(providers.instances).toHaveLength(1);
    expect(providers.alive).toEqual(['a', 'b', 'c']);
  });

  test('secret settings stay secret in the entry and reach the plugin', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const { snapshot } = await runScenario({
      providers,
      program: async ({ provider }) => void (await provider('pkgA', 'provA', { token: secret('t0p') })),
    });
    expect(isSecret(getProperty(entry(snapshot, 'provA').outputs, 'token'))).toBe(true);
    expect(isMap(providers.instances[0]?.settings as never)).toBe(true);
    expect(providers.instances[0]?.settings).toEqual(propertyMap({ token: secret('t0p') }));
  });
});
