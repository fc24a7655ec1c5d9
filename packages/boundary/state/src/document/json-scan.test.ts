import fc from 'fast-check';
import { jsonFault } from './json-scan.js';

test.each([
  ['', 0, 'ends too early'],
  ['{"a":1', 6, 'ends too early'],
  ['{"a":1,}', 7, 'key in double quotes'],
  ['{"a" 1}', 5, 'expected ":"'],
  ['{a:1}', 1, 'key in double quotes'],
  ['[1 2]', 3, 'expected "," or "]"'],
  ['[1,]', 3, 'expected a value'],
  ['{"a":tru}', 5, 'expected a value'],
  ['{"a":"x\ny"}', 7, 'control character'],
  ['{"a":"\\q"}', 6, 'bad escape'],
  ['{"a":"x', 7, 'ends too early'],
  ['{} x', 3, 'more text'],
  ['01', 1, 'more text'],
])('the fault of %j is at %d', (text, offset, reason) => {
  expect(() => JSON.parse(text) as unknown).toThrow();
  const fault = jsonFault(text);
  expect(fault?.offset).toBe(offset);
  expect(fault?.reason).toContain(reason);
});

test('deep nesting and long texts do not exhaust the stack', () => {
  const deep = '['.repeat(200_000);
  expect(jsonFault(deep)?.reason).toContain('ends too early');
  expect(jsonFault(`{"a":"${'\\n'.repeat(500_000)}x`)?.offset).toBe(1_000_007);
});

test('property: every JSON text is without fault, and every proper prefix that JSON.parse refuses has one', () => {
  fc.assert(
    fc.property(fc.json(), fc.double({ min: 0, max: 1, noNaN: true }), (text, part) => {
      expect(jsonFault(text)).toBeUndefined();
      const cut = text.slice(0, Math.floor(part * text.length));
      let parses = true;
      try {
        JSON.parse(cut);
      } catch {
        parses = false;
      }
      expect(jsonFault(cut) === undefined).toBe(parses);
    }),
  );
});
