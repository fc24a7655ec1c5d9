import { Secret, UNKNOWN, emptyMap, isSecret, isUnknown } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { isInitFailed, isMissingConfig } from '@cairn/wire';
import type { InitFailedError, Provider } from '@cairn/wire';
import { StreamCaller } from '@cairn/wire/caller';
import { ProviderClient } from '@cairn/wire/provider-client';
import { providerService } from '@cairn/wire/provider-server';
import { startServer } from '@cairn/wire/server';
import { identity, map, sampleProvider } from '@cairn/testkit/sample';
import type { World } from '@cairn/testkit/sample';
import { toProvider } from './defined-provider.js';

interface Host {
  readonly provider: Provider;
  readonly world: World;
  readonly end: () => Promise<void>;
}

async function inProcess(): Promise<Host> {
  const world: World = { boxes: new Map() };
  return { provider: toProvider(sampleProvider(world)), world, end: async () => {} };
}

async function overWire(): Promise<Host> {
  const world: World = { boxes: new Map() };
  const server = await startServer({
    services: [providerService(toProvider(sampleProvider(world)))],
    stream: true,
  });
  const caller = new StreamCaller(server.address);
  const provider = new ProviderClient(caller);
  await provider.handshake({ engineAddress: '', programDirectory: '/tmp' });
  return {
    provider,
    world,
    end: async () => {
      caller.close();
      await server.close();
    },
  };
}

const seed = new Uint8Array(32);
const check = (provider: Provider, news: PropertyMap, name = 'b') =>
  provider.check({ ...identity(name), olds: undefined, news, randomSeed: seed, allowUnknowns: true });
const diff = (
  provider: Provider,
  oldInputs: PropertyMap,
  news: PropertyMap,
  ignoreChanges: readonly string[] = [],
  type?: string,
) =>
  provider.diff({
    ...identity('b', type),
    id: 'x',
    oldInputs,
    oldOutputs: oldInputs,
    news,
    allowUnknowns: true,
    ignoreChanges,
  });
const create = (
  provider: Provider,
  inputs: PropertyMap,
  more: { preview?: boolean; timeoutSeconds?: number } = {},
) => provider.create({ ...identity('b'), inputs, timeoutSeconds: 0, preview: false, ...more });
const good = map({ label: 'a', size: 2, kind: 'open' });

describe.each([
  ['in process', inProcess],
  ['over the wire', overWire],
])('a defined provider %s', (_where, host) => {
  let at: Host;
  beforeEach(async () => {
    at = await host();
    await at.provider.configure({
      ...identity('p', 'pulumi:providers:sample'),
      id: 'i',
      inputs: map({ region: 'eu', version: '1.2.3' }),
    });
  });
  afterEach(() => at.end());

  test('lives the life of a resource', async () => {
    const { provider, world } = at;
    const checked = await check(provider, map({ label: 'a', size: 2 }));
    expect(checked).toEqual({ inputs: good, failures: [] });
    const made = await create(provider, checked.inputs);
    expect(made).toMatchObject({ id: 'box-1', outputs: { label: 'a', size: 2, serial: 's-box-1' } });
    const same = await provider.read({
      ...identity('b'),
      id: 'box-1',
      inputs: good,
      state: made.outputs,
      timeoutSeconds: 0,
    });
    expect(same).toMatchObject({ id: 'box-1', inputs: good, outputs: made.outputs });
    const news = map({ label: 'b', size: 2, kind: 'open' });
    const updated = await provider.update({
      ...identity('b'),
      id: 'box-1',
      oldInputs: good,
      oldOutputs: made.outputs,
      news,
      timeoutSeconds: 0,
      ignoreChanges: [],
      preview: false,
    });
    expect(updated.outputs).toMatchObject({ label: 'b', serial: 's-box-1', greeting: 'hello b' });
    await provider.delete({
      ...identity('b'),
      id: 'box-1',
      oldInputs: news,
      oldOutputs: updated.outputs,
      timeoutSeconds: 0,
    });
    expect(world.boxes.size).toBe(0);
    const gone = await provider.read({
      ...identity('b'),
      id: 'box-1',
      inputs: news,
      state: updated.outputs,
      timeoutSeconds: 0,
    });
    expect(gone.outputs === undefined || gone.id === '').toBe(true);
  });

  test('import reads by id alone; a type without read cannot be imported [PROV-17]', async () => {
    at.world.boxes.set('ext', { label: 'old', size: 5 });
    const found = await at.provider.read({
      ...identity('b'),
      id: 'ext',
      inputs: undefined,
      state: undefined,
      timeoutSeconds: 0,
    });
    expect(found).toMatchObject({
      id: 'ext',
      inputs: { label: 'old', size: 5, kind: 'open' },
      outputs: { serial: 's-ext' },
    });
    const fixed = identity('f', 'sample:index:Fixed');
    await expect(
      at.provider.read({ ...fixed, id: 'x', inputs: undefined, state: undefined, timeoutSeconds: 0 }),
    ).rejects.toMatchObject({ code: 'UNIMPLEMENTED' });
  });

  test('secrets: by schema, by input, and of what reveals them', async () => {
    const { outputs } = await create(
      at.provider,
      map({ label: 'a', size: 1, kind: 'open', login: new Secret('pw'), tags: map({ x: new Secret('y') }) }),
    );
    expect(
      Object.keys(outputs)
        .filter((key) => isSecret(outputs[key]))
        .sort(),
    ).toEqual(['greeting', 'key', 'login', 'tags']);
    const bare = await create(at.provider, good);
    expect(Object.keys(bare.outputs).filter((key) => isSecret(bare.outputs[key]))).toEqual(['key']);
  });

  test('preview: what inputs say is known, the rest is not, stable outputs stay', async () => {
    const inputs = map({ label: UNKNOWN, size: 2, kind: 'open' });
    const made = await create(at.provider, inputs, { preview: true });
    expect(made.id).toBe('');
    expect(made.outputs['size']).toBe(2);
    expect(['label', 'serial', 'greeting'].every((key) => isUnknown(made.outputs[key]))).toBe(true);
    expect(Object.keys(made.outputs)).not.toContain('tags');
    const changed = await at.provider.update({
      ...identity('b'),
      id: 'i',
      oldInputs: good,
      oldOutputs: map({ serial: 's-1', greeting: 'g' }),
      news: inputs,
      timeoutSeconds: 0,
      ignoreChanges: [],
      preview: true,
    });
    expect(changed.outputs['serial']).toBe('s-1');
    expect(isUnknown(changed.outputs['greeting'])).toBe(true);
    expect(at.world.boxes.size).toBe(0);
  });

  test('partial failure carries id, outputs and reasons; a refusal says that nothing was done [PROV-16]', async () => {
    const half = await create(
      at.provider,
      map({ label: 'half', size: 1, kind: 'open', login: new Secret('pw') }),
    ).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(isInitFailed(half)).toBe(true);
    expect(half).toMatchObject({
      id: 'half-id',
      reasons: ['not ready', 'no door'],
      outputs: { serial: 'h' },
    });
    expect(isSecret((half as InitFailedError).outputs['login'])).toBe(true);
    await expect(create(at.provider, map({ label: 'none', size: 1, kind: 'open' }))).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      inDoubt: false,
      message: expect.stringContaining('nothing was done') as string,
    });
  });

  test('a time limit and a cancel abort the handler with their reason', async () => {
    await expect(
      create(at.provider, map({ label: 'wait', size: 1, kind: 'open' }), { timeoutSeconds: 0.01 }),
    ).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    const waiting = create(at.provider, map({ label: 'wait', size: 1, kind: 'open' }));
    await at.provider.cancel();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED', inDoubt: true });
    await expect(create(at.provider, map({ label: 'late', size: 1, kind: 'open' }))).rejects.toMatchObject({
      code: 'ABORTED',
      message: expect.stringMatching(/^not begun/) as string,
    });
    // The next engine that greets it is served.
    await at.provider.handshake({ engineAddress: '' });
    await create(at.provider, map({ label: 'next', size: 1, kind: 'open' }));
  });

  test('quoted secrets are replaced', async () => {
    const inputs = map({ label: 'tell', size: 1, kind: 'open', login: new Secret('planted') });
    await expect(create(at.provider, inputs)).rejects.toMatchObject({
      message: expect.stringMatching(/it said \[secret\]$/) as string,
    });
  });

  test('functions: refuse arguments, see the configuration, mark secrets', async () => {
    const refused = await at.provider.invoke({
      token: 'sample:index:lookup',
      args: map({ idd: 1 }),
      preview: false,
    });
    expect(refused.failures).toEqual([
      { property: 'idd', reason: 'there is no such property; did you mean id?' },
      { property: 'id', reason: 'is required' },
    ]);
    const { result } = await at.provider.invoke({
      token: 'sample:index:lookup',
      args: map({ id: 'x' }),
      preview: false,
    });
    expect(result).toEqual(map({ label: 'none', region: 'eu', login: new Secret('l') }));
    await expect(
      at.provider.invoke({ token: 'sample:index:no', args: emptyMap, preview: false }),
    ).rejects.toThrow(/has no function sample:index:no; it has /);
    await expect(
      at.provider.invoke({ token: 'sample:index:lokup', args: emptyMap, preview: false }),
    ).rejects.toThrow(/did you mean sample:index:lookup\?/);
  });

  test('an unknown type is refused with what there is', async () => {
    const request = {
      ...identity('b', 'sample:index:Bag'),
      olds: undefined,
      news: emptyMap,
      randomSeed: seed,
      allowUnknowns: true,
    };
    await expect(at.provider.check(request)).rejects.toThrow(
      /no resource type sample:index:Bag; did you mean sample:index:Box\?/,
    );
  });
});

describe('check', () => {
  test.each<[string, PropertyMap, [string, RegExp][]]>([
    ['missing', map({}), [['label', /^is required$/]]],
    ['of another type', map({ label: 1 }), [['label', /^expected a string, got a number$/]]],
    ['not an integer', map({ label: 'a', size: 1.5 }), [['size', /must be an integer, got 1.5/]]],
    [
      'too small and too long',
      map({ label: 'a'.repeat(9), size: 0 }),
      [
        ['label', /at most 8/],
        ['size', /at least 1/],
      ],
    ],
    ['none of the choices', map({ label: 'a', kind: 'ajar' }), [['kind', /one of "open", "shut"/]]],
    ['unknown to anybody', map({ label: 'a', sise: 1 }), [['sise', /did you mean size\?/]]],
    [
      'wrong deep inside',
      map({ label: 'a', parts: [map({ name: 'p' }), map({ weight: 'heavy' })] }),
      [
        ['parts[1].name', /required/],
        ['parts[1].weight', /expected a number/],
      ],
    ],
    ['wrong in a map', map({ label: 'a', tags: map({ 'k.x': 1 }) }), [['tags["k.x"]', /expected a string/]]],
    ['wrong behind a secret', map({ label: new Secret(1) }), [['label', /expected a string/]]],
    ['against the author’s rule', map({ label: 'never' }), [['label', /not to be used/]]],
  ])('refuses what is %s', async (_what, news, expected) => {
    const { failures } = await check(toProvider(sampleProvider({ boxes: new Map() })), news);
    expect(failures.map(({ property }) => property)).toEqual(expected.map(([property]) => property));
    failures.forEach(({ reason }, index) => expect(reason).toMatch(expected[index]?.[1] as RegExp));
  });

  test('unknowns and the engine’s own keys pass; defaults are filled in; secrets by schema are marked', async () => {
    const { inputs, failures } = await check(
      toProvider(sampleProvider({ boxes: new Map() })),
      map({ label: UNKNOWN, login: 'pw', tags: null, __defaults: [] }),
    );
    expect(failures).toEqual([]);
    expect(inputs).toEqual(
      map({ __defaults: [], label: UNKNOWN, size: 1, kind: 'open', login: new Secret('pw') }),
    );
  });
});

describe('diff', () => {
  const provider = toProvider(sampleProvider({ boxes: new Map() }));
  const withParts = (fixed: boolean) => map({ ...good, parts: [map({ name: 'p', fixed })] });
  test.each<[string, PropertyMap, PropertyMap, object]>([
    ['nothing', good, good, { changes: 'none' }],
    ['a secret mark only', map({ login: 'x' }), map({ login: new Secret('x') }), { changes: 'none' }],
    ['the engine’s own keys', map({ __d: 1 }), map({ __d: 2 }), { changes: 'none' }],
    [
      'a property',
      good,
      map({ ...good, size: 3 }),
      {
        changes: 'some',
        replaceKeys: [],
        changedKeys: ['size'],
        stableKeys: ['serial'],
        detailedDiff: { size: { kind: 'update', inputDiff: true } },
      },
    ],
    [
      'a property that replaces',
      good,
      map({ ...good, kind: 'shut' }),
      {
        replaceKeys: ['kind'],
        stableKeys: [],
        detailedDiff: { kind: { kind: 'update-replace', inputDiff: true } },
      },
    ],
    [
      'a nested property that replaces',
      withParts(true),
      withParts(false),
      {
        replaceKeys: ['parts'],
        detailedDiff: { 'parts[0].fixed': { kind: 'update-replace', inputDiff: true } },
      },
    ],
    [
      'an addition and a removal',
      map({ a: 1 }),
      map({ b: 1 }),
      { detailedDiff: { a: { kind: 'delete', inputDiff: true }, b: { kind: 'add', inputDiff: true } } },
    ],
    ['what is not known yet', good, map({ ...good, kind: UNKNOWN }), { replaceKeys: ['kind'] }],
  ])('of %s', async (_what, old, news, expected) => {
    expect(await diff(provider, old, news)).toMatchObject(expected);
  });

  test('ignored paths do not count', async () => {
    expect(await diff(provider, good, map({ ...good, size: 3 }), ['size'])).toMatchObject({
      changes: 'none',
    });
    expect(
      await diff(provider, map({ tags: map({ a: '1' }) }), map({ tags: map({ a: '2' }) }), [
        'tags.*',
        'tags["a"]',
      ]),
    ).toMatchObject({ changes: 'none' });
  });

  test('without update every change replaces, in the order the author wants', async () => {
    expect(
      await diff(provider, map({ value: 1 }), map({ value: 2 }), [], 'sample:index:Fixed'),
    ).toMatchObject({ replaceKeys: ['value'], deleteBeforeReplace: true });
  });
});

describe('configuration', () => {
  const fresh = () => toProvider(sampleProvider({ boxes: new Map() }));
  const self = identity('p', 'pulumi:providers:sample');

  test('texts are read as their property says; the engine’s keys stay', async () => {
    const news = map({
      region: 'eu',
      retries: '5',
      token: 't',
      version: '1.2.3',
      __internal: map({ name: 'x' }),
    });
    const { inputs, failures } = await fresh().checkConfig({ ...self, olds: undefined, news });
    expect(failures).toEqual([]);
    expect(inputs).toEqual(
      map({
        region: 'eu',
        retries: 5,
        token: new Secret('t'),
        version: '1.2.3',
        __internal: map({ name: 'x' }),
      }),
    );
  });

  test('refusals name the key', async () => {
    const news = map({ regio: 'eu', retries: 'many' });
    const { failures } = await fresh().checkConfig({ ...self, olds: undefined, news });
    expect(failures.map(({ property }) => property).sort()).toEqual(['regio', 'region', 'retries']);
    const error = await fresh()
      .configure({ ...self, id: '', inputs: map({}) })
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(isMissingConfig(error)).toBe(true);
    expect(error).toMatchObject({ missing: [{ name: 'region', description: 'Where.' }] });
  });

  test('a change replaces where the schema says so', async () => {
    const compare = (a: PropertyMap, b: PropertyMap) =>
      fresh().diffConfig({ ...self, oldInputs: a, oldOutputs: a, news: b, ignoreChanges: [] });
    expect(
      await compare(map({ region: 'a', retries: '3' }), map({ region: 'a', retries: 3, version: '2.0.0' })),
    ).toMatchObject({ changes: 'none' });
    expect(await compare(map({ region: 'a' }), map({ region: 'b' }))).toMatchObject({
      changes: 'some',
      replaceKeys: [],
    });
    expect(await compare(map({ zone: 'a' }), map({ zone: 'b' }))).toMatchObject({ replaceKeys: ['zone'] });
  });
});

test('GetSchema: resources, functions, configuration and named object types', async () => {
  const schema = JSON.parse(
    await toProvider(sampleProvider({ boxes: new Map() })).getSchema({ version: 0 }),
  ) as Record<string, never>;
  expect(schema).toMatchObject({
    name: 'sample',
    version: '1.2.3',
    config: { required: ['region'] },
    resources: {
      'sample:index:Box': {
        description: 'A box.',
        requiredInputs: ['label'],
        inputProperties: {
          size: { type: 'integer', default: 1 },
          kind: { $ref: '#/types/sample:index:BoxKind', default: 'open', willReplaceOnChanges: true },
          login: { type: 'string', secret: true },
          tags: { type: 'object', additionalProperties: { type: 'string' } },
          parts: { type: 'array', items: { $ref: '#/types/sample:index:BoxParts' } },
        },
        required: ['label', 'serial', 'greeting', 'key'],
      },
    },
    functions: {
      'sample:index:lookup': {
        inputs: { required: ['id'] },
        outputs: { required: ['label', 'region', 'login'] },
      },
    },
    types: {
      'sample:index:BoxKind': { type: 'string', enum: [{ value: 'open' }, { value: 'shut' }] },
      'sample:index:BoxParts': { type: 'object', required: ['name'] },
    },
  });
});
