import { makeUrn, parseProviderReference, urnName } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import {
  Archive,
  Asset,
  ByteString,
  OutputValue,
  emptyMap,
  getProperty,
  isKind,
  isOutputValue,
  isSecret,
  propertyMap,
  secret,
  withProperty,
} from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type {
  CallbackReference,
  Monitor,
  RegisterResourceRequest,
  TransformInvokeRequest,
  TransformRequest,
  TransformResponse,
} from '@cairn/wire';
import { callbacksService } from '@cairn/wire/callbacks-server';
import { startServer } from '@cairn/wire/server';
import { MockWorld, gate, invokeRequest, noSelector, registerRequest, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramContext, Scenario } from '@cairn/testkit';

/** Scenarios of the area "Transforms": functions of the program that rewrite its registrations and questions. */

const TYPE = 'pkgA:m:typA';
const REMOTE = 'pkgA:m:typC';
const home = { project: 'test', stack: 'test' };
const urnOf = (name: string, type = TYPE) => makeUrn({ ...home, type, name });

function entry(snapshot: Snapshot, name: string): ResourceEntry {
  const found = snapshot.resources.find(({ urn }) => urnName(urn) === name);
  if (found === undefined) throw new Error(`no entry ${name}`);
  return found;
}

const own = (snapshot: Snapshot) => snapshot.resources.filter(({ type }) => type !== 'pulumi:pulumi:Stack');
const providerOf = ({ provider }: ResourceEntry) =>
  urnName(parseProviderReference(provider as ProviderReference).urn);

/** Returns the value of a property in a transform without its wrappers. */
function bare(value: PropertyValue | undefined): PropertyValue | undefined {
  if (isOutputValue(value)) return value.value;
  return isSecret(value) ? value.value : value;
}

type Transform = (
  request: TransformRequest,
) => Partial<TransformResponse> | Promise<Partial<TransformResponse>>;

function serve(context: ProgramContext, transform: Transform): Promise<CallbackReference> {
  return context.callback((functions) =>
    functions.transform(async (request) => ({
      properties: undefined,
      options: undefined,
      ...(await transform(request)),
    })),
  );
}

async function stackTransform(context: ProgramContext, transform: Transform): Promise<void> {
  await context.monitor.registerStackTransform(await serve(context, transform));
}

/** Returns the properties with some set. A property whose new value is undefined remains as it is. */
function changed(
  properties: PropertyMap,
  changes: Readonly<Record<string, PropertyValue>>,
): Partial<TransformResponse> {
  const map = Object.entries(changes).reduce(
    (all, [key, value]) => withProperty(all, key, value),
    properties,
  );
  return { properties: map };
}

const number = (properties: PropertyMap, key: string) => Number(bare(getProperty(properties, key)));
const addOne: Transform = ({ type, properties }) =>
  type === TYPE ? changed(properties, { foo: number(properties, 'foo') + 1 }) : {};

/** Runs a program as a preview and for real, directly and over the wire. */
async function everyWay(
  scenario: Scenario,
  check: (outcome: Outcome, scenario: Scenario) => void | Promise<void>,
): Promise<void> {
  for (const overWire of [false, true]) {
    for (const preview of [true, false]) {
      const each = { ...scenario, preview, overWire };
      await check(await runScenario(each), each);
    }
  }
}

const fine = (outcome: Outcome) => expect(outcome.complaints).toEqual([]);

describe('what a transform changes', () => {
  test('LT2-132 its own, its parent’s and the stack’s, in this order', async () => {
    const seen: string[] = [];
    await everyWay(
      {
        providers: new MockWorld({ pkgA: {} }),
        program: async (context) => {
          await stackTransform(context, ({ name, properties }) => {
            seen.push(`stack ${name}`);
            return changed(properties, {
              foo: number(properties, 'foo') + 1,
              bar: `${String(bare(getProperty(properties, 'bar')))}baz`,
            });
          });
          const parents = await serve(context, ({ name, properties }) => {
            seen.push(`parent ${name}`);
            const frob = getProperty(properties, 'frob');
            return changed(properties, {
              foo: number(properties, 'foo') + 1,
              bar: 'bar',
              frob: frob === undefined ? 'nofrob' : secret(frob),
            });
          });
          const childs = await serve(context, ({ name, properties }) => {
            seen.push(`own ${name}`);
            return changed(properties, { foo: number(properties, 'foo') + 1, frob: 'frob' });
          });
          const { urn } = await context.resource(TYPE, 'resA', { foo: 1 }, { transforms: [parents] });
          await context.resource(TYPE, 'resB', { foo: 10 }, { parent: urn, transforms: [childs] });
        },
      },
      (outcome, { preview }) => {
        fine(outcome);
        expect(seen.splice(0)).toEqual([
          'parent resA',
          'stack resA',
          'own resB',
          'parent resB',
          'stack resB',
        ]);
        if (preview === true) return;
        expect(entry(outcome.snapshot, 'resA').inputs).toEqual(
          propertyMap({ foo: 3, bar: 'barbaz', frob: 'nofrob' }),
        );
        expect(entry(outcome.snapshot, 'resB').inputs).toEqual(
          propertyMap({ foo: 13, bar: 'barbaz', frob: secret('frob') }),
        );
      },
    );
  });

  test('LT2-136 every option is seen and can be changed', async () => {
    const seen: TransformRequest[] = [];
    const providers = new MockWorld({ pkgA: [{ version: '1.0.0' }] });
    await everyWay(
      {
        providers,
        program: async (context) => {
          const { urn: a } = await context.resource(TYPE, 'resA');
          const { urn: c } = await context.resource(TYPE, 'resC');
          await stackTransform(context, (request) => {
            seen.push(request);
            return {
              options: {
                ...request.options,
                additionalSecretOutputs: ['bar'],
                aliases: [{ kind: 'urn', urn: urnOf('other') }],
                customTimeouts: { create: '1s', update: '2s', delete: '3s' },
                deleteBeforeReplace: undefined,
                deletedWith: c,
                dependsOn: [c],
                ignoreChanges: ['bar'],
                pluginDownloadUrl: '',
                protect: true,
                replaceOnChanges: ['bar'],
                version: '1.0.0',
              },
            };
          });
          await context.resource(
            TYPE,
            'resD',
            {},
            {
              additionalSecretOutputs: ['foo'],
              aliases: [{ kind: 'urn', urn: urnOf('resB') }],
              customTimeouts: { create: '1000s', update: '2000s', delete: '3000s' },
              deleteBeforeReplace: true,
              deletedWith: a,
              dependencies: [a],
              ignoreChanges: ['foo'],
              package: { ...noSelector, pluginDownloadUrl: 'http://server', version: '2.0.0' },
              replaceOnChanges: ['foo'],
            },
          );
        },
      },
      (outcome, { preview }) => {
        fine(outcome);
        expect(seen.splice(0)).toEqual([
          expect.objectContaining({
            type: TYPE,
            name: 'resD',
            custom: true,
            options: expect.objectContaining({
              additionalSecretOutputs: ['foo'],
              aliases: [{ kind: 'urn', urn: urnOf('resB') }],
              customTimeouts: { create: '16m40s', update: '33m20s', delete: '50m0s' },
              deleteBeforeReplace: true,
              deletedWith: urnOf('resA'),
              dependsOn: [urnOf('resA')],
              ignoreChanges: ['foo'],
              pluginDownloadUrl: 'http://server',
              protect: undefined,
              retainOnDelete: undefined,
              replaceOnChanges: ['foo'],
              version: '2.0.0',
              provider: '',
            }),
          }),
        ]);
        if (preview === true) return;
        expect(entry(outcome.snapshot, 'resD')).toMatchObject({
          additionalSecretOutputs: ['bar'],
          customTimeouts: { create: 1, update: 2, delete: 3 },
          deletedWith: urnOf('resC'),
          protect: true,
          ignoreChanges: ['bar'],
          replaceOnChanges: ['bar'],
          // Only its own transforms change its dependencies.
          dependencies: [urnOf('resA')],
        });
      },
    );
  });

  test('LT2-137 a value brings its dependencies along, and takes them away', async () => {
    const seen: (PropertyValue | undefined)[] = [];
    await everyWay(
      {
        providers: new MockWorld({ pkgA: {} }),
        program: async (context) => {
          const a = await context.resource(TYPE, 'resA', { foo: 1 });
          const b = await context.resource(TYPE, 'resB', { foo: 10 });
          const transform = await serve(context, ({ properties }) => {
            seen.push(getProperty(properties, 'foo'));
            return changed(properties, { foo: new OutputValue(1, false, [a.urn]) });
          });
          const made = await context.resource(
            TYPE,
            'resC',
            { foo: 10 },
            { propertyDependencies: { foo: [b.urn] }, transforms: [transform] },
          );
          expect(made.propertyDependencies).toEqual({});
        },
      },
      (outcome, { preview }) => {
        fine(outcome);
        expect(seen.splice(0)).toEqual([new OutputValue(10, false, [urnOf('resB')])]);
        if (preview === true) return;
        const made = entry(outcome.snapshot, 'resC');
        expect(made).toMatchObject({ inputs: propertyMap({ foo: 1 }), dependencies: [urnOf('resA')] });
        expect({ ...made.propertyDependencies }).toEqual({ foo: [urnOf('resA')] });
      },
    );
  });

  test('of its own it can change what the resource waits for; from above only values add to that', async () => {
    for (const above of [false, true]) {
      const { snapshot, complaints } = await runScenario({
        providers: new MockWorld({ pkgA: {} }),
        program: async (context) => {
          const urns = await Promise.all(
            ['a', 'b', 'c'].map(async (name) => (await context.resource(TYPE, name)).urn),
          );
          const [a, b, c] = urns as [Urn, Urn, Urn];
          const transform: Transform = ({ name, properties, options }) =>
            name !== 'resX'
              ? {}
              : {
                  ...changed(properties, { foo: new OutputValue('f', true, [c]) }),
                  options: { ...options, dependsOn: [b] },
                };
          if (above) await stackTransform(context, transform);
          const transforms = above ? [] : [await serve(context, transform)];
          await context.resource(TYPE, 'resX', { foo: 'x', bar: 'y' }, { dependencies: [a], transforms });
        },
      });
      expect(complaints).toEqual([]);
      const made = entry(snapshot, 'resX');
      const [a, b, c] = ['a', 'b', 'c'].map((name) => urnOf(name)) as [Urn, Urn, Urn];
      expect(made.inputs).toEqual(propertyMap({ foo: secret('f'), bar: 'y' }));
      expect([...made.dependencies].sort()).toEqual(above ? [a, c] : [a, b, c]);
      expect({ ...made.propertyDependencies }).toEqual(
        above ? { foo: [a, c], bar: [a] } : { foo: [c], bar: [a] },
      );
    }
  });

  test('LT2-143 hashes that a transform blanks are made again', async () => {
    const assetHash = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9';
    const archiveHash = 'f19bab27a7f9d59cff97df356effce0047fefb13c8265e04d0874c0f09df4a16';
    const hashes: unknown[] = [];
    const look = (where: string, map: PropertyMap) =>
      hashes.push([
        where,
        ...['asset', 'archive'].map((key) => (getProperty(map, key) as Asset | Archive).hash),
      ]);
    const asset = () => new Asset({ text: 'hello world' });
    const blank = () => ({ asset: asset(), archive: new Archive({ assets: { 'file.txt': asset() } }) });
    const behaviour: MockBehaviour = {
      create: ({ name, inputs }, { standard }) => {
        look(`create ${name}`, inputs);
        return standard();
      },
    };
    await everyWay(
      {
        providers: new MockWorld({ pkgA: { behaviour } }),
        program: async (context) => {
          look('resA', (await context.resource(TYPE, 'resA', blank())).outputs);
          const transform = await serve(context, ({ properties }) => {
            look('seen', properties);
            return { properties: propertyMap(blank()) };
          });
          look('resB', (await context.resource(TYPE, 'resB', blank(), { transforms: [transform] })).outputs);
        },
      },
      (outcome) => {
        fine(outcome);
        const places = ['create resA', 'resA', 'seen', 'create resB', 'resB'];
        expect(hashes.splice(0)).toEqual(places.map((where) => [where, assetHash, archiveHash]));
      },
    );
  });

  test('LT2-144 texts that are no UTF-8 pass through unharmed', async () => {
    const raw = new ByteString(Uint8Array.of(0xff, 0xfe, 0x00, 0x80));
    let seen: PropertyValue | undefined;
    await everyWay(
      {
        providers: new MockWorld({ pkgA: {} }),
        program: async (context) => {
          await stackTransform(context, ({ properties }) => {
            seen = getProperty(properties, 'foo');
            return changed(properties, { bar: seen as PropertyValue });
          });
          await context.resource(TYPE, 'resA', { foo: raw });
        },
      },
      (outcome, { preview }) => {
        fine(outcome);
        expect(isKind(seen as PropertyValue, 'bytes')).toBe(true);
        if (preview !== true)
          expect(entry(outcome.snapshot, 'resA').inputs).toEqual(propertyMap({ foo: raw, bar: raw }));
      },
    );
  });
});

describe('transforms that fail', () => {
  const failing: [string, string, (context: ProgramContext) => Promise<CallbackReference>][] = [
    [
      'LT2-134 with an error',
      'invoke transform: bad transform',
      (context) =>
        serve(context, () => {
          throw new Error('bad transform');
        }),
    ],
    ['without a target', 'has no target', async () => ({ target: '', token: 't' })],
    [
      'that nobody knows',
      'invoke transform: callback not found',
      async (context) => {
        const { target } = await serve(context, () => ({}));
        return { target, token: 'nobody' };
      },
    ],
  ];

  test.each(failing)('%s fail the registration', async (_title, expected, callback) => {
    await everyWay(
      {
        providers: new MockWorld({ pkgA: {} }),
        program: async (context) => {
          await context.monitor.registerStackTransform(await callback(context));
          await context.resource(TYPE, 'resA');
        },
      },
      ({ result, snapshot }) => {
        expect(result.summary.result).toBe('failed');
        expect(JSON.stringify(result.diagnostics)).toContain(expected);
        expect(own(snapshot)).toEqual([]);
      },
    );
  });

  test('LT2-133 an answer of another kind fails the registration', async () => {
    const server = await startServer({
      services: [callbacksService({ invoke: async () => Uint8Array.of(0x0a, 0x03, 0x62, 0x6f, 0x6f) })],
    });
    try {
      let told = '';
      await everyWay(
        {
          providers: new MockWorld({ pkgA: {} }),
          program: async ({ monitor, resource }) => {
            await monitor.registerStackTransform({ target: server.address, token: 't' });
            await resource(TYPE, 'resA').catch((error: Error) => {
              told = error.message;
              throw error;
            });
          },
        },
        ({ result, snapshot }) => {
          expect(told).toContain('invoke transform: unmarshaling transform response');
          expect(JSON.stringify(result.diagnostics)).toContain(told.slice(0, 50));
          expect(own(snapshot)).toEqual([]);
        },
      );
    } finally {
      await server.close();
    }
  });
});

describe('remote components', () => {
  /** Constructs the component with one child under it. */
  function constructing(box: { monitor?: Monitor }): MockBehaviour {
    return {
      construct: async ({ type, name, parent = '' }) => {
        const monitor = box.monitor as Monitor;
        const { urn } = await monitor.registerResource(
          registerRequest({ type, name, parent, custom: false }),
        );
        await monitor.registerResource(
          registerRequest({ type: TYPE, name: 'resA', parent: urn, inputs: propertyMap({ foo: 1 }) }),
        );
        await monitor.registerResourceOutputs({ urn, outputs: emptyMap });
        return { urn, outputs: emptyMap, outputDependencies: {} };
      },
    };
  }

  const construct = (context: ProgramContext, options: Partial<RegisterResourceRequest> = {}) =>
    context.resource(REMOTE, 'resC', {}, { custom: false, remote: true, ...options });

  test.each([
    ['LT2-135 transforms of the stack reach what a constructor makes', true],
    ['LT2-138 transforms of the component reach what is in it', false],
  ])('%s', async (_title, stack) => {
    const box: { monitor?: Monitor } = {};
    const parents: string[] = [];
    const transform: Transform = (request) => {
      if (request.type === TYPE) parents.push(request.parent);
      return addOne(request);
    };
    await everyWay(
      {
        providers: new MockWorld({ pkgA: { behaviour: constructing(box) } }),
        program: async (context) => {
          box.monitor = context.monitor;
          if (stack) await stackTransform(context, transform);
          await construct(context, stack ? {} : { transforms: [await serve(context, transform)] });
        },
      },
      (outcome, { preview }) => {
        fine(outcome);
        expect(parents.splice(0)).toEqual([urnOf('resC', REMOTE)]);
        if (preview === true) return;
        expect(entry(outcome.snapshot, 'resA').inputs).toEqual(propertyMap({ foo: 2 }));
        expect(own(outcome.snapshot)).toHaveLength(3);
      },
    );
  });
});

describe('providers', () => {
  test('LT2-139 a transform sees the provider there is, and gives one where there is none', async () => {
    const seen: Record<string, string> = {};
    await everyWay(
      {
        providers: new MockWorld({ pkgA: {} }),
        program: async (context) => {
          const { resource, component } = context;
          const explicit = await context.provider('pkgA', 'explicit');
          const implicit = await context.provider('pkgA', 'implicit');
          await stackTransform(context, ({ name, type, options }) => {
            if (type !== TYPE) return {};
            seen[name] = options.provider;
            return options.provider === '' ? { options: { ...options, provider: implicit } } : {};
          });
          await resource(TYPE, 'explicitProvider', {}, { provider: explicit });
          await resource(TYPE, 'implicitProvider');
          await resource(TYPE, 'explicitProvidersMap', {}, { providers: { pkgA: explicit } });
          const x = await component('my:i:X', 'x', { providers: { pkgA: explicit } });
          await resource(TYPE, 'parentedMap', {}, { parent: x.urn });
          const y = await component('my:i:Y', 'y', { provider: explicit });
          await resource(TYPE, 'parentedSingle', {}, { parent: y.urn });
        },
      },
      (outcome, { preview }) => {
        fine(outcome);
        const names = [
          'explicitProvider',
          'implicitProvider',
          'explicitProvidersMap',
          'parentedMap',
          'parentedSingle',
        ];
        expect(names.map((name) => seen[name] === '')).toEqual([false, true, false, false, true]);
        if (preview === true) return;
        expect(own(outcome.snapshot)).toHaveLength(9);
        expect(names.map((name) => providerOf(entry(outcome.snapshot, name)))).toEqual([
          'explicit',
          'implicit',
          'explicit',
          'explicit',
          'implicit',
        ]);
      },
    );
  });

  test('LT2-142 a transform may wait for something that is registered later', async () => {
    let waiting = gate();
    await everyWay(
      {
        providers: new MockWorld({ pkgA: {} }),
        program: async (context) => {
          waiting = gate();
          let reference = '';
          await stackTransform(context, async ({ name, options }) => {
            if (name !== 'resA') return {};
            await waiting.pass();
            return { options: { ...options, provider: reference } };
          });
          const a = context.resource(TYPE, 'resA');
          await waiting.reached;
          reference = await context.provider('pkgA', 'later');
          waiting.open();
          await a;
        },
      },
      (outcome, { preview }) => {
        fine(outcome);
        if (preview === true) return;
        expect(own(outcome.snapshot)).toHaveLength(2);
        expect(providerOf(entry(outcome.snapshot, 'resA'))).toBe('later');
      },
    );
  });
});

describe('questions', () => {
  const invokeTransform = async (
    context: ProgramContext,
    transform: Parameters<Parameters<Parameters<ProgramContext['callback']>[0]>[0]['transformInvoke']>[0],
  ) =>
    context.monitor.registerStackInvokeTransform(
      await context.callback((functions) => functions.transformInvoke(transform)),
    );

  const behaviour: MockBehaviour = { invoke: ({ args }) => ({ result: args, failures: [] }) };

  test('LT2-140 arguments and provider can be changed, before a provider is chosen', async () => {
    const seen: TransformInvokeRequest[] = [];
    await everyWay(
      {
        providers: new MockWorld({ pkgA: { behaviour } }),
        program: async (context) => {
          const provider = await context.provider('pkgA', 'explicit');
          await invokeTransform(context, (request) => {
            seen.push(request);
            return { args: withProperty(request.args, 'foo', 'bar'), options: undefined };
          });
          await invokeTransform(context, (request) => {
            seen.push(request);
            return { args: undefined, options: { ...request.options, provider } };
          });
          const args = propertyMap({ foo: 'baz', bar: 'qux' });
          const { result } = await context.monitor.invoke(invokeRequest({ token: 'pkgA:m:fn', args }));
          expect(result).toEqual(propertyMap({ foo: 'bar', bar: 'qux' }));
        },
      },
      (outcome) => {
        fine(outcome);
        expect(
          seen.splice(0).map(({ token, args, options }) => [token, args['foo'], options.provider]),
        ).toEqual([
          ['pkgA:m:fn', 'baz', ''],
          ['pkgA:m:fn', 'bar', ''],
        ]);
        expect(own(outcome.snapshot).map(({ urn }) => urnName(urn))).not.toContain('default');
      },
    );
  });

  test('one question at a time; one that fails is told why and does not hold up the next', async () => {
    let open = 0;
    const messages: string[] = [];
    const { complaints } = await runScenario({
      providers: new MockWorld({ pkgA: { behaviour } }),
      program: async (context) => {
        await invokeTransform(context, async ({ args }) => {
          open += 1;
          expect(open).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
          open -= 1;
          if (args['fail'] === true) throw new Error('bad question');
          return { args: undefined, options: undefined };
        });
        const ask = (fail: boolean) =>
          context.monitor
            .invoke(invokeRequest({ token: 'pkgA:m:fn', args: propertyMap({ fail }) }))
            .catch((error: Error) => void messages.push(error.message));
        await Promise.all([ask(true), ask(false), ask(true)]);
      },
    });
    expect(complaints).toEqual([]);
    expect(messages).toEqual(['invoke transform: bad question', 'invoke transform: bad question']);
  });
});

test('a program that transforms nothing away is a program without transforms', async () => {
  const providers = new MockWorld({ pkgA: {} });
  let prior = emptySnapshot;
  for (const [transforming, expected] of [
    [false, 'create'],
    [true, 'same'],
  ] as const) {
    const { snapshot, complaints, steps } = await runScenario({
      providers,
      prior,
      program: async (context) => {
        if (transforming)
          await stackTransform(context, ({ properties, options }) => ({ properties, options }));
        const a = await context.resource(TYPE, 'a', { x: secret('s'), list: [1, null, 'z'] });
        const comp = await context.component('my:i:Comp', 'comp', { protect: false });
        await context.resource(
          TYPE,
          'b',
          { y: 'v' },
          {
            parent: comp.urn,
            dependencies: [a.urn],
            propertyDependencies: { y: [a.urn] },
            deletedWith: a.urn,
          },
        );
      },
    });
    expect([complaints, steps]).toEqual([[], ['a', 'comp', 'b'].map((name) => `${expected} ${name}`)]);
    const [before, after] = [
      entry(prior.resources.length === 0 ? snapshot : prior, 'b'),
      entry(snapshot, 'b'),
    ];
    expect(after).toEqual(before);
    prior = snapshot;
  }
});
