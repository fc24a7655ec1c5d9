import { secretMask } from './secret-texts.js';
import { propertyMap, secret } from './value.js';

test.each([
  ['a word of a message', 'planted', 'it said planted', 'it said [secret]'],
  ['a number', 98765432, 'pin=98765432', 'pin=[secret]'],
  ['a short number', 4711, 'gate 4711 is closed', 'gate [secret] is closed'],
  ['no shorter text', 'ab', 'table', 'table'],
  ['no truth value', true, 'it is true', 'it is true'],
])('secrets of one call: %s', (_what, value, text, masked) => {
  const maps = [propertyMap({ open: 'visible', deep: [secret({ value })] }), undefined];
  expect(secretMask(maps)(`visible ${text}`)).toBe(`visible ${masked}`);
});
