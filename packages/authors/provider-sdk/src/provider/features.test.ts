import { makeUrn } from '@cairn/addresses';
import { ResourceReference, UNKNOWN, emptyMap, isSecret, isUnknown, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { DeploymentContext, LogRequest, Provider, ViewStep } from '@cairn/wire';
import { StreamCaller } from '@cairn/wire/caller';
import { engineService } from '@cairn/wire/engine-server';
import { ProviderClient } from '@cairn/wire/provider-client';
import { providerService } from '@cairn/wire/provider-server';
import { startServer } from '@cairn/wire/server';
import { ProviderError, defineMethod, defineProvider, defineResource, s, toProvider } from '../index.js';

const inputs = {
  name: s.string().autoname(),
  size: s.integer().default(1),
  zone: s.string().computed(),
  region: s.string().default('north').immutable(),
  key: s.string().optional().secret(),
};

/** Number of times a call fails before it succeeds, and the values seen. */
interface Shed {
  failures: number;
  readonly seen: unknown[];
}

function shedProvider(shed: Shed) {
  const tool = defineResource({
    inputs,
    outputs: { ...inputs, label: s.string() },
    timeouts: { create: 0.05 },
    create: async (given, { retry, log, signal }) => {
      if (given.name === 'slow') {
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      }
      log.info(`asking for ${given.name} with ${given.key}`);
      await retry(
        async () => {
          shed.seen.push('attempt');
          if (shed.failures-- > 0) throw new ProviderError('UNAVAILABLE', 'busy');
        },
        { when: (error) => error instanceof ProviderError && error.code === 'UNAVAILABLE', firstMs: 1 },
      );
      return {
        id: `id-${given.name}`,
        outputs: { ...given, zone: given.zone ?? 'a', label: `${given.name}!` },
      };
    },
    read: async (id) => {
      const found = { name: id.slice(3), size: 1, region: 'north', zone: 'a' };
      return { id, inputs: found, outputs: { ...found, label: `${found.name}!` }, changedBy: 'ada' };
    },
    update: async (old, given) => ({
      ...given,
      zone: given.zone ?? old.outputs.zone,
      label: `${given.name}!`,
    }),
    preview: ({ name }) => (name === undefined ? {} : { label: `${name}!` }),
    views: ({ outputs }) =>
      Array.from({ length: outputs.size }, (_, index) => ({
        type: 'index:Part',
        name: `part-${index}`,
        outputs: { of: outputs.name },
      })),
    methods: {
      sharpen: defineMethod({
        inputs: { times: s.integer().default(1) },
        outputs: { said: s.string(), code: s.string().secret() },
        call: async ({ id }, { times }) => ({ said: `${id} ${times}`, code: 'c' }),
      }),
    },
  });
  /** Third version: `title` became `label`, then `size` became a number. */
  const box = defineResource({
    inputs: { label: s.string(), size: s.integer(), login: s.string().optional() },
    outputs: { label: s.string(), size: s.integer(), login: s.string().optional(), area: s.integer() },
    migrations: [
      {
        inputs: ({ title, ...rest }) => ({ ...rest, label: title }),
        outputs: ({ title, ...rest }) => ({ ...rest, label: title }),
      },
      {
        inputs: (old) => ({ ...old, size: Number(old['size']) }),
        outputs: (old) => ({ ...old, size: Number(old['size']), area: Number(old['size']) ** 2 }),
      },
    ],
    create: async (given) => ({ id: 'b', outputs: { ...given, area: given.size ** 2 } }),
    update: async (old, given) => {
      shed.seen.push(old);
      return { ...given, area: given.size ** 2 };
    },
    delete: async (old) => void shed.seen.push(old),
  });
  return defineProvider({
    name: 'shed',
    version: '1.0.0',
    config: { host: s.string().default('h'), port: s.integer().default(1) },
    checkConfig: ({ port }) => (port === 0 ? [{ property: 'port', reason: 'cannot be listened to' }] : []),
    diffConfig: (old, { host }) => ({ changed: ['host'], replace: old['host'] === host ? [] : ['host'] }),
    resources: { 'index:Tool': tool, 'index:Box': box },
    parameterize: async (parameters) => {
      const name =
        parameters.kind === 'args' ? parameters.args[0] : new TextDecoder().decode(parameters.value);
      if (name === undefined) throw new ProviderError('INVALID_ARGUMENT', 'name the shed');
      const made = defineProvider({ name, version: '2.0.0', resources: { 'index:Tool': tool } });
      return { definition: made, value: new TextEncoder().encode(name) };
    },
  });
}

interface Host {
  readonly provider: Provider;
  end(): Promise<void>;
}

async function inProcess(provider: Provider, engineAddress: string): Promise<Host> {
  await provider.handshake({ engineAddress });
  return { provider, end: () => provider.close() };
}

async function overWire(served: Provider, engineAddress: string): Promise<Host> {
  const server = await startServer({ services: [providerService(served)], stream: true });
  const caller = new StreamCaller(server.address);
  const provider = new ProviderClient(caller);
  await provider.handshake({ engineAddress });
  const end = async (): Promise<void> => {
    await served.close();
    caller.close();
    await server.close();
  };
  return { provider, end };
}

const identity = (name: string, type = 'shed:index:Tool') => ({
  urn: makeUrn({ stack: 'dev', project: 'p', type, name }),
  name,
  type,
});
const seed = new Uint8Array(32).fill(1);
const call = { timeoutSeconds: 0, preview: false };
const context: DeploymentContext = {
  project: 'p',
  stack: 'dev',
  organization: 'o',
  config: {},
  configSecretKeys: [],
  dryRun: false,
  parallel: 1,
  monitorAddress: '',
};

describe.each([
  ['in process', inProcess],
  ['over the wire', overWire],
])('%s', (_title, host) => {
  const logged: LogRequest[] = [];
  let shed: Shed;
  let at: Host;
  let engine: Awaited<ReturnType<typeof startServer>>;
  beforeEach(async () => {
    logged.length = 0;
    engine = await startServer({
      services: [engineService({ log: async (request: LogRequest) => void logged.push(request) } as never)],
    });
    shed = { failures: 0, seen: [] };
    at = await host(toProvider(shedProvider(shed)), engine.address);
  });
  afterEach(async () => {
    await at.end();
    await engine.close();
  });

  const check = (news: PropertyMap, olds?: PropertyMap, type?: string) =>
    at.provider.check({ ...identity('saw', type), olds, news, randomSeed: seed, allowUnknowns: true });

  test('the engine is told that names may be proposed', async () => {
    expect((await at.provider.handshake({ engineAddress: engine.address }))?.supportsAutonaming).toBe(true);
    const { inputs } = await check(emptyMap);
    expect(inputs['name']).toMatch(/^saw-[0-9a-f]{7}$/);
    expect((await check(emptyMap, inputs)).inputs).toEqual(inputs);
  });

  test('an immutable input is refused another value, unless a new object is asked for', async () => {
    const olds = propertyMap({ name: 'saw', size: 1, region: 'north' });
    const news = propertyMap({ name: 'saw', region: 'south' });
    expect((await check(news, olds)).failures).toEqual([
      { property: 'region', reason: expect.stringContaining('cannot be changed') as string },
    ]);
    expect((await check(news)).failures).toEqual([]);
  });

  test('a preview tells what the author knows, and nothing of what is not known', async () => {
    const preview = (given: PropertyMap) =>
      at.provider.create({ ...identity('saw'), inputs: given, timeoutSeconds: 0, preview: true });
    const known = await preview(propertyMap({ name: 'saw', size: 1, region: 'n' }));
    expect(known.outputs).toMatchObject({ label: 'saw!' });
    expect(isUnknown(known.outputs['zone'])).toBe(true);
    const later = await preview(propertyMap({ name: UNKNOWN, size: 1, region: 'n' }));
    expect(isUnknown(later.outputs['label'])).toBe(true);
  });

  test('work that fails for a while is repeated, and messages reach the user without secrets', async () => {
    shed.failures = 2;
    const given = propertyMap({ name: 'saw', size: 1, region: 'n', key: 'hunter2' });
    const checked = (await check(given)).inputs;
    expect(isSecret(checked['key'])).toBe(true);
    const made = await at.provider.create({
      ...identity('saw'),
      inputs: checked,
      timeoutSeconds: 5,
      preview: false,
    });
    expect(made.id).toBe('id-saw');
    expect(shed.seen).toEqual(['attempt', 'attempt', 'attempt']);
    expect(logged).toEqual([
      expect.objectContaining({
        severity: 'info',
        message: 'asking for saw with [secret]',
        urn: identity('saw').urn,
      }),
    ]);
  });

  test('the last failure of repeated work goes through, and so does one that is not to be repeated', async () => {
    shed.failures = 100;
    const given = propertyMap({ name: 'saw', size: 1, region: 'n' });
    const create = at.provider.create({ ...identity('saw'), ...call, inputs: given, timeoutSeconds: 5 });
    await expect(create).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('busy') as string,
    });
    expect(shed.seen).toHaveLength(8);
  });

  test('a time limit of the type holds where the program sets none', async () => {
    const given = propertyMap({ name: 'slow', size: 1, region: 'n' });
    const create = at.provider.create({ ...identity('slow'), ...call, inputs: given });
    await expect(create).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  });

  test('what the provider chose is no input until the program says something about it', async () => {
    const outputs = propertyMap({ name: 'saw', size: 1, region: 'north', zone: 'a' });
    const { zone: _zone, ...left } = outputs;
    const read = (known: PropertyMap | undefined) =>
      at.provider.read({
        ...identity('saw'),
        id: 'id-saw',
        inputs: known,
        state: known && outputs,
        timeoutSeconds: 0,
      });
    expect((await read(left)).inputs).not.toHaveProperty('zone');
    expect((await read(outputs)).inputs).toHaveProperty('zone', 'a');
    expect((await read(undefined)).inputs).toHaveProperty('zone', 'a');
  });

  test('who changed an object is said where it differs from its record, and is no output', async () => {
    const read = (state: PropertyMap | undefined) =>
      at.provider.read({ ...identity('saw'), id: 'id-saw', inputs: state, state, timeoutSeconds: 0 });
    const { outputs } = await read(undefined);
    expect(outputs).not.toHaveProperty('changedBy');
    await read(outputs);
    expect(logged).toEqual([]);
    await read(propertyMap({ name: 'saw', size: 2, region: 'north', zone: 'a', label: 'saw!' }));
    expect(logged).toEqual([
      expect.objectContaining({ severity: 'info', message: 'last changed by ada', urn: identity('saw').urn }),
    ]);
  });

  test('methods run on the object, and wait in a preview for what is not there', async () => {
    const token = 'shed:index:Tool/sharpen';
    const self = (id: string | typeof UNKNOWN) => new ResourceReference({ urn: identity('saw').urn, id });
    const run = (args: PropertyMap, dryRun = false) =>
      at.provider.call({ context: { ...context, dryRun }, token, args, argDependencies: {} });
    const { result } = await run({ __self__: self('id-saw'), times: 3 });
    expect(result['said']).toBe('id-saw 3');
    expect(isSecret(result['code'])).toBe(true);
    expect((await run({ __self__: self('x'), times: 'often' })).failures).toEqual([
      { property: 'times', reason: 'expected an integer, got a string' },
    ]);
    expect(isUnknown((await run({ __self__: self(UNKNOWN) }, true)).result['said'])).toBe(true);
    await expect(run({ times: 1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('properties of earlier versions are brought to the newest before anybody sees them', async () => {
    const type = 'shed:index:Box';
    const first = { title: 'a', size: '3', login: propertyMap({}) && 'l' };
    const old = { ...identity('b', type), id: 'b' };
    const wanted = (await check(propertyMap({ label: 'a', size: 3, login: 'l' }), propertyMap(first), type))
      .inputs;
    expect(wanted).toEqual(propertyMap({ label: 'a', size: 3, login: 'l', __schemaVersion: 2 }));
    const stored = { oldInputs: propertyMap(first), oldOutputs: propertyMap({ ...first, area: 9 }) };
    const ask = { ...old, ...stored, news: wanted, ignoreChanges: [] };
    expect((await at.provider.diff({ ...ask, allowUnknowns: false })).changes).toBe('none');
    const updated = await at.provider.update({ ...ask, ...call });
    expect(updated.outputs).toEqual(
      propertyMap({ label: 'a', size: 3, login: 'l', area: 9, __schemaVersion: 2 }),
    );
    const second = propertyMap({ label: 'a', size: '3', __schemaVersion: 1 });
    await at.provider.delete({ ...old, oldInputs: second, oldOutputs: second, timeoutSeconds: 0 });
    expect(shed.seen).toEqual([
      {
        id: 'b',
        inputs: { label: 'a', size: 3, login: 'l' },
        outputs: { label: 'a', size: 3, login: 'l', area: 9 },
      },
      { id: 'b', inputs: { label: 'a', size: 3 }, outputs: { label: 'a', size: 3, area: 9 } },
    ]);
    const newer = propertyMap({ label: 'a', size: 3, __schemaVersion: 3 });
    await expect(
      at.provider.delete({ ...old, oldInputs: newer, oldOutputs: newer, timeoutSeconds: 0 }),
    ).rejects.toMatchObject({ message: expect.stringContaining('newer version of the provider') as string });
  });

  test('rules of the author about the configuration', async () => {
    const provider = identity('p', 'pulumi:providers:shed');
    const checkConfig = (news: PropertyMap) =>
      at.provider.checkConfig({ ...provider, olds: undefined, news });
    expect((await checkConfig(propertyMap({ port: '0' }))).failures).toEqual([
      { property: 'port', reason: 'cannot be listened to' },
    ]);
    const diffConfig = (news: PropertyMap) =>
      at.provider.diffConfig({
        ...provider,
        oldInputs: propertyMap({ host: 'h' }),
        oldOutputs: emptyMap,
        news,
        ignoreChanges: [],
      });
    expect(await diffConfig(propertyMap({ host: 'h' }))).toMatchObject({ changes: 'some', replaceKeys: [] });
    expect(await diffConfig(propertyMap({ host: 'g' }))).toMatchObject({ replaceKeys: ['host'] });
  });

  test('parameters make another package of it, and the same one again', async () => {
    await expect(at.provider.parameterize({ parameters: { kind: 'args', args: [] } })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    const made = { name: 'barn', version: '2.0.0' };
    expect(await at.provider.parameterize({ parameters: { kind: 'args', args: ['barn'] } })).toEqual(made);
    const schema = JSON.parse(await at.provider.getSchema({ version: 0 })) as {
      readonly parameterization: { readonly parameter: string };
    };
    expect(schema).toMatchObject({
      ...made,
      parameterization: { baseProvider: { name: 'shed', version: '1.0.0' } },
      resources: { 'barn:index:Tool': { methods: { sharpen: 'barn:index:Tool/sharpen' } } },
      functions: { 'barn:index:Tool/sharpen': { inputs: { required: ['__self__'] } } },
    });
    const value = Buffer.from(schema.parameterization.parameter, 'base64');
    expect(await at.provider.parameterize({ parameters: { kind: 'value', ...made, value } })).toEqual(made);
    const created = await at.provider.create({
      ...identity('saw', 'barn:index:Tool'),
      ...call,
      inputs: propertyMap({ name: 'saw', size: 0, region: 'n' }),
    });
    expect(created.id).toBe('id-saw');
  });
});

test('parts of an object are published as they come, stay and go [VIEW-2]', async () => {
  const provider = toProvider(shedProvider({ failures: 0, seen: [] }));
  const published: (readonly [string, string])[][] = [];
  const views = {
    address: '',
    token: 't',
    publish: async (steps: readonly ViewStep[]) =>
      void published.push(steps.map(({ op, name }) => [op, name] as const)),
  };
  const part = (index: number, of = 'saw') => ({
    type: 'shed:index:Part',
    name: `part-${index}`,
    parentType: '',
    parentName: '',
    inputs: emptyMap,
    outputs: propertyMap({ of }),
  });
  const given = (size: number) => propertyMap({ name: 'saw', size, region: 'n' });
  const about = { ...identity('saw'), ...call, views };
  await provider.create({ ...about, inputs: given(2) });
  const object = { id: 'id-saw', oldInputs: given(2), oldOutputs: given(2), ignoreChanges: [] };
  await provider.update({ ...about, ...object, news: given(3), oldViews: [part(0), part(1, 'axe')] });
  await provider.update({ ...about, ...object, news: given(1), oldViews: [part(0), part(1)] });
  await provider.delete({ ...about, ...object, oldViews: [part(0)] });
  expect(published).toEqual([
    [
      ['create', 'part-0'],
      ['create', 'part-1'],
    ],
    [
      ['same', 'part-0'],
      ['update', 'part-1'],
      ['create', 'part-2'],
    ],
    [
      ['same', 'part-0'],
      ['delete', 'part-1'],
    ],
    [['delete', 'part-0']],
  ]);
});
