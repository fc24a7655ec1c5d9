import fc from 'fast-check';
import { parseRuntimeOptions, splitShellWords } from './runtime-options.js';

test('what is not given has its default', () => {
  expect(parseRuntimeOptions({ other: 1 })).toEqual({
    typescript: true,
    typecheck: undefined,
    tsconfig: undefined,
    nodeargs: [],
    packagemanager: 'auto',
    production: false,
  });
});

test.each([
  ['typescript', 'yes', 'true or false'],
  ['typecheck', 1, 'true or false'],
  ['production', 'no', 'true or false'],
  ['tsconfig', 3, 'a string'],
  ['nodeargs', ['--inspect'], 'a string'],
  ['packagemanager', 'cargo', 'one of auto, npm, yarn, pnpm, bun'],
  ['nodeargs', '--title="x', 'arguments with matching quotes'],
])('%s: %j is refused', (name, value, expected) => {
  expect(() => parseRuntimeOptions({ [name]: value })).toThrow(
    `the runtime option "${name}" must be ${expected}`,
  );
});

test.each([
  ['', []],
  ['  ', []],
  ['--a --b=1', ['--a', '--b=1']],
  ['--title="a b" \'c d\'', ['--title=a b', 'c d']],
  ['a\\ b "c\\"d" \'e\\f\'', ['a b', 'c"d', 'e\\f']],
  ['""', ['']],
  ['a""b', ['ab']],
])('%j is %j', (line, expected) => expect(splitShellWords(line)).toEqual(expected));

test('quoted arguments come back as they were', () => {
  const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      expect(splitShellWords(words.map(quote).join(' '))).toEqual(words);
    }),
  );
});
