import { Secret, UNKNOWN, newMap } from '@cairn/values';
import { LookupRequest } from '../generated/cairn/provider.js';
import {
  CheckRequest,
  CheckResponse,
  DiffResponse,
  DiffResponse_DiffChanges,
} from '../generated/pulumi/provider.js';
import { CallbackInvokeRequest } from '../generated/pulumi/callback.js';
import { encodeStruct } from '../values/encode.js';
import { messageJson, messagesOf } from './message-json.js';

const map = (entries: Record<string, unknown>) => Object.assign(newMap(), entries);

test('types of a method', () => {
  expect(messagesOf('/pulumirpc.ResourceProvider/Check')).toEqual([
    'pulumirpc.CheckRequest',
    'pulumirpc.CheckResponse',
  ]);
  expect(messagesOf('/pulumirpc.ResourceProvider/toString')).toBeUndefined();
  expect(messagesOf('constructor')).toBeUndefined();
});

test('fields have their names in JSON, values are plain, secrets are masked', () => {
  const news = map({
    n: 1.5,
    list: [true, null, 'x'],
    deep: map({ __proto__x: 'y', empty: map({}) }),
    key: new Secret(map({ inner: 'hushhush' })),
    later: UNKNOWN,
  });
  const body = CheckRequest.encode({
    ...{ urn: 'u', olds: undefined, name: 'n', type: '', autonaming: undefined },
    news: encodeStruct(news, { keepSecrets: true }),
    randomSeed: new Uint8Array([1, 2, 255]),
  }).finish();
  expect(messageJson('pulumirpc.CheckRequest', body)).toEqual({
    urn: 'u',
    name: 'n',
    randomSeed: 'AQL/',
    news: {
      n: 1.5,
      list: [true, null, 'x'],
      deep: { __proto__x: 'y', empty: {} },
      key: { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270', value: '[secret]' },
      later: '04da6b54-80e4-46f7-96ec-b56ff0331ba9',
    },
  });
});

test('lists, maps and names of values', () => {
  const body = DiffResponse.encode({
    ...DiffResponse.decode(new Uint8Array()),
    replaces: ['a', 'b'],
    changes: DiffResponse_DiffChanges.DIFF_SOME,
    detailedDiff: new Map([['__proto__', { kind: 2, inputDiff: true }]]),
  }).finish();
  expect(JSON.stringify(messageJson('pulumirpc.DiffResponse', body))).toBe(
    '{"replaces":["a","b"],"changes":"DIFF_SOME","detailedDiff":{"__proto__":{"kind":"DELETE","inputDiff":true}}}',
  );
});

test('other texts go through what masks them; bytes are read where they are a message, and counted where they may be any', () => {
  const lookup = LookupRequest.encode({
    ...{ urn: 'u', name: '', type: '', token: '' },
    inputs: encodeStruct(map({ plain: 'hushhush' })),
  }).finish();
  const text = (value: string): string => value.replace('hushhush', '***');
  expect(messageJson('cairnrpc.LookupRequest', lookup, text)).toEqual({ urn: 'u', inputs: { plain: '***' } });
  const callback = CallbackInvokeRequest.encode({ token: 't', request: new Uint8Array(7) }).finish();
  expect(messageJson('pulumirpc.CallbackInvokeRequest', callback)).toEqual({
    token: 't',
    request: '[7 bytes]',
  });
});

test('a message that ends in the middle is an error, one of nothing is empty', () => {
  expect(
    messageJson(
      'pulumirpc.CheckResponse',
      CheckResponse.encode({ inputs: undefined, failures: [] }).finish(),
    ),
  ).toEqual({});
  expect(() => messageJson('pulumirpc.CheckRequest', new Uint8Array([10, 5, 65]))).toThrow();
});
