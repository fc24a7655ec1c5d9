import { parseProviderReference, urnName } from '@cairn/addresses';
import type { ProviderReference } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { OutputValue, ResourceReference, emptyMap, getProperty, propertyMap } from '@cairn/values';
import type {
  CallRequest,
  ConstructRequest,
  Monitor,
  ParameterizeRequest,
  RegisterPackageRequest,
} from '@cairn/wire';
import {
  MockWorld,
  callRequest,
  invokeRequest,
  noSelector,
  readRequest,
  registerRequest,
  runScenario,
} from '@cairn/testkit';
import type {
  MockBehaviour,
  MockContext,
  Outcome,
  ProgramContext,
  ProgramFunction,
  Scenario,
} from '@cairn/testkit';

/** Scenarios of "Parameterization, package refs, extensions". */

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array) => new TextDecoder().decode(value);

function packageOf(name: string, rest: Partial<RegisterPackageRequest> = {}): RegisterPackageRequest {
  return { name, version: '1.0.0', downloadUrl: '', checksums: {}, parameterization: undefined, ...rest };
}

const by = (packageRef: string) => ({ package: { ...noSelector, packageRef } });

async function register(monitor: Monitor, request: RegisterPackageRequest) {
  return by((await monitor.registerPackage(request)).ref);
}

function entry(snapshot: Snapshot, name: string): ResourceEntry {
  const found = snapshot.resources.find(({ urn }) => urnName(urn) === name);
  if (found === undefined) throw new Error(`no entry ${name}`);
  return found;
}

const isOwn = ({ type }: ResourceEntry) => type !== 'pulumi:pulumi:Stack';
const providerOf = ({ provider }: ResourceEntry) =>
  urnName(parseProviderReference(provider as ProviderReference).urn);

/** Runs for real, after a preview. */
async function previewed(scenario: Scenario): Promise<Outcome> {
  const preview = await runScenario({ ...scenario, preview: true });
  expect(preview.complaints).toEqual([]);
  scenario.providers.instances.length = 0;
  const outcome = await runScenario(scenario);
  expect(outcome.complaints).toEqual([]);
  return outcome;
}

describe('package references', () => {
  test('LT2-154 the same package has one reference; resources get the version it names', async () => {
    let ids = 0;
    const creating = (id: string): MockBehaviour => ({
      create: ({ inputs, preview }) => {
        ids += 1;
        return { id: preview ? '' : id, outputs: inputs, refreshBeforeUpdate: false };
      },
    });
    const providers = new MockWorld({
      pkgA: [
        { version: '1.0.0', behaviour: creating('0') },
        { version: '2.0.0', behaviour: creating('1') },
      ],
    });
    const { snapshot } = await previewed({
      providers,
      program: async ({ monitor, resource }) => {
        const one = await register(monitor, packageOf('pkgA'));
        const two = await register(monitor, packageOf('pkgA', { version: '2.0.0' }));
        const many = await Promise.all(
          Array.from({ length: 100 }, () =>
            monitor.registerPackage(packageOf('pkgB', { downloadUrl: 'http://b' })),
          ),
        );
        expect(new Set(many.map(({ ref }) => ref)).size).toBe(1);
        await resource('pkgA:m:typA', 'resA', {}, one);
        await resource('pkgA:m:typA', 'resB', {}, two);
      },
    });
    const own = snapshot.resources.filter(isOwn);
    expect(own.map(({ urn }) => urnName(urn))).toEqual(['default_1_0_0', 'resA', 'default_2_0_0', 'resB']);
    expect(own.filter(({ provider }) => provider).map((each) => [each.id, providerOf(each)])).toEqual([
      ['0', 'default_1_0_0'],
      ['1', 'default_2_0_0'],
    ]);
    expect(ids).toBe(4);
  });

  test('LT2-158 a base plugin and what is made of it have references of their own', async () => {
    const made = { name: 'pkgExt', version: '0.5.0', value: bytes('x') };
    for (const first of [{ parameterization: made }, { extension: made }]) {
      await previewed({
        providers: new MockWorld({ pkgA: {} }),
        program: async ({ monitor }) => {
          const { ref } = await monitor.registerPackage(packageOf('pkgA', first));
          const plain = await monitor.registerPackage(packageOf('pkgA'));
          expect(ref).not.toBe(plain.ref);
          expect((await monitor.registerPackage(packageOf('pkgA', first))).ref).toBe(ref);
        },
      });
    }
  });

  test('a package without a name, one made in two ways, and a reference of nothing are refused', async () => {
    const messages: string[] = [];
    const keep = (error: Error) => void messages.push(error.message);
    const made = { name: 'pkgExt', version: '0.5.0', value: bytes('x') };
    await runScenario({
      providers: new MockWorld({ pkgA: {} }),
      overWire: true,
      program: async ({ monitor, resource, read, provider }) => {
        await monitor.registerPackage(packageOf('')).catch(keep);
        await monitor
          .registerPackage(packageOf('pkgA', { parameterization: made, extension: made }))
          .catch(keep);
        const nothing = by('nope');
        await resource('pkgA:m:typA', 'resA', {}, nothing).catch(keep);
        await read('pkgA:m:typA', 'resB', 'id', nothing).catch(keep);
        await provider('pkgA', 'prov', {}, nothing).catch(keep);
        await monitor.invoke(invokeRequest({ token: 'pkgA:m:fn', ...nothing })).catch(keep);
        await monitor.call(callRequest({ token: 'pkgA:m:fn', ...nothing })).catch(keep);
      },
    });
    expect(messages).toEqual([
      'a package that is registered needs a name',
      'package pkgA is registered both as a parameterization and as an extension',
      ...Array.from({ length: 5 }, () => "unknown provider package 'nope'"),
    ]);
  });
});

const REPLACEMENT = { name: 'pkgExt', version: '0.5.0', value: bytes('replacement') };

describe('replacement parameterization', () => {
  test('LT2-155 an instance of the base plugin serves the package in every way', async () => {
    const box: { monitor?: Monitor } = {};
    const calls: CallRequest[] = [];
    const served: string[] = [];
    const serve = (what: string, { instance }: MockContext<never>) => {
      const made = instance.spec.parameterization;
      served.push(`${what} by ${made === undefined ? 'pkgA' : `${made.name} of ${text(made.value)}`}`);
    };
    const behaviour: MockBehaviour = {
      create: async ({ name }, context) => {
        serve(name, context as never);
        return context.standard();
      },
      read: ({ id, name }, context) => {
        serve(name, context as never);
        return { id, inputs: emptyMap, outputs: emptyMap, refreshBeforeUpdate: false };
      },
      construct: async ({ type, name, parent }: ConstructRequest, context) => {
        serve(name, context as never);
        const monitor = box.monitor as Monitor;
        const { urn } = await monitor.registerResource(
          registerRequest({ type, name, parent: parent ?? '', custom: false }),
        );
        const outputs = propertyMap({ out: new OutputValue('made', false, [urn]) });
        await monitor.registerResourceOutputs({ urn, outputs: emptyMap });
        return { urn, outputs, outputDependencies: { out: [urn] } };
      },
      invoke: ({ token }, context) => {
        serve(token, context as never);
        return { result: propertyMap({ ok: true }), failures: [] };
      },
      call: (request, context) => {
        serve(request.token, context as never);
        calls.push(request);
        return {
          result: propertyMap({ ok: true }),
          resultDependencies: request.argDependencies,
          failures: [],
        };
      },
    };
    const providers = new MockWorld({ pkgA: { behaviour } });
    const parameterized: ParameterizeRequest[] = [];
    const program: ProgramFunction = async (context: ProgramContext) => {
      box.monitor = context.monitor;
      const { monitor, resource } = context;
      const remote = { custom: false, remote: true };
      const base = await register(monitor, packageOf('pkgA'));
      const a = await resource('pkgA:m:typA', 'resA', {}, base);
      await resource('pkgA:m:Mlc', 'mlcA', {}, { ...base, ...remote });
      const ext = await register(monitor, packageOf('pkgA', { parameterization: REPLACEMENT }));
      await resource('pkgExt:m:typB', 'resB', {}, ext);
      const mlcB = await resource('pkgExt:m:Mlc', 'mlcB', {}, { ...ext, ...remote });
      expect([mlcB.outputs, { ...mlcB.propertyDependencies }]).toEqual([
        propertyMap({ out: 'made' }),
        { out: [mlcB.urn] },
      ]);
      const { result } = await monitor.invoke(invokeRequest({ token: 'pkgExt:index:func', ...ext }));
      expect(result).toEqual(propertyMap({ ok: true }));
      await monitor.readResource(
        readRequest({ type: 'pkgExt:m:typC', name: 'resC', id: 'c', parent: context.stack, ...ext }),
      );
      const answer = await monitor.call(
        callRequest({
          token: 'pkgExt:index:call',
          args: propertyMap({ __self__: new ResourceReference({ urn: context.stack }), arg: 'x' }),
          argDependencies: { arg: [a.urn] },
          ...ext,
        }),
      );
      expect({ ...answer.resultDependencies }).toEqual({ arg: [a.urn] });
      const provider = await context.provider('pkgExt', 'provider', {}, ext);
      await resource('pkgExt:m:typD', 'resD', {}, { provider });
    };
    const up = await runScenario({ providers, program });
    expect(up.complaints).toEqual([]);
    for (const { method, request } of providers.calls) {
      if (method === 'parameterize') parameterized.push(request as ParameterizeRequest);
    }
    expect(served).toEqual([
      'resA by pkgA',
      'mlcA by pkgA',
      ...['resB', 'mlcB', 'pkgExt:index:func', 'resC', 'pkgExt:index:call', 'resD'].map(
        (what) => `${what} by pkgExt of replacement`,
      ),
    ]);
    expect(providers.instances).toHaveLength(3);
    expect(parameterized.map(({ parameters }) => parameters)).toEqual(
      Array.from({ length: 2 }, () => ({ kind: 'value', ...REPLACEMENT })),
    );
    expect(calls[0]?.argDependencies).toMatchObject({ arg: [expect.stringContaining('resA')] });
    const own = up.snapshot.resources.filter(isOwn);
    expect(own.map(({ urn }) => urnName(urn))).toEqual([
      'default_1_0_0',
      'resA',
      'mlcA',
      'default_0_5_0',
      'resB',
      'mlcB',
      'resC',
      'provider',
      'resD',
    ]);
    expect(entry(up.snapshot, 'default_0_5_0')).toMatchObject({
      type: 'pulumi:providers:pkgExt',
      inputs: propertyMap({
        version: '0.5.0',
        __internal: propertyMap({
          name: 'pkgA',
          version: '1.0.0',
          parameterization: 'cmVwbGFjZW1lbnQ=',
        }),
      }),
    });
    expect(entry(up.snapshot, 'provider').inputs['__internal']).toEqual(
      entry(up.snapshot, 'default_0_5_0').inputs['__internal'],
    );
    const refresh = await previewed({ providers, kind: 'refresh', prior: up.snapshot });
    expect(refresh.snapshot.resources).toHaveLength(up.snapshot.resources.length);
    const specs = providers.instances.map(({ spec }) => spec.parameterization?.name);
    expect(specs.sort()).toEqual(['pkgExt', 'pkgExt', undefined]);
    const destroy = await previewed({ providers, kind: 'destroy', prior: refresh.snapshot });
    expect(destroy.snapshot.resources).toEqual([]);
  });

  test('LT2-156 settings come from the namespace of the package; nothing of ours clashes with them', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const config = { values: { 'pkgA:name': 'testingBase', 'pkgExt:name': 'testingExt' }, secretKeys: [] };
    const up = await previewed({
      providers,
      config,
      overWire: true,
      program: async ({ monitor, resource }) => {
        const base = await register(monitor, packageOf('pkgA', { downloadUrl: 'http://example.com' }));
        await resource('pkgA:m:typA', 'resA', {}, base);
        const ext = await register(
          monitor,
          packageOf('pkgA', { downloadUrl: 'http://example.com', parameterization: REPLACEMENT }),
        );
        await resource('pkgExt:m:typB', 'resB', {}, ext);
      },
    });
    expect(providers.instances.map(({ settings }) => settings)).toEqual([
      propertyMap({ version: '1.0.0', name: 'testingBase' }),
      propertyMap({ version: '0.5.0', name: 'testingExt' }),
    ]);
    expect(entry(up.snapshot, providerOf(entry(up.snapshot, 'resB'))).inputs).toEqual(
      propertyMap({
        version: '0.5.0',
        name: 'testingExt',
        __internal: propertyMap({
          pluginDownloadURL: 'http://example.com',
          name: 'pkgA',
          version: '1.0.0',
          parameterization: 'cmVwbGFjZW1lbnQ=',
        }),
      }),
    );
    expect(up.snapshot.resources.filter(isOwn)).toHaveLength(4);
    const refresh = await previewed({ providers, config, kind: 'refresh', prior: up.snapshot });
    expect(refresh.snapshot.resources.filter(isOwn)).toHaveLength(4);
    const destroy = await previewed({ providers, config, kind: 'destroy', prior: refresh.snapshot });
    expect(destroy.snapshot.resources).toEqual([]);
  });

  test('LT2-157 objects are imported through it', async () => {
    const behaviour: MockBehaviour = {
      read: ({ id }) => ({
        id,
        inputs: propertyMap({ input: 'in' }),
        outputs: propertyMap({ output: 'out' }),
        refreshBeforeUpdate: false,
      }),
    };
    const providers = new MockWorld({ pkgA: { behaviour } });
    const inputs = { input: 'in' };
    const { snapshot } = await previewed({
      providers,
      program: async ({ monitor, resource, provider }) => {
        const base = await register(monitor, packageOf('pkgA'));
        await resource('pkgA:m:typA', 'resA', inputs, { ...base, importId: 'idA' });
        const ext = await register(monitor, packageOf('pkgA', { parameterization: REPLACEMENT }));
        await resource('pkgExt:m:typB', 'resB', inputs, { ...ext, importId: 'idB' });
        const own = await provider('pkgExt', 'provider', {}, ext);
        await resource('pkgExt:m:typC', 'resC', inputs, { provider: own, importId: 'idC' });
      },
    });
    expect(snapshot.resources.filter(isOwn)).toHaveLength(6);
    expect(providers.instances).toHaveLength(3);
    for (const name of ['resA', 'resB', 'resC']) {
      expect(entry(snapshot, name)).toMatchObject({
        inputs: propertyMap(inputs),
        outputs: propertyMap({ output: 'out' }),
      });
    }
  });
});

/** Returns a provider that must have been extended before it makes or finds anything. */
function extendable(seen: string[]): MockBehaviour {
  const told = new WeakSet<object>();
  const must = ({ instance }: { readonly instance: object }, what: string) => {
    seen.push(what);
    if (!told.has(instance)) throw new Error(`${what} before the extension`);
  };
  return {
    parameterize: ({ parameters }, { instance }) => {
      if (parameters.kind !== 'value') throw new Error('expected a value');
      told.add(instance);
      seen.push(`parameterize ${parameters.name} ${text(parameters.value)}`);
      return parameters;
    },
    create: (_request, context) => {
      must(context, 'create');
      return context.standard();
    },
    read: (_request, context) => {
      must(context, 'read');
      return context.standard();
    },
    delete: (_request, context) => {
      must(context, 'delete');
      return context.standard();
    },
  };
}

const extension = (name: string, blob: string) => ({
  extension: { name, version: '1.0.0', value: bytes(blob) },
});

describe('extensions', () => {
  const parameterizations = (seen: readonly string[]) =>
    seen.filter((each) => each.startsWith('parameterize'));

  test.each([false, true])(
    'LT2-159 one instance learns every extension once (over the wire: %s)',
    async (overWire) => {
      const seen: string[] = [];
      const providers = new MockWorld({ pkgA: { behaviour: extendable(seen) } });
      const refs: string[] = [];
      const program: ProgramFunction = async ({ monitor, resource }) => {
        const a = await register(monitor, packageOf('pkgA', extension('ext-a', 'blob-a')));
        await Promise.all([resource('ext-a:m:typ', 'resA', {}, a), resource('ext-a:m:typ', 'resA2', {}, a)]);
        const b = await register(monitor, packageOf('pkgA', extension('ext-b', 'blob-b')));
        await resource('ext-b:m:typ', 'resB', {}, b);
        const again = await register(monitor, packageOf('pkgA', extension('ext-a', 'blob-a')));
        expect(again).toEqual(a);
        refs.push(a.package.packageRef, b.package.packageRef);
      };
      const up = await previewed({ providers, overWire, program });
      // Once in the preview and once in the real run.
      const once = ['parameterize ext-a blob-a', 'parameterize ext-b blob-b'];
      expect(parameterizations(seen)).toEqual([...once, ...once]);
      const [refA = '', refB = ''] = refs;
      expect(refA).toMatch(/^[0-9a-f]{64}$/);
      expect(Object.keys(up.snapshot.extensions ?? {}).sort()).toEqual([refA, refB].sort());
      expect(up.snapshot.extensions?.[refA]).toMatchObject({ name: 'ext-a', version: '1.0.0' });
      expect(text(up.snapshot.extensions?.[refA]?.value ?? new Uint8Array())).toBe('blob-a');
      expect(['resA', 'resA2', 'resB'].map((name) => entry(up.snapshot, name).extensionRef)).toEqual([
        refA,
        refA,
        refB,
      ]);
      expect(['resA', 'resB'].map((name) => providerOf(entry(up.snapshot, name)))).toEqual([
        'default_1_0_0',
        'default_1_0_0',
      ]);
      expect(providers.instances).toHaveLength(1);

      for (const [kind, preview] of [
        ['refresh', true],
        ['refresh', false],
        ['up', false],
      ] as const) {
        seen.length = 0;
        const outcome = await runScenario({
          providers,
          overWire,
          kind,
          preview,
          prior: up.snapshot,
          program,
        });
        expect([outcome.complaints, parameterizations(seen).sort()]).toEqual([[], once]);
        expect(entry(outcome.snapshot, 'resB').extensionRef).toBe(refB);
      }
    },
  );

  test.each(['destroy', 'up'] as const)('LT2-160 before a delete, from the state (%s)', async (kind) => {
    const seen: string[] = [];
    const providers = new MockWorld({ pkgA: { behaviour: extendable(seen) } });
    const { snapshot } = await previewed({
      providers,
      program: async ({ monitor, resource }) => {
        const a = await register(monitor, packageOf('pkgA', extension('ext-a', 'blob-a')));
        await resource('ext-a:m:typ', 'resA', {}, a);
      },
    });
    seen.length = 0;
    const outcome = await runScenario({ providers, kind, prior: snapshot });
    expect([outcome.complaints, seen]).toEqual([[], ['parameterize ext-a blob-a', 'delete']]);
    expect(providers.alive).toEqual([]);
  });

  test('functions and reads of an extended package', async () => {
    const seen: string[] = [];
    const behaviour: MockBehaviour = {
      ...extendable(seen),
      read: ({ id, inputs }) => ({ id, inputs, outputs: emptyMap, refreshBeforeUpdate: false }),
      invoke: () => ({ result: propertyMap({ ok: true }), failures: [] }),
    };
    const providers = new MockWorld({ pkgA: { behaviour } });
    const { snapshot } = await previewed({
      providers,
      program: async ({ monitor, read }) => {
        const a = await register(monitor, packageOf('pkgA', extension('ext-a', 'blob-a')));
        const { result } = await monitor.invoke(invokeRequest({ token: 'ext-a:m:fn', ...a }));
        expect(getProperty(result, 'ok')).toBe(true);
        await read('ext-a:m:typ', 'found', 'id-x', a);
      },
    });
    expect(parameterizations(seen)).toEqual(['parameterize ext-a blob-a', 'parameterize ext-a blob-a']);
    expect(Object.keys(snapshot.extensions ?? {})).toEqual([entry(snapshot, 'found').extensionRef]);
  });

  test('a provider that refuses an extension, and a state that lost it, fail the operation and say so', async () => {
    const behaviour: MockBehaviour = {
      parameterize: () => {
        throw new Error('no such extension');
      },
    };
    const providers = new MockWorld({ pkgA: { behaviour } });
    const program: ProgramFunction = async ({ monitor, resource }) => {
      const a = await register(monitor, packageOf('pkgA', extension('ext-a', 'blob-a')));
      await resource('ext-a:m:typ', 'resA', {}, a);
    };
    const refused = await runScenario({ providers, program });
    expect(JSON.stringify(refused.result.diagnostics[0])).toMatch(/ext-a 1\.0\.0.*no such extension/);
    providers.install('pkgA', {});
    const { snapshot } = await runScenario({ providers, program });
    const lost: Snapshot = { ...snapshot, extensions: {} };
    const { complaints, result } = await runScenario({ providers, kind: 'destroy', prior: lost });
    expect(JSON.stringify([complaints, result.diagnostics])).toContain('does not contain the extension');
    expect((await runScenario({ providers, prior: emptySnapshot })).complaints).toEqual([]);
  });
});
