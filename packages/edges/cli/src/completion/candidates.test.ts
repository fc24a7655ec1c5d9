import { commandLineWords } from './candidates.js';

test.each<[string, string[]]>([
  ['', ['']],
  ['cairn ', ['cairn', '']],
  ['cairn  up --st', ['cairn', 'up', '--st']],
  ['cairn up "two words" x', ['cairn', 'up', 'two words', 'x']],
  [String.raw`cairn up two\ words`, ['cairn', 'up', 'two words']],
  ["cairn up --target='urn:a$b", ['cairn', 'up', '--target=urn:a$b']],
  [String.raw`cairn up "urn:a\$b\x`, ['cairn', 'up', String.raw`urn:a$b\x`]],
  [String.raw`cairn up urn:a\$b`, ['cairn', 'up', 'urn:a$b']],
  ["cairn up 'open and ", ['cairn', 'up', 'open and ']],
  [String.raw`cairn up 'a\'b"c"`, ['cairn', 'up', String.raw`a\bc`]],
  ['cairn up \\', ['cairn', 'up', '']],
  ['cairn up "a\\', ['cairn', 'up', 'a']],
])('%j is the words %j', (line, words) => {
  expect(commandLineWords(line)).toEqual(words);
});
