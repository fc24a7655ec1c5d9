import { nearest } from './nearest.js';

test.each<[string, readonly string[], string | undefined]>([
  ['Pett', ['Pet', 'Password'], 'Pet'],
  ['Pet', ['Pet'], 'Pet'],
  ['pet', ['Pet'], 'Pet'],
  ['Pte', ['Pet'], 'Pet'],
  ['Pe', ['Pets'], 'Pets'],
  ['P', ['Pets'], undefined],
  // The nearer candidate comes first, then the first in text order.
  ['Pett', ['Petal', 'Pet'], 'Pet'],
  ['bat', ['cat', 'bad'], 'bad'],
  ['', [], undefined],
  ['', ['ab'], undefined],
  ['xy', ['up'], undefined],
  ['xp', ['up'], 'up'],
])('%s among %j', (text, candidates, found) => {
  expect(nearest(text, candidates)).toBe(found);
});
