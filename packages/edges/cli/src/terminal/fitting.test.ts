import stringWidth from 'string-width';
import { distinctFits, fitEnd, fitMiddle, wrapped } from './fitting.js';

test.each([
  ['short', 10, true, 'short'],
  ['a-long-name-with-an-end', 11, true, 'a-lon…n-end'],
  ['a-long-name-with-an-end', 11, false, 'a-lo...-end'],
  ['東京のウェブサイト', 9, true, '東京…イト'],
  ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5, true, '👩‍👩‍👧‍👦…👩‍👩‍👧‍👦'],
])('a name is cut in its middle, between characters: %s to %i', (text, width, unicode, expected) => {
  expect(fitMiddle(text, width, unicode)).toBe(expected);
  expect(stringWidth(fitMiddle(text, width, unicode))).toBeLessThanOrEqual(width);
});

test('a text is cut at its end', () => {
  expect(fitEnd('what happened', 8, true)).toBe('what ha…');
  expect(fitEnd('what happened', 8, false)).toBe('what ...');
});

const long = (middle: string): string => `${'a'.repeat(40)}${middle}${'z'.repeat(40)}`;

test.each<[string, readonly string[]]>([
  ['different ends', ['production-eu-central-1-logs', 'production-eu-central-1-data']],
  ['different beginnings', ['logs-of-production-eu-central-1', 'data-of-production-eu-central-1']],
  ['different middles', [long('-one-'), long('-two-'), long('-three-')]],
  [
    'one more of each',
    ['ab', 'ba'].flatMap((end) =>
      ['0', '1'].map((start) => `${start}${long(end)}${start === '0' ? end : ''}`),
    ),
  ],
  ['differences that cannot be shown', Array.from({ length: 30 }, (_, at) => long(`${'x'.repeat(at)}y`))],
  ['wide characters', ['東京のウェブサイト資産-一-設定', '東京のウェブサイト資産-二-設定']],
])('no two names look alike: %s', (_title, names) => {
  for (const width of [10, 14, 20, 33])
    for (const unicode of [true, false]) {
      const fitted = distinctFits(names, width, unicode);
      expect(new Set(names.map((name) => fitted.get(name))).size).toBe(names.length);
      for (const name of names) expect(stringWidth(fitted.get(name) ?? '')).toBeLessThanOrEqual(width);
    }
});

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['a-word-that-is-too-long for it', 10, ['a-word-tha', 't-is-too-l', 'ong for it']],
  ['', 10, []],
  ['东京塔', 3, ['东', '京', '塔']],
] as const)('%j in lines of %i', (text, width, lines) => expect(wrapped(text, width)).toEqual(lines));

test('one long word is broken in time in proportion to its length', () => {
  const lines = wrapped('x'.repeat(400_000), 10);
  expect([lines.length, new Set(lines)]).toEqual([40_000, new Set(['x'.repeat(10)])]);
});
