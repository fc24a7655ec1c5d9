import { isCairnError } from '@cairn/diagnostics';
import { FileProblems } from './file-problems.js';
import { parseYaml } from './parse-yaml.js';

/** Returns the places and hints of the diagnostics for a text. */
function said(text: string): readonly string[] {
  try {
    parseYaml(text, new FileProblems('Cairn.yaml', 'project file', 'CAIRN-PROJECT-INVALID'));
    return [];
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return error.diagnostics.map(
      ({ source, hint }) => `${source?.line}:${source?.column} ${hint ?? 'no hint'}`,
    );
  }
}

test.each<[string, readonly string[]]>([
  ['name: a', []],
  ['{a: [', ['1:6 Add the character that is missing, or put the text in quotes.']],
  ['name: "a', ['1:9 Add the character that is missing, or put the text in quotes.']],
  ['a: b: c', ['1:4 Put a text that contains a colon in quotes.']],
  ['a:\n    b: 1\n  c: 2', ['3:1 Indent the line like the lines around it.']],
  ['a: 1\nb', ['2:1 Add the character that is missing, or put the text in quotes.']],
  ['a:\n\tb: 1', ['2:1 Indent with spaces.']],
  ['a: 1\n---\nb: 2', ['2:1 Keep one document; remove the --- line.']],
  ['a: @d', ['1:4 Correct this line; a text with special characters needs quotes.']],
])('%j', (text, expected) => {
  expect(said(text)).toEqual(expected);
});
