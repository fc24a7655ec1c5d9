import fc from 'fast-check';
import {
  conform,
  decode,
  Dynamic,
  encode,
  equalValues,
  fromProgram,
  fromJson,
  isWhollyKnown,
  listOf,
  makeSet,
  mapOf,
  objectOf,
  parseNumber,
  record,
  setOf,
  toJson,
  tupleOf,
  TfUnknown,
  UNKNOWN_VALUE,
  byBytes,
} from '../src/index.js';
import type { TfNumber, TfType, TfValue } from '../src/index.js';

const name = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 8 }),
    fc.constantFrom('__proto__', '10', '9', 'constructor', 'toString', '\u{1f600}', '\uff5e'),
  )
  .map((text) => text.normalize('NFC'));

const primitive = fc.constantFrom('string', 'number', 'bool') as fc.Arbitrary<TfType>;
const { type: anyType } = fc.letrec<{ type: TfType }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    primitive,
    fc.constant<TfType>('dynamic'),
    tie('type').map(listOf),
    // Types within sets are fixed.
    primitive.map(setOf),
    primitive.map((each) => setOf(objectOf({ a: each, b: listOf('string') }))),
    tie('type').map(mapOf),
    fc.array(tie('type'), { maxLength: 3 }).map(tupleOf),
    fc.array(fc.tuple(name, tie('type')), { maxLength: 4 }).map((each) => objectOf(fromEntries(each))),
  ),
}));

const number: fc.Arbitrary<TfValue> = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(fromProgram),
  fc.bigInt({ min: -(1n << 70n), max: 1n << 70n }).map((each) => parseNumber(String(each)) as TfNumber),
  fc.tuple(fc.integer(), fc.nat(99999)).map(([whole, part]) => parseNumber(`${whole}.${part}`) as TfNumber),
);

function valueOf(type: TfType): fc.Arbitrary<TfValue> {
  return fc.oneof(
    { weight: 10, arbitrary: known(type) },
    { weight: 1, arbitrary: fc.constantFrom<TfValue>(null, UNKNOWN_VALUE) },
  );
}

function known(type: TfType): fc.Arbitrary<TfValue> {
  if (type === 'string') return fc.string({ unit: 'binary' }).map((text) => text.normalize('NFC'));
  if (type === 'bool') return fc.boolean();
  if (type === 'number') return number;
  if (type === 'dynamic') {
    return fc
      .oneof(primitive, fc.constant(listOf('number')))
      .chain((brought) => valueOf(brought).map((value) => new Dynamic(brought, value)));
  }
  switch (type.kind) {
    case 'tuple':
      return fc.tuple(...type.elements.map(valueOf)).map((each) => Object.freeze(each));
    case 'object': {
      const names = Object.keys(type.attributes);
      return fc
        .tuple(...names.map((each) => valueOf(type.attributes[each] as TfType)))
        .map((values) => record(names.map((each, at) => [each, values[at] as TfValue])));
    }
    case 'map':
      return fc
        .array(fc.tuple(name, valueOf(type.element)), { maxLength: 4 })
        .map((entries) => record(Object.entries(fromEntries(entries)).sort(([a], [b]) => byBytes(a, b))));
    default:
      return fc
        .array(valueOf(type.element), { maxLength: 4 })
        .map((each) => (type.kind === 'set' ? makeSet(type.element, each) : Object.freeze(each)));
  }
}

function fromEntries<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const made = Object.create(null) as Record<string, T>;
  for (const [key, value] of entries) made[key] = value;
  return made;
}

const typed = anyType.chain((type) => valueOf(type).map((value) => ({ type, value })));

test('what is written as msgpack is read as the same value, and written as the same bytes again', () => {
  fc.assert(
    fc.property(typed, ({ type, value }) => {
      expect(conform(type, value)).toEqual([]);
      const bytes = encode(type, value);
      const read = decode(type, bytes);
      expect(equalValues(type, read, value)).toBe(true);
      expect(encode(type, read)).toEqual(bytes);
    }),
    { numRuns: 1000 },
  );
});

test('what is written as JSON is read as the same value', () => {
  fc.assert(
    fc.property(typed, ({ type, value }) => {
      // A null with a type becomes a null without one in JSON of dynamic places below a null.
      if (!isWhollyKnown(value)) return;
      expect(equalValues(type, fromJson(type, toJson(type, value)), value)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('bytes that are no value of the type are refused with an error of ours', () => {
  fc.assert(
    fc.property(typed, fc.uint8Array({ maxLength: 40 }), ({ type, value }, noise) => {
      const bytes = encode(type, value);
      for (const each of [noise, Buffer.concat([bytes.subarray(0, bytes.length >> 1), noise])]) {
        try {
          expect(
            conform(type, decode(type, each)).filter(({ message }) => !message.includes('missing')),
          ).toEqual([]);
        } catch (error) {
          expect((error as Error).name).toBe('TfValueError');
        }
      }
    }),
    { numRuns: 1000 },
  );
});

test('what is known of unknown values survives; a prefix is cut where it is long', () => {
  const refined = TfUnknown.refined({ notNull: true, prefix: `${'é'.repeat(200)}` });
  const read = decode('string', encode('string', refined)) as TfUnknown;
  expect(read.refinement).toEqual({ notNull: true, prefix: 'é'.repeat(126) });
});

test('an error says where in the value', () => {
  const type = objectOf({ a: mapOf(listOf('number')) });
  const bytes = encode(
    objectOf({ a: mapOf(listOf('string')) }),
    record([['a', record([['k', ['1', 'x']]])]]),
  );
  expect(() => decode(type, bytes)).toThrow('.a.k[1]: number required, not a string');
  expect(() => fromJson(type, '{"a":{"k k":[{}]}}')).toThrow('.a["k k"][0]: number required, not a map');
  expect(() => encode(type, record([['a', record([['k', [true]]])]]))).toThrow(
    '.a.k[0]: number required, not bool',
  );
});

test('a double that comes in is the decimal that is printed for it [TFV-3]', () => {
  const double = Buffer.from('cb3fb999999999999a', 'hex');
  expect(decode('number', double)).toEqual(parseNumber('0.1'));
  expect(decode('number', Buffer.from('cb3ff8000000000000', 'hex'))).toBe(1.5);
  expect(decode('number', Buffer.from('cb54b249ad2594c37d', 'hex'))).toBe(BigInt(1e100));
});
