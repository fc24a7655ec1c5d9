import { headLine } from './head-line.js';

test.each([
  ['one line', 'one line'],
  ['the first\nof two', 'the first'],
  ['the command exited with code 3:\n  boom\n  more', 'the command exited with code 3: boom'],
  ['it said:\n\n\tboom', 'it said: boom'],
  ['it said nothing:\n', 'it said nothing:'],
  ['', ''],
])('%j is in one line: %j', (text, expected) => {
  expect(headLine(text)).toBe(expected);
});
