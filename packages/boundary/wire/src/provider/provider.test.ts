import { asUrn, makeProviderReference } from '@cairn/addresses';
import {
  Archive,
  Asset,
  ByteString,
  OutputValue,
  ResourceReference,
  Secret,
  UNKNOWN,
  propertyMap,
} from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { TRANSPORTS, withLoopback } from '../../test/loopback.js';
import type { Capabilities, Provider } from '../contracts/provider.js';
import {
  InitFailedError,
  InvalidInputsError,
  MissingConfigError,
  ProviderError,
  isInitFailed,
  isInputProperties,
  isMissingConfig,
  isProviderError,
} from '../contracts/provider-errors.js';
import { StatusError } from '../contracts/status.js';
import { ErrorCause } from '../generated/pulumi/errors.js';
import * as pb from '../generated/pulumi/provider.js';
import { service } from '../rpc/service.js';
import { decodeStruct, encodeStruct } from '../values/index.js';
import { ProviderClient } from './client.js';
import { providerService } from './server.js';

const urn = asUrn('urn:pulumi:dev::proj::test:index:Thing::a');
const id = { urn, name: 'a', type: 'test:index:Thing' };
const ALL: Capabilities = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: true,
  supportsPreview: true,
  supportsAutonaming: true,
  acceptByteStrings: true,
  acceptOutputsInInvoke: true,
  acceptOutputsInCall: true,
  acceptOutputsInCheck: true,
};

type Calls = { [name: string]: unknown };

/** Returns a provider that records its requests and answers with the given values. */
function recorder(answers: Calls, calls: Calls): Provider {
  return new Proxy({} as Provider, {
    get: (_target, name: string) => {
      if (!(name in answers)) return undefined;
      return async (request: unknown) => {
        calls[name] = request;
        const answer = answers[name];
        if (answer instanceof Error) throw answer;
        return answer;
      };
    },
  });
}

const rich: PropertyMap = propertyMap({
  text: 'x',
  number: -0,
  list: [1, null, true],
  secret: new Secret({ inner: 'y' }),
  reference: new ResourceReference({ urn, id: 'id-1', name: 'a', type: 'test:index:Thing' }),
  bytes: new ByteString(Buffer.from([0xff, 0xfe])),
  __proto: 'p',
});
const plan: PropertyMap = propertyMap({ known: 'x', unknown: UNKNOWN });
const outputs: PropertyMap = propertyMap({ out: new OutputValue('v', true, [urn]) });
const context = {
  project: 'proj',
  stack: 'dev',
  organization: '',
  config: { 'proj:a': 'b' },
  configSecretKeys: [],
  dryRun: true,
  parallel: 4,
  monitorAddress: '127.0.0.1:1',
};

/** One row per method: request, answer. Both must arrive as they were sent. */
const methods: readonly (readonly [keyof Provider, unknown, unknown])[] = [
  ['attach', '127.0.0.1:7', undefined],
  ['parameterize', { parameters: { kind: 'args', args: ['x', ''] } }, { name: 'p', version: '1.0.0' }],
  [
    'parameterize',
    { parameters: { kind: 'value', name: 'p', version: '1.0.0', value: Buffer.from('v') } },
    { name: 'p', version: '1.0.0' },
  ],
  ['getPluginInfo', undefined, { version: '1.2.3' }],
  ['getSchema', { version: 0, subpackageName: 's', subpackageVersion: '1.0.0' }, '{"name":"test"}'],
  ['getMapping', { key: 'terraform', provider: 'p' }, { provider: 'p', data: Buffer.from('m') }],
  ['getMappings', { key: 'terraform' }, ['a', 'b']],
  [
    'checkConfig',
    { ...id, olds: propertyMap({}), news: propertyMap({ a: 'b' }) },
    { inputs: rich, failures: [] },
  ],
  [
    'diffConfig',
    {
      ...id,
      oldInputs: propertyMap({ a: 1 }),
      oldOutputs: propertyMap({ a: 2 }),
      news: propertyMap({ a: 3 }),
      ignoreChanges: ['b'],
    },
    {
      changes: 'some',
      replaceKeys: ['a'],
      changedKeys: ['a', 'b'],
      stableKeys: ['c'],
      detailedDiff: {
        a: { kind: 'update-replace', inputDiff: true },
        'b[0]': { kind: 'add', inputDiff: false },
      },
      deleteBeforeReplace: true,
    },
  ],
  [
    'configure',
    { ...id, id: 'provider-id', inputs: propertyMap({ region: 'eu', token: new Secret('t') }) },
    ALL,
  ],
  [
    'check',
    {
      ...id,
      olds: rich,
      news: plan,
      randomSeed: Buffer.alloc(32, 7),
      allowUnknowns: true,
      autonaming: { proposedName: 'a-1', mode: 'enforce' },
    },
    { inputs: plan, failures: [{ property: 'p', reason: 'r' }] },
  ],
  [
    'check',
    {
      ...id,
      olds: undefined,
      news: propertyMap({ out: new Secret('v') }),
      newsWithOutputs: outputs,
      oldOutputs: rich,
      randomSeed: Buffer.alloc(32, 7),
      allowUnknowns: true,
      autonaming: undefined,
    },
    { inputs: plan, failures: [] },
  ],
  [
    'diff',
    {
      ...id,
      id: 'i',
      oldInputs: rich,
      oldOutputs: rich,
      news: plan,
      allowUnknowns: true,
      ignoreChanges: ['x'],
    },
    {
      changes: 'unknown',
      replaceKeys: [],
      changedKeys: [],
      stableKeys: [],
      detailedDiff: undefined,
      deleteBeforeReplace: false,
    },
  ],
  [
    'create',
    { ...id, inputs: rich, timeoutSeconds: 1.5, preview: false },
    { id: 'i', outputs: rich, refreshBeforeUpdate: true },
  ],
  [
    'create',
    { ...id, inputs: plan, timeoutSeconds: 0, preview: true },
    { id: '', outputs: plan, refreshBeforeUpdate: false },
  ],
  [
    'read',
    { ...id, id: 'i', inputs: rich, state: rich, timeoutSeconds: 0 },
    { id: 'i', inputs: rich, outputs: rich, refreshBeforeUpdate: false },
  ],
  [
    'read',
    { ...id, id: 'i', inputs: undefined, state: undefined, timeoutSeconds: 0 },
    { id: '', inputs: undefined, outputs: undefined, refreshBeforeUpdate: false },
  ],
  [
    'update',
    {
      ...id,
      id: 'i',
      oldInputs: rich,
      oldOutputs: rich,
      news: plan,
      timeoutSeconds: 9,
      ignoreChanges: ['z'],
      preview: true,
    },
    { outputs: plan, refreshBeforeUpdate: true },
  ],
  ['delete', { ...id, id: 'i', oldInputs: rich, oldOutputs: rich, timeoutSeconds: 3 }, undefined],
  [
    'invoke',
    { token: 'test:index:f', args: rich, preview: true },
    { result: rich, failures: [{ property: '', reason: 'no' }] },
  ],
  [
    'construct',
    {
      context,
      type: 'test:index:Comp',
      name: 'c',
      parent: urn,
      inputs: outputs,
      inputDependencies: { out: [urn] },
      options: {
        aliases: [
          { kind: 'urn', urn },
          { kind: 'spec', name: '', type: 't', stack: '', project: '', parent: { kind: 'none' } },
        ],
        dependencies: [urn],
        protect: false,
        providers: {
          test: makeProviderReference(asUrn('urn:pulumi:dev::proj::pulumi:providers:test::p'), 'x'),
        },
        additionalSecretOutputs: ['s'],
        customTimeouts: { create: '1m', update: '', delete: '', read: '9m' },
        deletedWith: urn,
        deleteBeforeReplace: true,
        ignoreChanges: ['i'],
        replaceOnChanges: ['r'],
        retainOnDelete: undefined,
        replaceWith: [urn],
        replacementTrigger: new Secret(['t']),
        hooks: {
          beforeCreate: ['a', 'b'],
          afterCreate: [],
          beforeUpdate: [],
          afterUpdate: ['c'],
          beforeDelete: [],
          afterDelete: ['d'],
          onError: [],
        },
      },
    },
    { urn, outputs, outputDependencies: { out: [urn] } },
  ],
  [
    'call',
    { context, token: 'test:index:Comp/m', args: outputs, argDependencies: { out: [urn] } },
    { result: outputs, resultDependencies: { out: [urn] }, failures: [] },
  ],
  [
    'list',
    { token: 'test:index:Thing', query: rich, limit: 10, pageSize: 5, continuationToken: 'c' },
    { computed: false, results: [{ id: '1', name: 'n' }], continuationToken: 'next' },
  ],
  ['cancel', undefined, undefined],
];

describe.each(TRANSPORTS)('provider over %s', (transport) => {
  test.each(methods)('%s arrives as it was sent, %#', async (name, request, answer) => {
    const calls: Calls = {};
    const served = recorder({ handshake: ALL, [name]: answer }, calls);
    await withLoopback([providerService(served)], transport, async (caller) => {
      const client = new ProviderClient(caller);
      expect(await client.handshake({ engineAddress: 'e:1', rootDirectory: '/r' })).toEqual(ALL);
      expect(calls['handshake']).toEqual({
        engineAddress: 'e:1',
        rootDirectory: '/r',
        programDirectory: undefined,
        invokeWithPreview: true,
      });
      const method = (client as Provider)[name] as (request: unknown) => Promise<unknown>;
      expect(normal(await method.call(client, request))).toEqual(normal(answer));
      expect(normal(calls[name])).toEqual(normal(request));
    });
  });
});

/** Normalises values: buffers and views compare by their bytes; timeouts have a field that requests lack. */
function normal(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'read');
  return Object.assign(
    Object.create(Object.getPrototypeOf(value) === null ? Object.prototype : Object.getPrototypeOf(value)),
    {
      ...Object.fromEntries(entries.map(([key, item]) => [key, normal(item)])),
    },
  );
}

describe('errors of a provider', () => {
  const failures: readonly (readonly [string, Error, (error: unknown) => void])[] = [
    [
      'init failed',
      new InitFailedError('i', rich, propertyMap({ a: 1 }), ['slow', 'down'], true, 'not ready'),
      (error) => {
        if (!isInitFailed(error)) throw error;
        expect(error).toMatchObject({
          id: 'i',
          reasons: ['slow', 'down'],
          refreshBeforeUpdate: true,
          message: 'not ready',
        });
        expect(normal(error.outputs)).toEqual(normal(rich));
        expect(normal(error.inputs)).toEqual({ a: 1 });
        expect(error.inDoubt).toBe(true);
      },
    ],
    [
      'missing configuration',
      new MissingConfigError([{ name: 'region', description: 'where' }], 'incomplete'),
      (error) => {
        if (!isMissingConfig(error)) throw error;
        expect(error.missing).toEqual([{ name: 'region', description: 'where' }]);
      },
    ],
    [
      'input properties',
      new InvalidInputsError([{ path: 'a.b', reason: 'too long' }], 'refused'),
      (error) => {
        if (!isInputProperties(error)) throw error;
        expect(error.errors).toEqual([{ path: 'a.b', reason: 'too long' }]);
      },
    ],
    [
      'a status of its own',
      new ProviderError('NOT_FOUND', 'gone: 100% ünsure\n'),
      (error) => {
        expect(error).toMatchObject({ code: 'NOT_FOUND', message: 'gone: 100% ünsure\n', inDoubt: false });
        expect(isProviderError(error)).toBe(true);
      },
    ],
    [
      'anything else',
      new TypeError('x is not a function'),
      (error) =>
        expect(error).toMatchObject({ code: 'UNKNOWN', message: 'x is not a function', inDoubt: true }),
    ],
  ];
  describe.each(TRANSPORTS)('over %s', (transport) => {
    test.each(failures)('%s', async (_name, thrown, check) => {
      const served = recorder({ handshake: ALL, create: thrown }, {});
      await withLoopback([providerService(served)], transport, async (caller) => {
        const client = new ProviderClient(caller);
        await client.handshake({ engineAddress: '' });
        const failed = client.create({ ...id, inputs: rich, timeoutSeconds: 0, preview: false });
        check(
          await failed.then(
            () => undefined,
            (error: unknown) => error,
          ),
        );
      });
    });
  });

  test.each([
    ['unary', 300_000, 0],
    ['unary', 20_000, 20_000],
    ['stream', 300_000, 300_000],
  ] as const)('details over %s: of %i characters %i arrive', async (transport, sent, arrived) => {
    const big = propertyMap({ text: 'x'.repeat(sent) });
    const thrown = new InitFailedError('i', big, undefined, ['r'], false, 'm');
    const served = recorder({ handshake: ALL, create: thrown }, {});
    await withLoopback([providerService(served)], transport, async (caller) => {
      const made = new ProviderClient(caller).create({
        ...id,
        inputs: {},
        timeoutSeconds: 0,
        preview: false,
      });
      const error = await made.catch((caught: unknown) => caught);
      if (!isInitFailed(error)) throw error;
      expect(error).toMatchObject({ id: 'i', reasons: ['r'] });
      expect(error.outputs).toEqual(arrived === 0 ? {} : big);
    });
  });

  test('a value the provider cannot take refuses the call', async () => {
    const seen: Calls = {};
    await withLoopback(
      [providerService(recorder({ handshake: ALL, create: 1 }, seen))],
      'unary',
      async (caller) => {
        const made = new ProviderClient(caller).create({
          ...id,
          inputs: rich,
          timeoutSeconds: 0,
          preview: false,
        });
        await expect(made).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
          message: expect.stringContaining('bytes'),
        });
        expect(seen['create']).toBeUndefined();
      },
    );
  });

  test('the text of an ErrorCause is appended', async () => {
    const value = ErrorCause.encode({ message: 'disk full', stackTrace: 'at x' }).finish();
    const raw = service(pb.ResourceProviderDefinition, {
      delete: async () => {
        throw new StatusError('INTERNAL', 'cannot delete', undefined, [
          { type: 'pulumirpc.ErrorCause', value },
        ]);
      },
    });
    await withLoopback([raw], 'unary', async (caller) => {
      const request = { ...id, id: 'i', oldInputs: {}, oldOutputs: {}, timeoutSeconds: 0 };
      await expect(new ProviderClient(caller).delete(request)).rejects.toThrow('cannot delete: disk full');
    });
  });

  test('a connection that cannot be made is UNAVAILABLE', async () => {
    await withLoopback([], 'unary', async (caller) => {
      caller.close();
      await expect(new ProviderClient(caller).getPluginInfo()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
  });
});

/** Returns the messages that Cairn's client sent to a raw server. */
async function captured(
  run: (client: ProviderClient) => Promise<unknown>,
  answers: Parameters<typeof service<typeof pb.ResourceProviderDefinition>>[1] = {},
): Promise<Record<string, Record<string, unknown>>> {
  const seen: Record<string, Record<string, unknown>> = {};
  const note =
    <A>(name: string, answer: A) =>
    async (wire: object) => {
      seen[name] = { ...wire };
      return answer;
    };
  const raw = service(pb.ResourceProviderDefinition, {
    configure: note('configure', {
      acceptSecrets: false,
      supportsPreview: false,
      acceptResources: false,
      acceptOutputs: false,
      supportsAutonamingConfiguration: false,
    }),
    check: note('check', {
      inputs: encodeStruct({ a: 'echo', nested: { s: 'echo', p: 'echo' } }),
      failures: [],
    }),
    create: note('create', {
      id: 'i',
      properties: encodeStruct({ a: 'made', b: 1 }),
      refreshBeforeUpdate: false,
    }),
    read: note('read', {
      id: 'i',
      properties: encodeStruct({}),
      inputs: undefined,
      refreshBeforeUpdate: false,
    }),
    ...answers,
  });
  await withLoopback([raw], 'unary', async (caller) => {
    await run(new ProviderClient(caller));
  });
  return seen;
}

describe('towards an older provider', () => {
  test('no handshake, no CheckConfig and no DiffConfig are answered for it [PROV-14]', async () => {
    await captured(async (client) => {
      expect(await client.handshake({ engineAddress: '' })).toBeUndefined();
      const news = propertyMap({ a: new Secret('x') });
      expect(await client.checkConfig({ ...id, olds: undefined, news })).toEqual({
        inputs: news,
        failures: [],
      });
      const diff = { ...id, oldInputs: {}, ignoreChanges: [] };
      expect((await client.diffConfig({ ...diff, oldOutputs: { a: 1 }, news: { a: 1 } })).changes).toBe(
        'none',
      );
      expect((await client.diffConfig({ ...diff, oldOutputs: { a: 1 }, news: { a: 2 } })).changes).toBe(
        'some',
      );
      await expect(client.cancel()).resolves.toBeUndefined();
      await expect(client.getSchema({ version: 0 })).rejects.toMatchObject({ code: 'UNIMPLEMENTED' });
    });
  });

  test('configure carries both forms of the settings and what the engine can do [PROV-11]', async () => {
    const seen = await captured((client) =>
      client.configure({
        ...id,
        type: 'pulumi:providers:test',
        id: 'pid',
        inputs: propertyMap({ region: 'eu', version: '1.0.0', tags: { a: new Secret([1, null]) } }),
      }),
    );
    expect(Object.fromEntries(seen['configure']?.['variables'] as Map<string, string>)).toEqual({
      'test:config:region': 'eu',
      'test:config:tags': '{"a":[1,null]}',
    });
    expect(seen['configure']).toMatchObject({
      acceptSecrets: true,
      acceptResources: true,
      sendsOldInputs: true,
      sendsOldInputsToDelete: true,
      id: 'pid',
      type: 'pulumi:providers:test',
    });
  });

  test('secrets go bare and what comes back is marked [PROV-12]', async () => {
    const seen = await captured(async (client) => {
      await client.configure({ ...id, id: 'p', inputs: propertyMap({}) });
      const news = propertyMap({ a: new Secret('x'), nested: propertyMap({ s: [new Secret(1)], p: 2 }) });
      const request = { ...id, olds: undefined, news, randomSeed: new Uint8Array(32), allowUnknowns: false };
      const { inputs } = await client.check(request);
      expect(inputs).toEqual({ a: new Secret('echo'), nested: { s: new Secret('echo'), p: 'echo' } });
      const made = await client.create({ ...id, inputs: news, timeoutSeconds: 0, preview: false });
      expect(made.outputs).toEqual({ a: new Secret('made'), b: 1 });
    });
    expect(decodeStruct(seen['check']?.['news'] as Uint8Array)).toEqual({ a: 'x', nested: { s: [1], p: 2 } });
  });

  test('olds of a new resource are an empty Struct, not absent; inputs of an import are absent [PROV-11]', async () => {
    const seen = await captured(async (client) => {
      await client.check({
        ...id,
        olds: undefined,
        news: {},
        randomSeed: new Uint8Array(),
        allowUnknowns: false,
      });
      await client.read({ ...id, id: 'i', inputs: undefined, state: undefined, timeoutSeconds: 0 });
    });
    expect(seen['check']?.['olds']).toHaveLength(0);
    expect(seen['check']?.['news']).toHaveLength(0);
    expect(seen['check']?.['autonaming']).toBeUndefined();
    expect(seen['read']?.['inputs']).toBeUndefined();
  });

  const carrying = { out: new Secret('v'), in: 1 };
  test.each([
    [true, { out: new OutputValue('v', true, [urn]), in: 1 }],
    [false, carrying],
  ])('a check has output values only for who takes them there: %s [PROV-12]', async (takes, sent) => {
    const greeting = {
      ...{ acceptSecrets: true, acceptResources: true, acceptOutputs: true, acceptsByteString: true },
      ...{ supportsAutonamingConfiguration: false, acceptsOutputsInInvoke: true, acceptsOutputsInCall: true },
      acceptsOutputsInCheck: takes,
    };
    const answer = {
      inputs: encodeStruct(sent, { keepSecrets: true, keepOutputValues: takes }),
      failures: [],
    };
    const seen: Uint8Array[] = [];
    const peer = {
      handshake: async () => greeting,
      check: async ({ news }: { news?: Uint8Array | undefined }) => {
        seen.push(news as Uint8Array);
        return answer;
      },
    };
    await captured(async (client) => {
      await client.handshake({ engineAddress: '' });
      const request = { ...id, olds: undefined, randomSeed: new Uint8Array(), allowUnknowns: false };
      const newsWithOutputs = propertyMap({ out: new OutputValue('v', true, [urn]), in: 1 });
      const checked = await client.check({ ...request, news: propertyMap(carrying), newsWithOutputs });
      expect(checked.inputs).toEqual(carrying);
    }, peer);
    expect(decodeStruct(seen[0] as Uint8Array, { keepOutputValues: true })).toEqual(sent);
  });

  test('without preview support create and update are not called in previews', async () => {
    const seen = await captured(async (client) => {
      const made = await client.create({ ...id, inputs: plan, timeoutSeconds: 0, preview: true });
      expect(made).toEqual({ id: '', outputs: plan, refreshBeforeUpdate: false });
    });
    expect(seen['create']).toBeUndefined();
  });

  test('an unknown in an answer outside a preview is an invalid answer', async () => {
    const bad = async () => ({
      id: 'i',
      properties: encodeStruct({ a: UNKNOWN }),
      refreshBeforeUpdate: false,
    });
    await captured(
      async (client) => {
        const made = client.create({ ...id, inputs: {}, timeoutSeconds: 0, preview: false });
        await expect(made).rejects.toMatchObject({ code: 'INTERNAL', inDoubt: true });
      },
      { create: bad },
    );
  });

  test('a create without an id is handed on: the engine judges answers', async () => {
    const bad = async () => ({ id: '', properties: encodeStruct({}), refreshBeforeUpdate: false });
    await captured(
      async (client) => {
        const made = client.create({ ...id, inputs: {}, timeoutSeconds: 0, preview: false });
        await expect(made).resolves.toMatchObject({ id: '' });
      },
      { create: bad },
    );
  });

  test('contents of assets are left out of old values and restored when read back by hash [PROV-11]', async () => {
    const asset = new Asset({ text: 'hello', hash: 'h1' });
    const archive = new Archive({ path: './dir', hash: 'h2' });
    let sent: Uint8Array | undefined;
    await captured(
      async (client) => {
        const member = new Asset({ path: './page', hash: 'h4' });
        const site = new Archive({ assets: { page: member, all: archive }, hash: 'h3' });
        const inputs = propertyMap({ asset, archive, nested: [site] });
        const found = await client.read({ ...id, id: 'i', inputs, state: inputs, timeoutSeconds: 0 });
        expect(found.inputs).toEqual(inputs);
        expect(decodeStruct(sent as Uint8Array)).toEqual({
          asset: new Asset({ hash: 'h1' }),
          archive: new Archive({ hash: 'h2' }),
          nested: [new Archive({ hash: 'h3' })],
        });
        const other = new Archive({
          assets: { page: member, all: archive, more: new Asset({ hash: 'h5' }) },
        });
        expect(found.outputs).toEqual(propertyMap({ other }));
      },
      {
        read: async (wire) => {
          sent = wire.inputs;
          const [page, all, more] = [
            new Asset({ hash: 'h4' }),
            new Archive({ hash: 'h2' }),
            new Asset({ hash: 'h5' }),
          ];
          const properties = encodeStruct(
            propertyMap({ other: new Archive({ assets: { page, all, more } }) }),
          );
          return { id: 'i', properties, inputs: wire.inputs, refreshBeforeUpdate: false };
        },
      },
    );
  });
});
