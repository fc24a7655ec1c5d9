import { asUrn } from '@cairn/addresses';
import { base64Crypter, blindingStateCrypter, nopCrypter } from '@cairn/crypters';
import {
  Archive,
  Asset,
  ByteString,
  OutputValue,
  ResourceReference,
  Secret,
  UNKNOWN,
  equal,
  propertyMap,
} from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { SECRET_TEXT } from '@cairn/values';
import fc from 'fast-check';
import { decodeStateValue } from './decode-value.js';
import { ValueEncoder } from './encode-value.js';
import { goJson } from './go-json.js';
import type { Json } from './go-json.js';

const SIG = '4dabf18193072939515e22adb298388d';
const urn = asUrn('urn:pulumi:dev::p::a:b:C::x');
const encode = (value: PropertyValue, show = false): Json =>
  new ValueEncoder(base64Crypter, { showSecrets: show }).value(value);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secretSig = '1b47061264138c4ac30d75fd1eb44270';

/** Values with their JSON, for both directions. */
const both: readonly (readonly [string, PropertyValue, Json])[] = [
  ['null', null, null],
  ['a number', 1.5, 1.5],
  ['nested', propertyMap({ a: [1, propertyMap({ b: 'x' })] }), { a: [1, { b: 'x' }] }],
  ['unknown', UNKNOWN, '04da6b54-80e4-46f7-96ec-b56ff0331ba9'],
  ['a secret', new Secret('hunter2'), { [SIG]: secretSig, ciphertext: base64('"hunter2"') }],
  [
    'a secret with HTML',
    new Secret('<&>'),
    { [SIG]: secretSig, ciphertext: base64('"\\u003c\\u0026\\u003e"') },
  ],
  ['NaN', Number.NaN, { [SIG]: '8ad145fe-0d11-4827-bfd7-1abcbf086f5c', value: '7ff8000000000000' }],
  ['infinity', Infinity, { [SIG]: '8ad145fe-0d11-4827-bfd7-1abcbf086f5c', value: '7ff0000000000000' }],
  ['-infinity', -Infinity, { [SIG]: '8ad145fe-0d11-4827-bfd7-1abcbf086f5c', value: 'fff0000000000000' }],
  [
    'bytes',
    new ByteString(Uint8Array.of(0xff, 0xfe)),
    { [SIG]: '803fd3297a5875dc03ca845dda5d2a98', value: '//4=' },
  ],
  [
    'a text asset',
    new Asset({ text: 'hi', hash: 'h' }),
    { [SIG]: 'c44067f5952c0a294b673a41bacd8c17', hash: 'h', text: 'hi' },
  ],
  [
    'a file asset',
    new Asset({ path: './a', hash: 'h' }),
    { [SIG]: 'c44067f5952c0a294b673a41bacd8c17', hash: 'h', path: './a' },
  ],
  ['a hash-only asset', new Asset({ hash: 'h' }), { [SIG]: 'c44067f5952c0a294b673a41bacd8c17', hash: 'h' }],
  ['an empty text asset', new Asset({ text: '' }), { [SIG]: 'c44067f5952c0a294b673a41bacd8c17' }],
  [
    'an archive of a path',
    new Archive({ path: './d', hash: 'h' }),
    { [SIG]: '0def7320c3a5731c473e5ecbe6d01bc7', hash: 'h', path: './d' },
  ],
  [
    'an archive of members',
    new Archive({ assets: { a: new Asset({ text: 'x' }), b: new Archive({ uri: 'u' }) } }),
    {
      [SIG]: '0def7320c3a5731c473e5ecbe6d01bc7',
      assets: {
        a: { [SIG]: 'c44067f5952c0a294b673a41bacd8c17', text: 'x' },
        b: { [SIG]: '0def7320c3a5731c473e5ecbe6d01bc7', uri: 'u' },
      },
    },
  ],
  [
    'a reference to a custom resource',
    new ResourceReference({ urn, id: 'i', packageVersion: '1.0.0' }),
    { [SIG]: '5cf8f73096256a8f31e491e813e4eb8e', urn, id: 'i', packageVersion: '1.0.0' },
  ],
  [
    'a reference to a component',
    new ResourceReference({ urn }),
    { [SIG]: '5cf8f73096256a8f31e491e813e4eb8e', urn, packageVersion: '' },
  ],
];

test.each(both)('%s is encoded', (_name, value, json) => {
  expect(JSON.parse(goJson(encode(value)))).toEqual(json);
});

test.each(both)('%s is decoded', (_name, value, json) => {
  expect(equal(decodeStateValue(json, base64Crypter), value)).toBe(true);
});

test.each<[string, PropertyValue, Json]>([
  ['an output', new OutputValue('x', false, [urn]), 'x'],
  ['an output that holds null', new OutputValue(null, false, []), null],
  ['an unknown output', new OutputValue(undefined, false, []), '04da6b54-80e4-46f7-96ec-b56ff0331ba9'],
  ['a secret output', new OutputValue('x', true, []), { [SIG]: secretSig, ciphertext: base64('"x"') }],
  [
    'a secret unknown output',
    new OutputValue(undefined, true, []),
    { [SIG]: secretSig, ciphertext: base64('"04da6b54-80e4-46f7-96ec-b56ff0331ba9"') },
  ],
  [
    'a reference with an unknown id',
    new ResourceReference({ urn, id: UNKNOWN }),
    { [SIG]: '5cf8f73096256a8f31e491e813e4eb8e', urn, id: '', packageVersion: '' },
  ],
])('%s is stored as what it holds', (_name, value, json) => {
  expect(JSON.parse(goJson(encode(value)))).toEqual(json);
});

test('a secret inside a secret is not sealed twice: its text is inside the outer text', () => {
  const value = new Secret(propertyMap({ inner: new Secret('x') }));
  const inner = `{"inner":{"${SIG}":"${secretSig}","ciphertext":"\\"x\\""}}`;
  expect(encode(value)).toEqual({ [SIG]: secretSig, ciphertext: base64(inner) });
  expect(equal(decodeStateValue(encode(value), base64Crypter), value)).toBe(true);
  const shown = `{"inner":{"${SIG}":"${secretSig}","plaintext":"\\"x\\""}}`;
  expect(encode(value, true)).toEqual({ [SIG]: secretSig, plaintext: shown });
  expect(equal(decodeStateValue(encode(value, true), base64Crypter), value)).toBe(true);
});

test('the crypter is told which secret object it seals', () => {
  const secret = new Secret('x');
  const identities: unknown[] = [];
  const encoder = new ValueEncoder({
    encrypt: (text, identity) => (identities.push(identity), text),
    decrypt: (text) => text,
  });
  encoder.value([secret, secret]);
  expect(identities).toEqual([secret, secret]);
});

test.each<[string, PropertyValue, boolean]>([
  ['plain', propertyMap({ a: 'x' }), false],
  ['bytes', [new ByteString(Uint8Array.of(255))], true],
  ['bytes in a secret', new Secret([new ByteString(Uint8Array.of(255))]), true],
])('byte strings are noticed: %s', (_name, value, noticed) => {
  const encoder = new ValueEncoder(nopCrypter);
  encoder.value(value);
  expect(encoder.byteStrings).toBe(noticed);
});

test.each<[string, Json, string]>([
  ['an unknown signature', { [SIG]: 'd0e6a833031e9bbcd3f4e8bde6ca49a4' }, 'unrecognized signature'],
  ['a secret without text', { [SIG]: secretSig }, 'malformed secret'],
  [
    'a secret with both texts',
    { [SIG]: secretSig, ciphertext: 'IngI', plaintext: '"x"' },
    'malformed secret',
  ],
  ['a secret that is not JSON', { [SIG]: secretSig, plaintext: 'x' }, 'not JSON'],
  [
    'a byte string that is not base64',
    { [SIG]: '803fd3297a5875dc03ca845dda5d2a98', value: '//4' },
    'not base64',
  ],
  ['bad bits', { [SIG]: '8ad145fe-0d11-4827-bfd7-1abcbf086f5c', value: 'zz' }, '16 hex digits'],
  ['a reference to no URN', { [SIG]: '5cf8f73096256a8f31e491e813e4eb8e', urn: 'x' }, 'not a URN'],
  [
    'an archive of texts',
    { [SIG]: '0def7320c3a5731c473e5ecbe6d01bc7', assets: { a: 'x' } },
    'neither an asset nor an archive',
  ],
  ['a hash that is a number', { [SIG]: 'c44067f5952c0a294b673a41bacd8c17', hash: 1 }, 'not a string'],
])('%s is refused', (_name, json, message) => {
  expect(() => decodeStateValue(json, base64Crypter)).toThrow(message);
});

test.each<[string, Json, PropertyValue]>([
  ['null id in V', { V: null }, new ResourceReference({ urn })],
  ['text in V', { V: 'i' }, new ResourceReference({ urn, id: 'i' })],
  ['object in V', { V: {} }, new ResourceReference({ urn, id: '' })],
])('old references: %s', (_name, id, value) => {
  expect(
    equal(decodeStateValue({ [SIG]: '5cf8f73096256a8f31e491e813e4eb8e', urn, id }, nopCrypter), value),
  ).toBe(true);
});

test('a blinding crypter shows no secret and needs no key', () => {
  const json = encode(new Secret('hunter2'));
  expect(decodeStateValue(json, blindingStateCrypter)).toEqual(new Secret(SECRET_TEXT));
});

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double(),
  fc.string({ unit: 'grapheme' }),
  fc.constant(UNKNOWN),
);
const value: fc.Arbitrary<PropertyValue> = fc.letrec<{ value: PropertyValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar as fc.Arbitrary<PropertyValue>,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value'), {
        maxKeys: 3,
        noNullPrototype: false,
      })
      .map((map) => propertyMap(map)),
    tie('value').map((inner) => new Secret(inner)),
    fc.uint8Array({ maxLength: 4 }).map((bytes) => new ByteString(bytes)),
  ),
})).value;

test('property: what is encoded and written decodes to the same value, sealed or shown', () => {
  fc.assert(
    fc.property(value, fc.boolean(), (given, show) => {
      const json = JSON.parse(goJson(encode(given, show))) as Json;
      expect(equal(decodeStateValue(json, base64Crypter), given)).toBe(true);
    }),
  );
});
