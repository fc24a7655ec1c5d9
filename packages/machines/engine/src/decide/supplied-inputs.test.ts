import { propertyMap, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { keepInputs, mergeSupplied } from './supplied-inputs.js';

const map = propertyMap;

describe('supplied inputs', () => {
  const rows: readonly [string, PropertyMap, PropertyMap, PropertyMap][] = [
    ['fill what is missing', map({}), map({ a: 1 }), map({ a: 1 })],
    ['fill what was read as null', map({ a: null }), map({ a: 'x' }), map({ a: 'x' })],
    ['override nothing', map({ a: 1 }), map({ a: 2 }), map({ a: 1 })],
    [
      'make secret, with the value that was read',
      map({ a: 1 }),
      map({ a: secret(2) }),
      map({ a: secret(1) }),
    ],
    ['do not wrap twice', map({ a: secret(1) }), map({ a: secret(2) }), map({ a: secret(1) })],
    ['fill with a secret', map({ a: null }), map({ a: secret('s') }), map({ a: secret('s') })],
    [
      'make secret deep inside, and add nothing there',
      map({ a: map({ b: 1, c: 2 }) }),
      map({ a: map({ b: secret(9), d: 3 }) }),
      map({ a: map({ b: secret(1), c: 2 }) }),
    ],
    [
      'leave falsy values alone',
      map({ a: false, b: 0, c: '' }),
      map({ a: true, b: 1, c: 'x' }),
      map({ a: false, b: 0, c: '' }),
    ],
  ];
  test.each(rows)('%s', (_title, read, supplied, expected) => {
    expect(mergeSupplied(read, supplied)).toEqual(expected);
  });

  test('of a list of properties only what is there is kept', () => {
    expect(keepInputs(map({ a: 1, b: 2 }), ['b', 'c', '__proto__'])).toEqual(map({ b: 2 }));
    expect(keepInputs(map({ a: 1 }), [])).toEqual(map({ a: 1 }));
  });
});
