import { asUrn } from '@cairn/addresses';
import fc from 'fast-check';
import {
  Archive,
  Asset,
  ByteString,
  OutputValue,
  ResourceReference,
  Secret,
  UNKNOWN,
  containsSecret,
  containsUnknown,
  equal,
  equalMaps,
  getProperty,
  isEmptyMap,
  isKind,
  kindOf,
  mapValues,
  outputDependencies,
  plainOutputs,
  propertyMap,
  secret,
  stripSecrets,
  transform,
  unknownPath,
  withProperty,
  withoutProperty,
} from './index.js';
import type { PropertyPath, PropertyValue, ValueKind } from './index.js';

const urn = asUrn('urn:pulumi:s::p::a:b:C::x');
const other = asUrn('urn:pulumi:s::p::a:b:C::y');

/** Any value without marks. */
const plain: fc.Arbitrary<PropertyValue> = fc.letrec<{ value: PropertyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value'), {
      maxKeys: 4,
      noNullPrototype: false,
    }),
  ),
})).value;

/** Any value, marks included. */
const any: fc.Arbitrary<PropertyValue> = fc.letrec<{ value: PropertyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    plain,
    fc.constant(UNKNOWN),
    tie('value').map((value) => new Secret(value)),
    fc.tuple(tie('value'), fc.boolean()).map(([value, marked]) => new OutputValue(value, marked, [urn])),
    fc.constant(new OutputValue(undefined, false, [other])),
    fc.string().map((text) => new Asset({ text })),
    fc.uint8Array().map((bytes) => new ByteString(bytes)),
    fc.constant(new ResourceReference({ urn, id: 'i' })),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('every value has one kind', () => {
  const rows: [PropertyValue, ValueKind][] = [
    [null, 'null'],
    [false, 'boolean'],
    [NaN, 'number'],
    ['', 'string'],
    [[], 'array'],
    [{}, 'object'],
    [propertyMap({}), 'object'],
    [new Secret(1), 'secret'],
    [UNKNOWN, 'unknown'],
    [new OutputValue(1, false, []), 'output'],
    [new Asset({ text: '' }), 'asset'],
    [new Archive({ path: 'a' }), 'archive'],
    [new ResourceReference({ urn }), 'reference'],
    [new ByteString(Uint8Array.of(255)), 'bytes'],
  ];
  test.each(rows)('%p is %s', (value, kind) => {
    expect(kindOf(value)).toBe(kind);
    expect(isKind(value, kind)).toBe(true);
  });

  test('a value of another copy of the package is recognised by its mark', () => {
    const foreign = Object.create({ [Symbol.for('cairn.value.kind')]: 'secret' }) as Secret;
    expect(kindOf(foreign)).toBe('secret');
  });
});

describe('maps', () => {
  test('any key is data', () => {
    const map = propertyMap(
      JSON.parse('{"__proto__": 1, "constructor": 2}') as Record<string, PropertyValue>,
    );
    expect(Object.keys(map)).toEqual(['__proto__', 'constructor']);
    expect(getProperty(map, 'toString')).toBeUndefined();
    expect(getProperty({}, 'toString')).toBeUndefined();
  });

  test('changing a map makes another one', () => {
    const map = propertyMap({ a: 1, gone: undefined });
    expect(Object.keys(map)).toEqual(['a']);
    expect(withProperty(map, 'b', 2)).toEqual(propertyMap({ a: 1, b: 2 }));
    expect(withoutProperty(map, 'a')).toEqual(propertyMap({}));
    expect(withoutProperty(map, 'zz')).toBe(map);
    expect(isEmptyMap(map)).toBe(false);
    expect(isEmptyMap(propertyMap({}))).toBe(true);
  });
});

describe('equality', () => {
  const hash = 'a'.repeat(64);
  const rows: [string, PropertyValue, PropertyValue, boolean][] = [
    ['NaN equals itself', NaN, NaN, true],
    ['-0 equals 0', -0, 0, true],
    ['a secret equals only a secret', new Secret(1), 1, false],
    ['keys in any order', propertyMap({ a: 1, b: 2 }), propertyMap({ b: 2, a: 1 }), true],
    ['a missing key', propertyMap({ a: null }), propertyMap({ b: null }), false],
    ['lists by position', [1, 2], [2, 1], false],
    [
      'assets by hash, whatever their source',
      new Asset({ text: 'x', hash }),
      new Asset({ path: 'y', hash }),
      true,
    ],
    ['assets without hash by source', new Asset({ text: 'x' }), new Asset({ text: 'y' }), false],
    ['an asset is no archive', new Asset({ path: 'x' }), new Archive({ path: 'x' }), false],
    [
      'archives by their assets',
      new Archive({ assets: { a: new Asset({ text: 'x' }) } }),
      new Archive({ assets: { a: new Asset({ text: 'x' }) } }),
      true,
    ],
    [
      'references by URN and id',
      new ResourceReference({ urn, id: '1' }),
      new ResourceReference({ urn, id: '2' }),
      false,
    ],
    [
      'references: unknown id',
      new ResourceReference({ urn, id: UNKNOWN }),
      new ResourceReference({ urn, id: UNKNOWN }),
      true,
    ],
    ['bytes', new ByteString(Uint8Array.of(255, 1)), new ByteString(Uint8Array.of(255, 1)), true],
    [
      'outputs by dependencies too',
      new OutputValue(1, false, [urn]),
      new OutputValue(1, false, [other]),
      false,
    ],
    ['unknowns', UNKNOWN, UNKNOWN, true],
  ];
  test.each(rows)('%s', (_name, a, b, expected) => {
    expect(equal(a, b)).toBe(expected);
    expect(equal(b, a)).toBe(expected);
  });

  test('every value equals itself', () =>
    fc.assert(fc.property(any, (value) => expect(equal(value, value)).toBe(true))));

  test('a map differs from itself with another property', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), plain), fc.string(), (map, key) => {
        const marked = withProperty(map, key, new Secret('mark'));
        expect(equalMaps(map, marked)).toBe(false);
      }),
    );
  });
});

describe('visiting', () => {
  test('an identity pass gives the very same value', () => {
    fc.assert(fc.property(any, (value) => expect(transform(value, (item) => item)).toBe(value)));
  });

  test('stripping leaves no secret and changes nothing else', () => {
    fc.assert(
      fc.property(any, (value) => {
        const bare = stripSecrets(value);
        expect(containsSecret(bare)).toBe(false);
        if (!containsSecret(value)) expect(bare).toBe(value);
      }),
    );
  });

  test('reducing outputs keeps what is unknown and what is secret', () => {
    fc.assert(
      fc.property(any, (value) => {
        const reduced = plainOutputs(value);
        expect(containsUnknown(reduced)).toBe(containsUnknown(value));
        expect(containsSecret(reduced)).toBe(containsSecret(value));
        expect(outputDependencies(reduced)).toEqual([]);
      }),
    );
  });

  test('a reference with an unknown id is unknown', () => {
    expect(containsUnknown(new ResourceReference({ urn, id: UNKNOWN }))).toBe(true);
    expect(containsUnknown(new ResourceReference({ urn }))).toBe(false);
  });

  test.each<[PropertyValue, PropertyPath | undefined]>([
    [{ a: 1, b: [secret({ c: 'x' })] }, undefined],
    [UNKNOWN, []],
    [{ a: 1, b: [0, secret({ c: UNKNOWN })] }, ['b', 1, 'c']],
    [{ a: new OutputValue(undefined, true, []), b: UNKNOWN }, ['a']],
    [{ a: new OutputValue({ b: UNKNOWN }, false, []) }, ['a', 'b']],
    [[new ResourceReference({ urn, id: UNKNOWN })], [0]],
  ])('the first unknown is found by its path (%#)', (value, path) => {
    expect(unknownPath(value)).toEqual(path);
  });

  test('dependencies are found at every depth, each once', () => {
    const value = [new OutputValue([new OutputValue(1, false, [other])], true, [urn, other])];
    expect(outputDependencies(value)).toEqual([urn, other]);
  });

  test('mapping keeps maps that did not change', () => {
    const map = propertyMap({ a: NaN, b: 2 });
    expect(mapValues(map, (value) => value)).toBe(map);
    expect(mapValues(map, (value) => (value === 2 ? 3 : value))).toEqual(propertyMap({ a: NaN, b: 3 }));
  });

  test('marking twice is marking once', () => expect(secret(secret(1))).toEqual(new Secret(1)));
});
