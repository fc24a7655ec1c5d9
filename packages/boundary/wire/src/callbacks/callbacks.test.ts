import { asUrn } from '@cairn/addresses';
import { ByteString, OutputValue, ResourceReference, Secret, UNKNOWN, propertyMap } from '@cairn/values';
import { startServer } from '../rpc/server.js';
import { Http2Caller } from '../rpc/http2-caller.js';
import type {
  CallbackOptions,
  ErrorHookRequest,
  HookOptions,
  ResourceHookRequest,
  TransformInvokeRequest,
  TransformRequest,
} from '../contracts/callbacks.js';
import type { CallbackReference } from '../contracts/monitor.js';
import { CallbackConnections } from './client.js';
import { CallbackFunctions, callbacksService } from './server.js';

const urn = asUrn('urn:pulumi:dev::proj::test:index:Thing::a');
const values = propertyMap({
  plain: ['x', 1, true, null],
  s: new Secret('y'),
  u: UNKNOWN,
  r: new ResourceReference({ urn, id: 'i', name: 'a', type: 'test:index:Thing' }),
  o: new OutputValue('v', true, [urn]),
});
const bytes = propertyMap({ b: new ByteString(Buffer.from([0, 255])) });

const hooks = {
  beforeCreate: ['a'],
  afterCreate: [],
  beforeUpdate: ['b'],
  afterUpdate: [],
  beforeDelete: [],
  afterDelete: ['c'],
  onError: ['d'],
};
const options: CallbackOptions = {
  dependsOn: [urn],
  protect: false,
  ignoreChanges: ['i[0]'],
  replaceOnChanges: ['r'],
  version: '1.2.3',
  aliases: [
    { kind: 'urn', urn },
    { kind: 'spec', name: 'n', type: '', stack: '', project: '', parent: { kind: 'none' } },
  ],
  provider: `${urn}::id`,
  providers: { test: `${urn}::id` },
  customTimeouts: { create: '5m', update: '', delete: '1h', read: '9m' },
  pluginDownloadUrl: 'https://x',
  pluginChecksums: { 'linux-amd64': Buffer.from('sum') },
  retainOnDelete: true,
  deletedWith: urn,
  replaceWith: [urn],
  replacementTrigger: new Secret([1]),
  deleteBeforeReplace: false,
  additionalSecretOutputs: ['s'],
  hideDiffs: ['h'],
  importId: 'import',
  hooks,
};
const unset: CallbackOptions = {
  dependsOn: [],
  protect: undefined,
  ignoreChanges: [],
  replaceOnChanges: [],
  version: '',
  aliases: [],
  provider: '',
  providers: {},
  customTimeouts: undefined,
  pluginDownloadUrl: '',
  pluginChecksums: {},
  retainOnDelete: undefined,
  deletedWith: '',
  replaceWith: [],
  replacementTrigger: undefined,
  deleteBeforeReplace: undefined,
  additionalSecretOutputs: [],
  hideDiffs: [],
  importId: '',
  hooks: undefined,
};
const hookOptions: HookOptions = { ...options, parent: urn };

const hookRequest: ResourceHookRequest = {
  urn,
  id: 'i',
  name: 'a',
  type: 'test:index:Thing',
  newInputs: values,
  oldInputs: propertyMap({}),
  newOutputs: undefined,
  oldOutputs: undefined,
  oldOptions: { ...unset, parent: '' },
  newOptions: hookOptions,
};
const errorRequest: ErrorHookRequest = {
  urn,
  id: '',
  name: 'a',
  type: 'test:index:Thing',
  newInputs: values,
  oldInputs: undefined,
  oldOutputs: undefined,
  failedOperation: 'create',
  errors: ['second', 'first'],
  oldOptions: undefined,
  newOptions: hookOptions,
};
const transformRequest: TransformRequest = {
  type: 'test:index:Thing',
  name: 'a',
  custom: true,
  parent: urn,
  properties: values,
  options,
};
const invokeRequest: TransformInvokeRequest = {
  token: 'test:index:ask',
  args: values,
  options: {
    provider: 'p',
    pluginDownloadUrl: 'u',
    version: '1.0.0',
    pluginChecksums: { a: Buffer.from('b') },
  },
};

interface Loopback {
  readonly functions: CallbackFunctions;
  readonly connections: CallbackConnections;
  readonly dialled: string[];
  reference(token: string, acceptsByteStrings?: boolean): CallbackReference;
}

/** Serves functions on this machine while `use` runs. */
async function withCallbacks(use: (loopback: Loopback) => Promise<void>): Promise<void> {
  let tokens = 0;
  const functions = new CallbackFunctions(() => `token-${(tokens += 1)}`);
  const server = await startServer({ services: [callbacksService(functions)] });
  const dialled: string[] = [];
  const connections = new CallbackConnections(undefined, (target) => {
    dialled.push(target);
    return new Http2Caller(target);
  });
  try {
    await use({
      functions,
      connections,
      dialled,
      reference: (token, acceptsByteStrings) => ({ target: server.address, token, acceptsByteStrings }),
    });
  } finally {
    connections.close();
    await server.close();
  }
}

test('every kind of callback gets what was sent and gives what it answered, over one connection', async () => {
  await withCallbacks(async ({ functions, connections, dialled, reference }) => {
    const seen: unknown[] = [];
    const hook = functions.resourceHook((request) => void seen.push(request));
    const retry = functions.errorHook((request) => {
      seen.push(request);
      return true;
    });
    const same = functions.transform((request) => {
      seen.push(request);
      return { properties: request.properties, options: request.options };
    });
    const nothing = functions.transform(() => ({ properties: undefined, options: undefined }));
    const ask = functions.transformInvoke((request) => {
      seen.push(request);
      return { args: request.args, options: request.options };
    });
    expect(await connections.resourceHook(reference(hook), hookRequest)).toEqual({ error: '' });
    expect(await connections.errorHook(reference(retry), errorRequest)).toEqual({ error: '', retry: true });
    expect(await connections.transform(reference(same), transformRequest)).toEqual({
      properties: values,
      options,
    });
    expect(await connections.transform(reference(nothing), transformRequest)).toEqual({
      properties: undefined,
      options: undefined,
    });
    expect(await connections.transform(reference(same), { ...transformRequest, options: unset })).toEqual({
      properties: values,
      options: unset,
    });
    expect(await connections.transformInvoke(reference(ask), invokeRequest)).toEqual({
      args: values,
      options: invokeRequest.options,
    });
    expect(seen).toEqual([
      hookRequest,
      errorRequest,
      transformRequest,
      { ...transformRequest, options: unset },
      invokeRequest,
    ]);
    expect(dialled).toHaveLength(1);
  });
});

test('what a hook throws is its answer; what a transform throws ends the call [PRG-13]', async () => {
  await withCallbacks(async ({ functions, connections, reference }) => {
    const oh = () => {
      throw new Error('Oh no');
    };
    const hook = reference(functions.resourceHook(oh));
    const silent = reference(functions.resourceHook(() => Promise.reject(new Error(''))));
    const error = reference(functions.errorHook(oh));
    const transform = reference(functions.transform(oh));
    expect(await connections.resourceHook(hook, hookRequest)).toEqual({ error: 'Oh no' });
    expect((await connections.resourceHook(silent, hookRequest)).error).not.toBe('');
    expect(await connections.errorHook(error, errorRequest)).toEqual({ error: 'Oh no', retry: false });
    await expect(connections.transform(transform, transformRequest)).rejects.toMatchObject({
      status: 'UNKNOWN',
      message: expect.stringContaining('Oh no'),
    });
  });
});

test('byte strings go to who takes them only', async () => {
  await withCallbacks(async ({ functions, connections, reference }) => {
    const seen: unknown[] = [];
    const token = functions.resourceHook(({ newInputs }) => void seen.push(newInputs));
    const request = { ...hookRequest, newInputs: bytes };
    await connections.resourceHook(reference(token, true), request);
    expect(seen).toEqual([bytes]);
    await expect(connections.resourceHook(reference(token), request)).rejects.toThrow(/UTF-8|byte/i);
    expect(seen).toHaveLength(1);
  });
});

test('an unknown token, an unreadable answer and a bad target are errors', async () => {
  const unreadable = { invoke: () => Promise.resolve(Buffer.from([0xff, 0xff])) };
  const server = await startServer({ services: [callbacksService(unreadable)] });
  const connections = new CallbackConnections();
  const garbled = connections.transform({ target: server.address, token: 't' }, transformRequest);
  await expect(garbled).rejects.toMatchObject({
    status: 'INTERNAL',
    message: expect.stringContaining('cannot be read'),
  });
  await expect(
    connections.transform({ target: 'nowhere', token: 't' }, transformRequest),
  ).rejects.toMatchObject({
    status: 'INVALID_ARGUMENT',
  });
  connections.close();
  await server.close();
  await withCallbacks(async ({ connections: others, reference }) => {
    await expect(others.resourceHook(reference('nobody'), hookRequest)).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'callback not found: nobody',
    });
  });
});
