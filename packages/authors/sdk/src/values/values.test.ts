import fc from 'fast-check';
import {
  Asset,
  ByteString,
  ResourceReference,
  Secret,
  UNKNOWN,
  equal,
  isUnknown,
  propertyMap,
} from '@cairn/values';
import type { Urn } from '@cairn/addresses';
import type { PropertyValue } from '@cairn/values';
import { output, secret } from '../output/combine.js';
import { deserialize } from './deserialize.js';
import { serialize } from './serialize.js';

const send = async (value: unknown): Promise<PropertyValue | undefined> =>
  serialize(value, { keepOutputs: false, dependencies: new Set() }, undefined);

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value')),
  ),
})).value;

test('what is sent comes back, however it was wrapped', () =>
  fc.assert(
    fc.asyncProperty(
      json,
      fc.constantFrom(
        (v: unknown) => v,
        (v: unknown) => Promise.resolve(v),
        (v: unknown) => output(v),
      ),
      async (value, wrap) => {
        const sent = (await send(wrap(value))) as PropertyValue;
        const back = deserialize(sent);
        expect(back.secret).toBe(false);
        expect(equal((await send(back.value)) as PropertyValue, sent)).toBe(true);
      },
    ),
  ));

test('a secret anywhere is secret when it comes back, and bare nowhere', () =>
  fc.assert(
    fc.asyncProperty(json, fc.array(fc.string(), { minLength: 1, maxLength: 3 }), async (value, path) => {
      const nested = path.reduce<unknown>((inner, key) => ({ [key]: inner }), secret(value));
      expect(deserialize((await send(nested)) as PropertyValue).secret).toBe(true);
    }),
  ));

test.each<[string, unknown, unknown]>([
  ['functions and undefined are left out of maps', { a: undefined, b: () => 1, c: 1 }, propertyMap({ c: 1 })],
  ['they are null in lists', [undefined, () => 1, 2], [null, null, 2]],
  [
    'a secret below an output is the output’s',
    output({ a: secret('s') }),
    new Secret(propertyMap({ a: 's' })),
  ],
  [
    'a secret beside plain values is itself secret only',
    { a: secret('s'), b: 1 },
    propertyMap({ a: new Secret('s'), b: 1 }),
  ],
  ['bytes that are text', Buffer.from('hé'), 'hé'],
  ['bytes that are not', new Uint8Array([0xff, 0]), new ByteString(new Uint8Array([0xff, 0]))],
  ['assets', new Asset({ text: 'x' }), new Asset({ text: 'x' })],
  [
    'instances are their own properties',
    new (class {
      a = 1;
    })(),
    propertyMap({ a: 1 }),
  ],
])('%s', async (_what, value, expected) => {
  expect(await send(value)).toEqual(expected);
});

test('__proto__ is a key like any other', async () => {
  const sent = await send(JSON.parse('{"__proto__":{"x":1}}'));
  expect(Object.keys(sent as object)).toEqual(['__proto__']);
});

test.each([
  ['a Map', { a: new Map() }, /^a is a Map/],
  ['a Date', { a: [new Date(0)] }, /^a\[0\] is a Date/],
  ['a bigint', { a: { 'b.c': 1n } }, /^a\["b\.c"\] is a bigint/],
  ['a symbol', Symbol('x'), /^the value is a symbol/],
])('refuses %s and says where', async (_what, value, message) => {
  await expect(async () => send(value)).rejects.toThrow(message);
});

test('references come back as the id, the URN of what has none, unknown when the id is', () => {
  const urn = 'urn:pulumi:s::p::t:t:t::n' as Urn;
  expect(deserialize(new ResourceReference({ urn, id: 'x' })).value).toBe('x');
  expect(deserialize(new ResourceReference({ urn })).value).toBe(urn);
  expect(isUnknown(deserialize(new ResourceReference({ urn, id: UNKNOWN })).value as PropertyValue)).toBe(
    true,
  );
});
