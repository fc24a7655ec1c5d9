import { selectChanges } from './changes.js';

const all = [
  { number: 4, running: true, unfinished: true },
  { number: 3, running: false, unfinished: false },
  { number: 2, running: false, unfinished: true },
  { number: 1, running: false, unfinished: false },
];

test.each([
  ['all', [1, 2, 3, 4]],
  ['in-progress', [2, 4]],
  ['ready', [1, 3]],
] as const)('a selection of %s', (selection, numbers) =>
  expect(selectChanges(all, selection).map(({ number }) => number)).toEqual(numbers),
);
