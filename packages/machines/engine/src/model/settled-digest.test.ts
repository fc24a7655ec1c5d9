import fc from 'fast-check';
import {
  Archive,
  Asset,
  ByteString,
  OutputValue,
  ResourceReference,
  Secret,
  UNKNOWN,
  propertyMap,
} from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { entryOf, factsOf, named } from '../../test/facts.js';
import { DIGEST_LENGTH, PropertyDigest } from './property-digest.js';
import { providerDigest, settledDigest } from './settled-digest.js';
import type { SettledSubject } from './settled-digest.js';

const key = new PropertyDigest(Buffer.alloc(32, 1));
const { goal } = factsOf({});
const entry = entryOf('res', { inputs: propertyMap({ k: 1 }), outputs: propertyMap({ k: 1, made: 'x' }) });
const subject: SettledSubject = { goal, news: propertyMap({ k: 1 }), entry, provider: 'p' };

const value: fc.Arbitrary<PropertyValue> = fc.letrec<{ value: PropertyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, '', '1', 'n', 't', 's', '{', '[', 1, 11),
    fc.string(),
    fc.integer(),
    tie('value').map((each) => new Secret(each)),
    fc.string().map((text) => new Asset({ text })),
    fc.uint8Array({ maxLength: 3 }).map((bytes) => new ByteString(bytes)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.string({ maxLength: 2 }), tie('value'), { maxKeys: 3 }),
  ),
})).value;

function textOf(each: PropertyValue): string | undefined {
  key.begin();
  key.value(each);
  return key.end();
}

/** Writes a value in another way that is as exact. */
function shown(each: PropertyValue): string {
  return JSON.stringify(each, (_, part: unknown) => {
    if (part instanceof Secret) return ['secret', part.value];
    if (part instanceof Asset) return ['asset', part.text];
    if (part instanceof ByteString) return ['bytes', [...part.bytes]];
    if (Array.isArray(part)) return ['array', ...(part as unknown[])];
    return typeof part === 'object' && part !== null
      ? ['map', Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))]
      : part;
  });
}

test('different values have different digests', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(textOf(a) === textOf(b)).toBe(Object.is(a, b) || shown(a) === shown(b));
    }),
    { numRuns: 2000 },
  );
});

test('the order of keys does not count', () =>
  expect(textOf({ a: 1, b: { d: 1, c: 2 } })).toBe(textOf({ b: { c: 2, d: 1 }, a: 1 })));

test.each<[string, PropertyValue]>([
  ['an unknown', [UNKNOWN]],
  ['an output', new OutputValue(1, false, [])],
  ['a reference without id yet', new ResourceReference({ urn: named('x'), id: UNKNOWN })],
  ['a text that UTF-8 cannot write', '\ud800'],
])('there is no digest of %s', (_title, each) => {
  expect(settledDigest({ ...subject, news: { each } }, key)).toBeUndefined();
  expect(providerDigest('1.0.0', { each }, key)).toBeUndefined();
});

test.each<[string, Partial<SettledSubject>]>([
  ['provider', { provider: 'q' }],
  ['URN', { goal: { ...goal, urn: named('other') } }],
  ['type', { goal: { ...goal, type: 'a:b:d' } }],
  ['ignored paths', { goal: { ...goal, ignoreChanges: ['k'] } }],
  ['naming', { goal: { ...goal, naming: { rule: { t: 'disabled' }, specific: false } } }],
  ['extension', { goal: { ...goal, extensionRef: 'e' } }],
  ['dependencies of a property', { goal: { ...goal, propertyDependencies: { k: [named('dep')] } } }],
  ['inputs of the program', { news: propertyMap({ k: 2 }) }],
  ['a secret mark', { news: propertyMap({ k: new Secret(1) }) }],
  ['id', { entry: { ...entry, id: 'other' } }],
  ['inputs of the entry', { entry: { ...entry, inputs: propertyMap({ k: '1' }) } }],
  ['outputs of the entry', { entry: { ...entry, outputs: propertyMap({ k: 1 }) } }],
  ['an asset', { news: { k: new Asset({ path: 'a', hash: 'h' }) } }],
  ['the path of an asset', { news: { k: new Asset({ path: 'b', hash: 'h' }) } }],
  ['an archive', { news: { k: new Archive({ assets: { a: new Asset({ text: 'x' }) } }) } }],
  ['a path of an archive', { news: { k: new Archive({ path: 'x' }) } }],
  ['a reference', { news: { k: new ResourceReference({ urn: named('x'), id: 'i' }) } }],
])('the digest depends on: %s', (_title, more) => {
  const digests = [settledDigest(subject, key), settledDigest({ ...subject, ...more }, key)];
  expect(new Set(digests).size).toBe(2);
  for (const digest of digests) expect(digest).toHaveLength(DIGEST_LENGTH);
});

test('it depends on the key', () => {
  const other = settledDigest(subject, new PropertyDigest(Buffer.alloc(32, 2)));
  expect(other).not.toBe(settledDigest(subject, key));
});

test('equal maps are equal in any form, and no other is taken for one', () => {
  const [one, other] = [propertyMap({ b: 1, a: [2] }), propertyMap({ a: [2], b: 1 })];
  const digestOf = (inputs: PropertyMap, outputs: PropertyMap): string | undefined =>
    settledDigest({ ...subject, news: one, entry: { ...entry, inputs, outputs } }, key);
  expect(digestOf(one, one)).toBe(digestOf(other, other));
  const changed = propertyMap({ a: [3], b: 1 });
  const digests = [
    digestOf(one, one),
    digestOf(one, changed),
    digestOf(changed, one),
    digestOf(changed, changed),
  ];
  expect(new Set(digests).size).toBe(4);
});

test.each([70, 70_000, 3_000_000])('texts of %i characters are written whole', (length) => {
  const text = 'ä'.repeat(length);
  const digestOf = (each: string): string | undefined => settledDigest({ ...subject, news: { each } }, key);
  expect(digestOf(text)).toBe(digestOf(text));
  expect(digestOf(`${text}a`)).not.toBe(digestOf(`${text}b`));
});

test('many keys in any order', () => {
  const keys = Array.from({ length: 60 }, (_, index) => `key${index}`);
  const mapOf = (names: readonly string[]): PropertyMap =>
    propertyMap(Object.fromEntries(names.map((name) => [name, name])));
  expect(textOf(mapOf(keys))).toBe(textOf(mapOf(keys.toReversed())));
});

test('dependencies of no property do not count', () => {
  const bare = { ...subject, goal: { ...goal, propertyDependencies: { k: [] } } };
  expect(settledDigest(bare, key)).toBe(settledDigest(subject, key));
});

test('the digest of a provider depends on version and settings', () => {
  const digests = [
    providerDigest('1.0.0', { a: 1 }, key),
    providerDigest('1.0.1', { a: 1 }, key),
    providerDigest('1.0.0', { a: 2 }, key),
  ];
  expect(new Set(digests).size).toBe(3);
});
