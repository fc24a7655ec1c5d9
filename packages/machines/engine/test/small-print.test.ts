import { makeProviderReference, providerType, urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { UNKNOWN, emptyMap, getProperty, isKind, propertyMap, secret } from '@cairn/values';
import type { CallRequest, LanguageHost, Monitor } from '@cairn/wire';
import { StreamCaller } from '@cairn/wire/caller';
import { LanguageClient } from '@cairn/wire/language-client';
import { languageService } from '@cairn/wire/language-server';
import { startServer } from '@cairn/wire/server';
import {
  MockWorld,
  callRequest,
  diffAnswer,
  invokeRequest,
  programOf,
  registerRequest,
  runScenario,
} from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Properties, Scenario } from '@cairn/testkit';

/**
 * Scenarios of lifecycletest that belong to no larger area: names, secrets in events and configuration, previews over
 * the wire.
 */

const TYPE = 'pkgA:m:typA';

function entry(snapshot: Snapshot, name: string, type?: string): ResourceEntry {
  const found = snapshot.resources.find(
    ({ urn }) => urnName(urn) === name && (type === undefined || urnType(urn) === type),
  );
  if (found === undefined) throw new Error(`no entry ${name}`);
  return found;
}

/** Runs a preview and an update of the same program on the same stack: they take the same steps. */
async function previewedUp(scenario: Scenario): Promise<Outcome> {
  const preview = await runScenario({ ...scenario, preview: true });
  const up = await runScenario({ ...scenario, claims: preview.result.claims });
  expect(preview.steps).toEqual(up.steps);
  return up;
}

describe('previews over the wire', () => {
  test('LT1-028 creates and updates are asked as previews; unknowns survive inside of values', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const program: ProgramFunction = async ({ resource, dryRun }) => {
      const value = dryRun ? UNKNOWN : 'alpha';
      const inputs = { foo: 'bar', baz: { a: 42, b: value }, qux: [value, 24], zed: value };
      const { outputs } = await resource(TYPE, 'resA', inputs);
      expect(outputs).toEqual(propertyMap(inputs));
    };
    const asked = () =>
      providers.calls
        .filter(({ method }) => method === 'create' || method === 'update')
        .map(({ method, request }) => [method, (request as { preview: boolean }).preview]);
    const fresh = await runScenario({ providers, program, overWire: true, preview: true });
    const up = await runScenario({ providers, program, overWire: true });
    const again = await runScenario({
      providers,
      program,
      overWire: true,
      preview: true,
      prior: up.snapshot,
    });
    expect([fresh, up, again].map(({ complaints }) => complaints)).toEqual([[], [], []]);
    expect([fresh, up, again].map(({ steps }) => steps)).toEqual([
      ['create resA'],
      ['create resA'],
      ['update resA'],
    ]);
    expect(asked()).toEqual([
      ['create', true],
      ['create', false],
      ['update', true],
    ]);
  });

  test('LT1-029 a provider whose settings are not known is asked nothing', async () => {
    const box: { monitor?: Monitor } = {};
    const seen: CallRequest[] = [];
    const behaviour: MockBehaviour = {
      construct: async ({ type, name, parent = '' }) => {
        const monitor = box.monitor as Monitor;
        const { urn } = await monitor.registerResource(
          registerRequest({ type, name, parent, custom: false }),
        );
        return { urn, outputs: propertyMap({ foo: 'bar' }), outputDependencies: {} };
      },
      call: async (request) => {
        seen.push(request);
        return { result: propertyMap({ message: 'Hello, bar!' }), resultDependencies: {}, failures: [] };
      },
      invoke: async () => ({ result: propertyMap({ message: 'Hello, bar!' }), failures: [] }),
    };
    const providers = new MockWorld({ pkgA: { behaviour } });
    const results: unknown[] = [];
    const program: ProgramFunction = async ({ monitor, provider, resource, dryRun, stack }) => {
      box.monitor = monitor;
      const provA = await provider('pkgA', 'provA', { foo: dryRun ? UNKNOWN : 'bar' });
      const a = await resource(TYPE, 'resA', { a: 'x' }, { provider: provA });
      const remote = {
        type: 'pkgA:m:typB',
        name: 'resB',
        custom: false,
        remote: true,
        parent: stack,
        provider: provA,
      };
      const b = await monitor.registerResource(registerRequest(remote));
      const called = await monitor.call(
        callRequest({
          token: 'pkgA:m:typA/method',
          provider: provA,
          args: propertyMap({ name: getProperty(b.outputs, 'foo') ?? null }),
          argDependencies: { name: [b.urn] },
        }),
      );
      const asked = await monitor.invoke(
        invokeRequest({ token: 'pkgA:m:function', provider: provA, args: propertyMap({ name: 'x' }) }),
      );
      results.push([a.outputs, b.outputs, called.result, asked.result]);
    };
    const run = (preview: boolean, prior: Snapshot) =>
      runScenario({ providers, program, overWire: true, preview, prior });
    const before = await run(true, emptySnapshot);
    const reached = ['create', 'update', 'construct', 'call', 'invoke'] as const;
    expect(providers.called(...reached)).toEqual([]);
    const up = await run(false, emptySnapshot);
    expect(providers.called(...reached)).toHaveLength(4);
    const resB = entry(up.snapshot, 'resB').urn;
    expect(seen[0]?.argDependencies).toEqual({ name: [resB] });
    providers.forgetCalls();
    const after = await run(true, up.snapshot);
    expect(providers.called(...reached)).toEqual([]);
    for (const { result } of [before, up, after]) expect(result.summary.result).toBe('succeeded');
    const hello = propertyMap({ message: 'Hello, bar!' });
    expect(results).toEqual([
      [emptyMap, emptyMap, emptyMap, emptyMap],
      [propertyMap({ a: 'x' }), propertyMap({ foo: 'bar' }), hello, hello],
      [emptyMap, emptyMap, emptyMap, emptyMap],
    ]);
  });
});

test('LT1-030 a program that runs already is reached by its address', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const program = programOf(
    async (p) => void (await p.resource(TYPE, 'resA')),
    { project: 'test', stack: 'test' },
    { overWire: true },
  );
  const host: Pick<LanguageHost, 'run'> = {
    run: ({ monitorAddress, engineAddress, dryRun }) =>
      program.run({
        monitor: monitorAddress,
        engine: engineAddress,
        dryRun,
        loader: '',
        mapper: '',
        resolver: '',
      } as never),
  };
  const server = await startServer({
    services: [languageService(host as LanguageHost, { engineAddress: '', onOutput: () => {} })],
  });
  const client = new LanguageClient(new StreamCaller(server.address));
  try {
    const outcome = await runScenario({
      providers,
      ownProgram: {
        run: async ({ monitor, engine, dryRun }) => {
          await client.handshake(engine);
          return client.run({
            info: { rootDirectory: '/', programDirectory: '/', entryPoint: '.', options: {} },
            monitorAddress: monitor,
            engineAddress: engine,
            project: 'test',
            stack: 'test',
            organization: 'organization',
            config: {},
            configSecretKeys: [],
            dryRun,
            parallel: 4,
            args: [],
            onOutput: () => {},
          });
        },
        cancel: () => client.cancel(),
      },
    });
    expect(outcome.complaints).toEqual([]);
    expect(outcome.names).toEqual(['test-test', 'default', 'resA']);
  } finally {
    await client.close();
    await server.close();
  }
});

describe('secrets', () => {
  test('LT1-031 configuration that is secret stays so in the default provider', async () => {
    const { snapshot } = await previewedUp({
      providers: new MockWorld({ pkgA: {} }),
      config: { values: { 'pkgA:secret': 'hunter2' }, secretKeys: ['pkgA:secret'] },
      program: ({ resource }) => resource(TYPE, 'resA').then(() => {}),
    });
    const { inputs, outputs } = entry(snapshot, 'default');
    for (const map of [inputs, outputs]) expect(getProperty(map, 'secret')).toEqual(secret('hunter2'));
    expect(snapshot.resources).toHaveLength(3);
  });

  test('LT1-038 events carry properties that are still marked secret', async () => {
    const providers = new MockWorld({
      pkgA: {
        behaviour: {
          diff: ({ oldInputs, news }) =>
            JSON.stringify(oldInputs) === JSON.stringify(news)
              ? diffAnswer('none')
              : diffAnswer('some', {
                  changedKeys: ['webhooks'],
                  detailedDiff: { 'webhooks[0].url': { kind: 'update', inputDiff: false } },
                }),
        },
      },
    });
    const program =
      (url: string): ProgramFunction =>
      async ({ resource }) => {
        await resource(TYPE, 'resA', { webhooks: secret([{ clientConfig: { service: 'foo' }, url }]) });
      };
    const { snapshot } = await runScenario({ providers, program: program('one') });
    const { events } = await previewedUp({ providers, prior: snapshot, program: program('two') });
    const steps = events.flatMap((event) =>
      (event.t === 'step-started' || event.t === 'step-ended') && event.step.kind === 'update'
        ? [event.step]
        : [],
    );
    expect(steps).toHaveLength(2);
    for (const step of steps) {
      for (const map of [step.old?.inputs, step.old?.outputs, step.new?.inputs]) {
        const value = getProperty(map ?? emptyMap, 'webhooks');
        expect(value !== undefined && isKind(value, 'secret')).toBe(true);
      }
    }
  });
});

describe('names', () => {
  test.each([
    ':colonprefix',
    '-dashprefix',
    'a/path/to/something',
    'a space',
    'quotes "double" and \'single\'',
    '[brackets]{braces}(parentheses)',
    'pipe|pipe',
    'someone@example.com',
    'back\\slash\\',
    'double::colons',
    'a:b:c$d',
    'ünï → 名',
    '  around  ',
  ])('LT1-045 %j is kept word for word', async (name) => {
    const { snapshot } = await previewedUp({
      providers: new MockWorld({ pkgA: {} }),
      program: async ({ provider, resource, component }) => {
        const reference = await provider('pkgA', name);
        const { urn } = await resource(TYPE, name, {}, { provider: reference });
        await component('pkgA:m:typB', name, { parent: urn });
      },
    });
    const [, ...rest] = snapshot.resources;
    expect(rest.map(({ urn }) => urn)).toEqual([
      `urn:pulumi:test::test::${providerType('pkgA')}::${name}`,
      `urn:pulumi:test::test::${TYPE}::${name}`,
      `urn:pulumi:test::test::${TYPE}$pkgA:m:typB::${name}`,
    ]);
    expect(rest.map(({ urn }) => urnName(urn))).toEqual([name, name, name]);
    const [provider, custom] = rest;
    expect(custom?.provider).toBe(makeProviderReference(provider?.urn as Urn, provider?.id ?? ''));
  });
});

test('LT1-056 what is read below a component follows it to its new type', async () => {
  const providers = new MockWorld({
    pkgA: {
      behaviour: {
        read: ({ id }) => ({ id, inputs: emptyMap, outputs: emptyMap, refreshBeforeUpdate: false }),
      },
    },
  });
  const program =
    (type: string, before?: string): ProgramFunction =>
    async ({ component, read }) => {
      const spec = { kind: 'spec', name: '', stack: '', project: '', parent: { kind: 'same' } } as const;
      const aliases = before === undefined ? [] : [{ ...spec, type: before }];
      const { urn } = await component(type, 'test', { aliases });
      await read(TYPE, 'resA', 'resA-some-id', { parent: urn });
    };
  const first = await runScenario({ providers, program: program('pkg:index:typA.Repro') });
  expect(first.names).toHaveLength(4);
  const second = await previewedUp({
    providers,
    prior: first.snapshot,
    program: program('pkg:typA:Repro', 'pkg:index:typA.Repro'),
  });
  expect(second.complaints).toEqual([]);
  expect([...second.names].sort()).toEqual([...first.names].sort());
  expect(entry(second.snapshot, 'resA').parent).toBe(entry(second.snapshot, 'test').urn);
  expect(urnType(entry(second.snapshot, 'test').urn)).toBe('pkg:typA:Repro');
});

test('LT1-066 dependencies without properties count for every property', async () => {
  const { snapshot } = await previewedUp({
    providers: new MockWorld({ pkgA: {} }),
    program: async ({ resource }) => {
      const inputs: Properties = { A: 'foo', B: 'bar' };
      const a = await resource(TYPE, 'resA', inputs);
      const b = await resource(TYPE, 'resB', inputs);
      const c = await resource(TYPE, 'resC', inputs, { dependencies: [a.urn, b.urn] });
      await resource(TYPE, 'resD', inputs, {
        dependencies: [a.urn, b.urn, c.urn],
        propertyDependencies: { A: [b.urn], B: [a.urn, c.urn] },
      });
    },
  });
  const [a, b, c, d] = ['resA', 'resB', 'resC', 'resD'].map((name) => entry(snapshot, name));
  expect(a?.propertyDependencies).toEqual({ A: [], B: [] });
  expect(b?.propertyDependencies).toEqual({ A: [], B: [] });
  expect(c?.propertyDependencies).toEqual({ A: [a?.urn, b?.urn], B: [a?.urn, b?.urn] });
  expect(d?.propertyDependencies).toEqual({ A: [b?.urn], B: [a?.urn, c?.urn] });
});

test('LT1-086 a replacement trigger that is not known is allowed for a first create only', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const program: ProgramFunction = async ({ resource }) => {
    await resource(TYPE, 'resA', {}, { replacementTrigger: UNKNOWN });
  };
  const first = await previewedUp({ providers, program });
  expect([first.steps, first.complaints]).toEqual([['create resA'], []]);
  const prior = first.snapshot;
  expect((await runScenario({ providers, program, prior, preview: true })).steps).toContain('replace resA');
  const second = await runScenario({ providers, program, prior });
  expect(second.complaints).toEqual([
    expect.stringContaining('the replacement trigger contains values that are not known') as string,
  ]);
  expect(second.result.summary.result).toBe('failed');
  expect(second.names).toEqual(first.names);
});

test('LT1-098 protection is inherited from the parent, unless the child says otherwise', async () => {
  const { snapshot, names } = await previewedUp({
    providers: new MockWorld({ pkgA: {} }),
    program: async ({ component, resource }) => {
      const { urn: parent } = await component('my:index:Component', 'parent', { protect: true });
      await resource(TYPE, 'resA', {}, { parent });
      await resource(TYPE, 'resB', {}, { parent, protect: false });
    },
  });
  expect(names).toEqual(['test-test', 'parent', 'default', 'resA', 'resB']);
  const flags = ['parent', 'resA', 'resB'].map((name) => entry(snapshot, name).protect);
  expect(flags).toEqual([true, true, false]);
  const parent = entry(snapshot, 'parent').urn;
  expect(['resA', 'resB'].map((name) => entry(snapshot, name).parent)).toEqual([parent, parent]);
});
