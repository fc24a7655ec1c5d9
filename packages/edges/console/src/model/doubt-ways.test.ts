import { doubtWays } from './doubt-ways.js';

const ways = (doubt: Parameters<typeof doubtWays>[0]): readonly string[] =>
  doubtWays(doubt).map(({ words, flags = '' }) => `${words.split(/[:.]/)[0]} ${flags}`.trim());

test.each<[string, Parameters<typeof doubtWays>[0], readonly string[]]>([
  [
    'a create',
    { type: 'creating' },
    [
      ...['By its token', 'By a look-up'],
      ...["By a person's answer --created ID", "By a person's answer --not-created"],
    ],
  ],
  [
    'a create whose work the provider has named',
    { type: 'creating', isNamed: true },
    ['By its name', "By a person's answer --created ID", "By a person's answer --not-created"],
  ],
  [
    'a delete of an object with an id',
    { type: 'deleting', id: 'i-7' },
    [
      ...['By its id', 'By a repetition'],
      ...["By a person's answer --done", "By a person's answer --not-done"],
    ],
  ],
  [
    'an update without an id',
    { type: 'updating' },
    [
      ...['By a read', 'By a repetition'],
      ...["By a person's answer --done", "By a person's answer --not-done"],
    ],
  ],
  ['a read', { type: 'reading' }, ['A resume forgets it']],
])('%s is settled by these ways, in this order', (_title, doubt, expected) => {
  expect(ways(doubt)).toEqual(expected);
});
