import fc from 'fast-check';
import { JsonBytes } from './json-bytes.js';

function written(value: unknown, room = 8): string {
  const bytes = new JsonBytes(room);
  bytes.value(value);
  return bytes.from(0).toString();
}

test('a value is written as JSON.stringify does it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), (value) => {
      expect(written(value)).toBe(JSON.stringify(value));
    }),
  );
});

test.each<[string, unknown]>([
  [
    'long texts',
    ['x'.repeat(300), `${'x'.repeat(300)}"`, `${'x'.repeat(300)}é`, '"', '\\', '\u2028', '\ud800'],
  ],
  ['numbers', [0, -0, 7, 10, 999_999_999, 1_000_000_000, -1, 0.5, 1e21, NaN, Infinity]],
  [
    'members and items without a value',
    { a: undefined, b: [undefined, () => 0], c: () => 0, d: Symbol('d') },
  ],
  [
    'objects with a class',
    {
      at: new Date(0),
      inner: [
        new (class Own {
          a = 1;
        })(),
      ],
    },
  ],
  ['objects without a prototype', Object.assign(Object.create(null) as object, { b: 1, a: true, 2: null })],
  ['a member named __proto__', JSON.parse('{"__proto__":{"a":1}}')],
])('%s', (_name, value) => {
  expect(written(value)).toBe(JSON.stringify(value));
});

test('a value may be nested deeply', () => {
  let value: unknown = 'end';
  for (let depth = 0; depth < 1000; depth += 1) value = depth % 2 === 0 ? [value] : { value };
  expect(written(value)).toBe(JSON.stringify(value));
});

test('room that was left is filled afterwards', () => {
  const bytes = new JsonBytes(1);
  bytes.skip(9);
  bytes.value(['a']);
  bytes.hexAt(0, 0xfedc0127);
  expect(bytes.from(0).toString()).toBe('fedc0127 ["a"]');
});
