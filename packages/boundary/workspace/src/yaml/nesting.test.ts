import { nestingBound } from './nesting.js';

const levels = 3_000;
const block = Array.from({ length: 300 }, (_, level) => `${' '.repeat(level)}a:\n`).join('');

test.each([
  ['brackets', '['.repeat(levels) + ']'.repeat(levels), levels],
  ['braces', '{"a":'.repeat(levels) + '1' + '}'.repeat(levels), levels],
  ['items on one line', `${'- '.repeat(levels)}x`, levels],
  ['indentation', block, 299],
])('%s', (_, text, expected) => expect(nestingBound(text)).toBeGreaterThanOrEqual(expected));

test('an ordinary file has few levels, however long', () => {
  const text = 'config:\n  a: [1, [2]]\n  b:\n    - c: "[[[[["\n      d: |\n        [[[[\n'.replace(
    'config',
    'config',
  );
  expect(nestingBound(text + '  e: x\n'.repeat(10_000))).toBeLessThan(20);
});
