import { commonSequence } from './common-sequence.js';

test.each([
  ['TF-187: the same lists', [1, 2, 3], [1, 2, 3], [1, 2, 3]],
  ['TF-188: elements taken out and put in', [1, 2, 3, 4], [2, 5, 4], [2, 4]],
  ['TF-189: two that changed places: the later one stays', [1, 2], [2, 1], [2]],
  ['TF-191: nothing in common', [1], [2], []],
  ['own: equal elements are counted one by one', [1, 1, 2], [1, 2, 1], [1, 2]],
])('%s', (_title, from, to, expected) => {
  expect(commonSequence(from, to, (a, b) => a === b)).toEqual(expected);
});
