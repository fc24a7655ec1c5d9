import { UNKNOWN, propertyMap, secret } from '@cairn/values';
import { storableOutputs } from './stored-outputs.js';

test.each([
  ['all known', { a: 1 }, { b: 2 }, { b: 2 }],
  ['unknown and stored', { a: 1 }, { a: UNKNOWN, b: 2 }, { a: 1, b: 2 }],
  ['unknown inside', { a: { x: 1 } }, { a: { x: 2, y: [UNKNOWN] } }, { a: { x: 1 } }],
  ['unknown secret', { a: secret('s') }, { a: secret(UNKNOWN) }, { a: secret('s') }],
  ['unknown and never stored', {}, { a: UNKNOWN }, {}],
])('outputs that state can hold: %s', (_title, stored, registered, expected) => {
  expect(storableOutputs(propertyMap(stored), propertyMap(registered))).toEqual(propertyMap(expected));
});
