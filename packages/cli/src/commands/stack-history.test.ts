import { base64Crypter } from '@cairn/crypters';
import { goJson } from '@cairn/state';
import { headOf, jsonConfig } from './stack-history.js';

const { decrypt } = base64Crypter;
const sealed = (text: string) => ({ secure: base64Crypter.encrypt(text) });

test.each([
  ['a text', 'x', decrypt, '{"value":"x","secret":false}'],
  [
    'a structure',
    { b: [1, true] },
    decrypt,
    '{"value":"{\\"b\\":[1,true]}","objectValue":{"b":[1,true]},"secret":false}',
  ],
  ['a secret that is not shown', sealed('s'), undefined, '{"secret":true}'],
  ['a secret', sealed('s'), decrypt, '{"value":"s","secret":true}'],
  [
    'one inside',
    { b: sealed('s') },
    decrypt,
    '{"value":"{\\"b\\":\\"s\\"}","objectValue":{"b":"s"},"secret":true}',
  ],
  ['one of another key', { secure: '*' }, decrypt, '{"value":"ERROR_UNABLE_TO_DECRYPT","secret":true}'],
  [
    'one of another key inside',
    { b: { secure: '*' } },
    decrypt,
    '{"value":"ERROR_UNABLE_TO_DECRYPT","secret":true}',
  ],
])('configuration in history [EVT-5]: %s', (_, stored, open, text) => {
  expect(goJson(jsonConfig(stored, open), { structs: true })).toBe(text);
});

test.each([
  ['update', 'succeeded', undefined, 'update succeeded'],
  ['update', 'failed', { change: '2', kind: 'up', result: 'waiting' }, 'update waiting'],
  ['update', 'failed', { change: '2', kind: 'up', result: 'rolled-back' }, 'update rolled-back'],
  ['update', 'succeeded', { change: '2', kind: 'rollback', result: 'succeeded' }, 'rollback succeeded'],
  ['update', 'failed', { change: '2', kind: 'resolve', result: 'interrupted' }, 'resolve interrupted'],
  ['destroy', 'failed', { change: '2', kind: 'destroy', result: 'waiting' }, 'destroy waiting'],
] as const)('a history entry of %s, %s, with %j: %s', (kind, result, cairn, head) =>
  expect(headOf({ kind, result, cairn })).toBe(head),
);
