import fc from 'fast-check';
import { goJson, goJsonString, goStruct, indentJson } from './go-json.js';
import { goText } from './go-json-writer.js';
import type { Json } from './go-json.js';

test.each<[Json, string]>([
  [null, 'null'],
  [true, 'true'],
  [-0, '-0'],
  [0, '0'],
  [1e21, '1e+21'],
  [1e-7, '1e-7'],
  [0.000001, '0.000001'],
  [123456789012345680000, '123456789012345680000'],
  ['', '""'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['\n\r\t\b\f', '"\\n\\r\\t\\b\\f"'],
  ['\u0000\u001f', '"\\u0000\\u001f"'],
  ['\u007f é ✓ 😀', '"\u007f é ✓ 😀"'],
  ['\u2028\u2029', '"\\u2028\\u2029"'],
  ['a\ud800b', '"a\\ufffdb"'],
  ['\udc00', '"\\ufffd"'],
  ['<&>', '"<&>"'],
  [[], '[]'],
  [{}, '{}'],
  [{ b: 1, a: [2, { 10: 'x', 9: 'y' }] }, '{"a":[2,{"10":"x","9":"y"}],"b":1}'],
])('goJson(%j) is %s', (value, text) => {
  expect(goJson(value)).toBe(text);
});

test('structs keep their order where that is asked for, maps in them are sorted', () => {
  const value: Json = [goStruct({ z: 1, a: goStruct({ c: '<', b: { y: 1, x: 2 } }) })];
  expect(goJson(value, { structs: true })).toBe('[{"z":1,"a":{"c":"<","b":{"x":2,"y":1}}}]');
  expect(goJson(value)).toBe('[{"a":{"b":{"x":2,"y":1},"c":"<"},"z":1}]');
});

test('keys are ordered by UTF-8 bytes, where astral characters come after U+E000', () => {
  expect(goJson({ '\u{1f600}': 1, '\ue000': 2, z: 3, '': 4 })).toBe('{"":4,"z":3,"\ue000":2,"\u{1f600}":1}');
});

test('HTML escaping covers keys and values and nothing else', () => {
  expect(goJson({ '<k>': 'a&b "x"' }, { escapeHtml: true })).toBe('{"\\u003ck\\u003e":"a\\u0026b \\"x\\""}');
  expect(goJsonString('<', { escapeHtml: true })).toBe('"\\u003c"');
});

test('keys that objects have anyway are data', () => {
  const object = JSON.parse('{"__proto__":1,"constructor":2}') as Json;
  expect(goJson(object)).toBe('{"__proto__":1,"constructor":2}');
});

test.each([Number.NaN, Infinity, -Infinity])('%p has no JSON form', (value) => {
  expect(() => goJson(value)).toThrow(/no JSON form/);
});

test.each([
  ['{}', 4, '{}'],
  ['[]', 4, '[]'],
  ['{"a":[],"b":{},"c":[1,2]}', 2, '{\n  "a": [],\n  "b": {},\n  "c": [\n    1,\n    2\n  ]\n}'],
  ['{"a":"{[,:]}\\"\\\\"}', 1, '{\n "a": "{[,:]}\\"\\\\"\n}'],
  ['"x"', 2, '"x"'],
])('indentJson(%s, %d)', (compact, spaces, text) => {
  expect(indentJson(compact, spaces)).toBe(text);
});

test('property: the text reads back as the value, escaped or indented too', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.boolean(), (value, escapeHtml) => {
      const text = goJson(value as Json, { escapeHtml });
      expect(JSON.parse(text)).toEqual(value);
      expect(JSON.parse(indentJson(text, 4))).toEqual(JSON.parse(text));
      if (escapeHtml) expect(text).not.toMatch(/[<>&]/);
    }),
  );
});

test('a text is the same whatever its length and whatever is around it', () => {
  const long = 'x'.repeat(100);
  const texts = [long, `${long}é`, `${long}"`, `${long}\u2028`, 'é', '\u007f', '\ud800', `${long}😀`];
  for (const text of texts) expect(JSON.parse(goJson([text, long, { [text]: text }]))).toHaveLength(3);
  expect(goJson(texts)).toBe(`[${texts.map((text) => goJsonString(text)).join(',')}]`);
  expect(goJson('y'.repeat(3_000_000))).toHaveLength(3_000_002);
  expect(goJson({ [`<${long}`]: '&' }, { escapeHtml: true })).toBe(`{"\\u003c${long}":"\\u0026"}`);
});

test('a value that cannot be written leaves nothing behind', () => {
  expect(() => goJson(['é', NaN])).toThrow('has no JSON form');
  expect(goJson(['a'])).toBe('["a"]');
});

test('an entry that could not be read again is refused, and the next one is written', () => {
  expect(goText((to) => to.string('four'), 6)).toBe('"four"');
  expect(() => goText((to) => to.string('fives'), 6)).toThrow(
    'cannot store an entry of the state: its JSON has 7 bytes, longer than the limit of 6 bytes',
  );
  const invalid = (): never => {
    throw new RangeError('Invalid string length');
  };
  expect(() => goText(invalid)).toThrow('its JSON is longer than the limit of 536870888 bytes');
  expect(goText((to) => to.string('six'), 6)).toBe('"six"');
});
