import { goJson } from '@cairn/state';
import { configJson } from './config-json.js';

const open = (value: Parameters<typeof configJson>[0]['stored']) => ({ stored: value, secret: false, value });
const sealed = { secure: 'x' };

test.each([
  ['a text', open('x'), '{"value":"x","secret":false}'],
  [
    'a structure',
    open({ b: [1, true] }),
    '{"value":"{\\"b\\":[1,true]}","objectValue":{"b":[1,true]},"secret":false}',
  ],
  ['a secret that is not shown', { stored: sealed, secret: true, value: undefined }, '{"secret":true}'],
  ['a secret', { stored: sealed, secret: true, value: 's' }, '{"value":"s","secret":true}'],
  [
    'one inside',
    { stored: { b: sealed }, secret: true, value: { b: 's' } },
    '{"value":"{\\"b\\":\\"s\\"}","objectValue":{"b":"s"},"secret":true}',
  ],
  [
    'one that cannot be opened any more',
    { stored: sealed, secret: true, value: undefined, unreadable: true },
    '{"value":"ERROR_UNABLE_TO_DECRYPT","secret":true}',
  ],
] as const)('a value of the configuration in JSON [EVT-5]: %s', (_, value, text) => {
  expect(goJson(configJson(value), { structs: true })).toBe(text);
});
