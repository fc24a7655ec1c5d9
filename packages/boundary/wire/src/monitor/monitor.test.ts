import { asUrn } from '@cairn/addresses';
import {
  ByteString,
  OutputValue,
  ResourceReference,
  Secret,
  UNKNOWN,
  emptyMap,
  propertyMap,
} from '@cairn/values';
import { TRANSPORTS, withLoopback } from '../../test/loopback.js';
import type { Monitor, RegisterResourceRequest } from '../contracts/monitor.js';
import { StatusError } from '../contracts/status.js';
import * as pb from '../generated/pulumi/resource.js';
import { serviceClient } from '../rpc/caller.js';
import { decodeStruct, encodeStruct } from '../values/index.js';
import type { encodeAlias } from './alias.js';
import { MonitorClient } from './client.js';
import { MAX_REGISTRATION_BYTES, monitorService } from './server.js';

const urn = asUrn('urn:pulumi:dev::proj::test:index:Thing::a');
const accepts = {
  secrets: true,
  resources: true,
  partialValues: true,
  resultReporting: true,
  byteStrings: true,
};
const selector = {
  version: '1.2.3',
  pluginDownloadUrl: 'https://x',
  pluginChecksums: { 'linux-amd64': Buffer.from('sum') },
  packageRef: 'ref',
};
const position = { uri: 'file:///a.ts', line: 3, column: 7 };
const values = propertyMap({
  a: 'x',
  s: new Secret('y'),
  u: UNKNOWN,
  r: new ResourceReference({ urn, id: 'i' }),
});

const registration: RegisterResourceRequest = {
  type: 'test:index:Thing',
  name: 'a',
  parent: urn,
  custom: true,
  remote: true,
  inputs: propertyMap({
    o: new OutputValue('v', true, [urn]),
    nan: NaN,
    b: new ByteString(Buffer.from([255])),
  }),
  protect: false,
  retainOnDelete: undefined,
  dependencies: [urn],
  propertyDependencies: { o: [urn], nan: [] },
  provider: 'p::1',
  providers: { test: 'p::1' },
  package: selector,
  deleteBeforeReplace: false,
  ignoreChanges: ['i[0]'],
  replaceOnChanges: ['r'],
  hideDiffs: ['h'],
  additionalSecretOutputs: ['s'],
  aliases: [
    { kind: 'urn', urn },
    { kind: 'spec', name: 'n', type: '', stack: '', project: '', parent: { kind: 'same' } },
    { kind: 'spec', name: '', type: 't', stack: '', project: '', parent: { kind: 'none' } },
    { kind: 'spec', name: '', type: '', stack: 's', project: 'p', parent: { kind: 'urn', urn } },
  ],
  importId: 'import',
  customTimeouts: { create: '5m', update: '', delete: '1h', read: '9m' },
  deletedWith: urn,
  replaceWith: [urn],
  replacementTrigger: new Secret([1]),
  transforms: [{ target: '127.0.0.1:1', token: 't', acceptsByteStrings: true }],
  hooks: {
    beforeCreate: ['a'],
    afterCreate: [],
    beforeUpdate: [],
    afterUpdate: ['b'],
    beforeDelete: [],
    afterDelete: [],
    onError: ['c'],
  },
  sourcePosition: position,
  stackTrace: [position, undefined, position],
  accepts,
  aliasSpecs: true,
  envVarMappings: { A: 'B' },
  rollback: 'hold',
  idempotencyKey: 'key',
  lateInputs: ['l'],
  gate: 'why',
};

const methods: readonly (readonly [keyof Monitor, unknown, unknown])[] = [
  ['supportsFeature', 'secrets', true],
  [
    'getDeploymentInfo',
    undefined,
    {
      project: 'proj',
      stack: 'dev',
      organization: 'o',
      dryRun: true,
      parallel: 7,
      config: { 'proj:__proto__': 'v', 'proj:x': '' },
      configSecretKeys: ['proj:x'],
      features: ['secrets', 'resourceReferences', 'invokeDependsOn'],
    },
  ],
  [
    'registerResource',
    registration,
    { urn, id: 'i', outputs: values, propertyDependencies: { a: [urn] }, result: 'skip', unknown: true },
  ],
  [
    'readResource',
    {
      id: 'i',
      type: 't',
      name: 'n',
      parent: '',
      properties: values,
      dependencies: [urn],
      provider: '',
      package: selector,
      additionalSecretOutputs: [],
      sourcePosition: undefined,
      stackTrace: [],
      accepts,
    },
    { urn, id: 'i', properties: values },
  ],
  [
    'existsResource',
    { type: 't', id: 'i', parent: urn, properties: values, provider: 'p', package: selector },
    { exists: true, unknown: true },
  ],
  ['registerResourceOutputs', { urn, outputs: values }, undefined],
  ['registerResourceOutputs', { urn, outputs: values, lateInputs: values }, undefined],
  [
    'invoke',
    {
      token: 't',
      args: values,
      provider: 'p',
      parent: urn,
      package: selector,
      dependsOn: [urn],
      sourcePosition: position,
      stackTrace: [position, undefined],
      parentStackTraceHandle: 'h',
      accepts,
    },
    { result: values, failures: [{ property: 'p', reason: 'r' }], unknown: true },
  ],
  [
    'call',
    {
      token: 't',
      args: registration.inputs,
      argDependencies: { o: [urn] },
      provider: 'p',
      package: selector,
      acceptsOutputValues: true,
      sourcePosition: position,
      stackTrace: [position, undefined],
      parentStackTraceHandle: 'h',
    },
    { result: values, resultDependencies: { a: [urn] }, failures: [] },
  ],
  [
    'registerPackage',
    {
      name: 'n',
      version: '1.0.0',
      downloadUrl: 'u',
      checksums: {},
      parameterization: { name: 'p', version: '2.0.0', value: Buffer.from('v') },
    },
    { ref: 'r' },
  ],
  ['registerStackTransform', { target: '127.0.0.1:1', token: 't', acceptsByteStrings: true }, undefined],
  [
    'registerStackInvokeTransform',
    { target: '127.0.0.1:1', token: 't', acceptsByteStrings: true },
    undefined,
  ],
  [
    'registerResourceHook',
    {
      name: 'h',
      callback: { target: '127.0.0.1:1', token: 't', acceptsByteStrings: true },
      onDryRun: true,
      ignoreErrors: true,
    },
    undefined,
  ],
  [
    'registerErrorHook',
    { name: 'h', callback: { target: '127.0.0.1:1', token: 't', acceptsByteStrings: true } },
    undefined,
  ],
  ['signalAndWaitForShutdown', undefined, undefined],
];

function recorder(answers: Record<string, unknown>, calls: Record<string, unknown> = {}): Monitor {
  return new Proxy({} as Monitor, {
    get: (_target, name: string) => async (request: unknown) => {
      calls[name] = request;
      return answers[name];
    },
  });
}

/** Normalises values: buffers compare by their bytes; references get their name and type from the URN. */
function normal(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ResourceReference) return { urn: value.urn, id: value.id };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, normal(item)]));
}

describe.each(TRANSPORTS)('monitor over %s', (transport) => {
  test.each(methods)('%s arrives as it was sent', async (name, request, answer) => {
    const calls: Record<string, unknown> = {};
    await withLoopback([monitorService(recorder({ [name]: answer }, calls))], transport, async (caller) => {
      const client = new MonitorClient(caller);
      const method = client[name] as (request: unknown) => Promise<unknown>;
      expect(normal(await method.call(client, request))).toEqual(normal(answer));
      expect(normal(calls[name])).toEqual(normal(request));
    });
  });

  test('a refusal keeps its status and text', async () => {
    const monitor = {
      ...recorder({}),
      registerResource: async () => {
        throw new StatusError('INVALID_ARGUMENT', 'type "x" is not valid');
      },
    } as unknown as Monitor;
    await withLoopback([monitorService(monitor)], transport, async (caller) => {
      const registered = new MonitorClient(caller).registerResource(registration);
      await expect(registered).rejects.toMatchObject({
        status: 'INVALID_ARGUMENT',
        message: 'type "x" is not valid',
      });
    });
  });
});

describe('what is held back', () => {
  const read = { ...registration, id: 'i', properties: emptyMap };
  test.each([
    ['registerResource', true],
    ['readResource', true],
    ['invoke', false],
  ] as const)('%s waits for its turn: %s', async (method, waits) => {
    const calls: Record<string, unknown> = {};
    const held: (() => void)[] = [];
    const answers = {
      registerResource: {
        urn,
        id: '',
        outputs: emptyMap,
        propertyDependencies: {},
        result: 'success',
        unknown: false,
      },
      readResource: { urn, id: 'i', properties: emptyMap },
      invoke: { result: emptyMap, failures: [], unknown: false },
    };
    const service = monitorService(recorder(answers, calls), {
      open: false,
      wait: (enter) => held.push(enter),
    });
    await withLoopback([service], 'stream', async (caller) => {
      const client = new MonitorClient(caller);
      const asked = [client.registerResource(registration), client.readResource(read)];
      const question = client.invoke({
        token: 't',
        args: emptyMap,
        provider: '',
        parent: '',
        package: selector,
        dependsOn: [],
        accepts,
      });
      // This request was sent last, so the others have arrived as well.
      await question;
      expect(held).toHaveLength(2);
      expect(method in calls).toBe(!waits);
      for (const enter of held) enter();
      await Promise.all(asked);
      expect(method in calls).toBe(true);
    });
  });
});

describe('answers are reduced to what the program can take [PRG-9]', () => {
  const outputs = propertyMap({
    plain: 1,
    secret: new Secret('s'),
    reference: new ResourceReference({ urn, id: 'i' }),
    unknown: [UNKNOWN],
  });
  const rows: readonly (readonly [string, object, unknown])[] = [
    ['nothing', {}, { plain: 1, secret: 's', reference: 'i' }],
    ['secrets', { acceptSecrets: true }, { plain: 1, secret: new Secret('s'), reference: 'i' }],
    [
      'partial values',
      { supportsPartialValues: true },
      { plain: 1, secret: 's', reference: 'i', unknown: [UNKNOWN] },
    ],
    [
      'references',
      { acceptResources: true },
      {
        plain: 1,
        secret: 's',
        reference: new ResourceReference({ urn, id: 'i', name: 'a', type: 'test:index:Thing' }),
      },
    ],
  ];
  const answer = { urn, id: 'i', outputs, propertyDependencies: {}, result: 'success', unknown: false };

  test.each(rows)('accepting %s', async (_name, flags, expected) => {
    await withLoopback([monitorService(recorder({ registerResource: answer }))], 'unary', async (caller) => {
      const raw = serviceClient(pb.ResourceMonitorDefinition, caller);
      const wire = await raw.registerResource(
        pb.RegisterResourceRequest.fromPartial({ type: 't', ...flags }),
      );
      expect(decodeStruct(wire.object as Uint8Array)).toEqual(expected);
    });
  });

  test('a failed result is an error for those who do not read results', async () => {
    const failed = { ...answer, result: 'fail' };
    await withLoopback([monitorService(recorder({ registerResource: failed }))], 'unary', async (caller) => {
      const raw = serviceClient(pb.ResourceMonitorDefinition, caller);
      const registered = raw.registerResource(pb.RegisterResourceRequest.fromPartial({}));
      await expect(registered).rejects.toMatchObject({
        status: 'INTERNAL',
        message: 'resource registration failed',
      });
    });
  });
});

describe('what older and other programs send', () => {
  const rows: readonly (readonly [
    string,
    Parameters<typeof pb.RegisterResourceRequest.fromPartial>[0],
    object,
  ])[] = [
    ['absent inputs', {}, { inputs: {} }],
    ['protect unset', {}, { protect: undefined, retainOnDelete: undefined }],
    ['protect false', { protect: false }, { protect: false }],
    ['alias URNs', { aliasURNs: [urn] }, { aliases: [{ kind: 'urn', urn }] }],
    ['deleteBeforeReplace alone', { deleteBeforeReplace: true }, { deleteBeforeReplace: true }],
    [
      'deleteBeforeReplaceDefined alone',
      { deleteBeforeReplaceDefined: true },
      { deleteBeforeReplace: false },
    ],
    ['neither', {}, { deleteBeforeReplace: undefined }],
    ['empty timeouts', { customTimeouts: {} }, { customTimeouts: { create: '', update: '', delete: '' } }],
  ];
  test.each(rows)('%s', async (_name, wire, expected) => {
    const calls: Record<string, unknown> = {};
    const answer = { urn, id: '', outputs: {}, propertyDependencies: {}, result: 'success', unknown: false };
    await withLoopback(
      [monitorService(recorder({ registerResource: answer }, calls))],
      'unary',
      async (caller) => {
        const raw = serviceClient(pb.ResourceMonitorDefinition, caller);
        await raw.registerResource(pb.RegisterResourceRequest.fromPartial(wire));
        expect(calls['registerResource']).toMatchObject(expected);
      },
    );
  });

  const node = { 'pulumi-runtime': 'nodejs' };
  const without = { kind: 'none' };
  const same = { kind: 'same' };
  type Parent = NonNullable<ReturnType<typeof encodeAlias>['alias'] & { $case: 'spec' }>['value']['parent'];
  const alias = (parent: Parent) => ({ alias: { $case: 'spec', value: { name: 'old', parent } } }) as const;
  const empty = { $case: 'parentUrn', value: '' } as const;
  const named = { $case: 'parentUrn', value: urn } as const;
  const noParent = (value: boolean) => ({ $case: 'noParent', value }) as const;
  test.each<[string, Record<string, string>, boolean, Parent, object]>([
    ['a Node SDK, no parent said', node, false, undefined, without],
    ['a Node SDK, an empty parent', node, false, empty, without],
    ['a Node SDK, noParent', node, false, noParent(true), same],
    ['a Node SDK, noParent false', node, false, noParent(false), same],
    ['a Node SDK, a parent', node, false, named, { kind: 'urn', urn }],
    ['a Node SDK with alias specs', node, true, empty, same],
    ['a Node SDK with alias specs, noParent', node, true, noParent(true), without],
    ["an older Node SDK's library", { 'user-agent': 'grpc-node-js/1.9' }, false, undefined, without],
    [
      'another SDK on that library',
      { 'pulumi-runtime': 'yaml', 'user-agent': 'grpc-node-js/1.9' },
      false,
      undefined,
      same,
    ],
    ['another SDK, an empty parent', {}, false, empty, same],
    ['another SDK, noParent', {}, false, noParent(true), without],
  ])('what an alias of %s means', async (_title, metadata, aliasSpecs, parent, expected) => {
    const calls: Record<string, unknown> = {};
    const answer = { urn, id: '', outputs: {}, propertyDependencies: {}, result: 'success', unknown: false };
    const services = [monitorService(recorder({ registerResource: answer }, calls))];
    await withLoopback(services, 'unary', async (caller) => {
      const raw = serviceClient(pb.ResourceMonitorDefinition, caller);
      const wire = pb.RegisterResourceRequest.fromPartial({ aliasSpecs, aliases: [alias(parent)] });
      await raw.registerResource(wire, { metadata });
      expect(calls['registerResource']).toMatchObject({ aliases: [{ name: 'old', parent: expected }] });
    });
  });

  test('an input that is not a value is refused as an invalid argument', async () => {
    const bad = encodeStruct({ a: 'x' }).subarray(0, 5);
    await withLoopback([monitorService(recorder({}))], 'unary', async (caller) => {
      const raw = serviceClient(pb.ResourceMonitorDefinition, caller);
      const registered = raw.registerResource(pb.RegisterResourceRequest.fromPartial({ object: bad }));
      await expect(registered).rejects.toMatchObject({ status: 'INVALID_ARGUMENT' });
    });
  });

  test.each(['registerResource', 'registerResourceOutputs'] as const)(
    '%s with more than the journal and the state can contain is refused before it is decoded',
    async (method) => {
      const calls: Record<string, unknown> = {};
      const service = monitorService(recorder({}, calls));
      const { name } = pb.ResourceMonitorDefinition.methods[method];
      const handler = service.unary.get(`/${service.name}/${name}`);
      const context = { metadata: () => undefined, signal: new AbortController().signal };
      await expect(handler?.(new Uint8Array(MAX_REGISTRATION_BYTES + 1), context)).rejects.toMatchObject({
        status: 'RESOURCE_EXHAUSTED',
        message: 'a registration of 41943041 bytes is larger than the limit of 41943040 bytes',
      });
      expect(calls).toEqual({});
      const largest = handler?.(new Uint8Array(MAX_REGISTRATION_BYTES), context);
      expect(await largest?.catch((thrown: unknown) => thrown)).not.toMatchObject({
        status: 'RESOURCE_EXHAUSTED',
      });
    },
  );

  test('state migrations are refused before anything is registered [PRG-15]', async () => {
    const calls: Record<string, unknown> = {};
    await withLoopback([monitorService(recorder({}, calls))], 'unary', async (caller) => {
      const raw = serviceClient(pb.ResourceMonitorDefinition, caller);
      const migrating = {
        type: 'a:b:C',
        name: 'c',
        stateMigrations: [{ target: '127.0.0.1:1', token: 't' }],
      };
      const registered = raw.registerResource(pb.RegisterResourceRequest.fromPartial(migrating));
      await expect(registered).rejects.toMatchObject({
        status: 'FAILED_PRECONDITION',
        message: expect.stringContaining('cannot register a:b:C "c": Cairn does not run state migrations'),
      });
      expect(calls).toEqual({});
    });
  });

  test('feature 0 is sent, packed [PRG-7]', () => {
    const bytes = pb.DeploymentInfo.encode(
      pb.DeploymentInfo.fromPartial({ supportedFeatures: [0, 1] }),
    ).finish();
    expect([...bytes]).toEqual([0x42, 2, 0, 1]);
  });
});
