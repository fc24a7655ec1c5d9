import { matchesGlob } from './glob.js';

test.each<readonly [glob: string, text: string, matches: boolean]>([
  ['', '', true],
  ['', 'a', false],
  ['a', 'a', true],
  ['a', 'ab', false],
  ['a*', 'a', true],
  ['a*c', 'abc', true],
  ['a*c', 'abcd', false],
  ['*', 'a:b', false],
  ['*:*', 'a:b', true],
  ['**', 'a:b', true],
  ['a**d', 'a:b:cd', true],
  ['***', 'a:b:c', true],
  ['*a*a*', 'bab', false],
  ['*ab*ab', 'ababab', true],
  ['a.c', 'abc', false],
  ['[$(', '[$(', true],
  [`${'*a'.repeat(2_000)}*b`, 'a'.repeat(2_000), false],
])('row %#', (glob, text, matches) => {
  expect(matchesGlob(glob, text, ':')).toBe(matches);
});

test('without a character that stops it a star stands for everything', () => {
  expect(matchesGlob('a*d', 'a:b:cd')).toBe(true);
});
