import { versionAuthor } from './version-author.js';

const changes = [
  { number: 2, operation: { username: 'bob', hostname: 'runner', startTime: 20 } },
  { number: 1, operation: { username: 'ann', hostname: 'laptop', startTime: 10 } },
];
const cairn = (change: string) => ({ change, kind: 'up', result: 'succeeded' });

test.each([
  ['by the number of its change', { cairn: cairn('2'), startTime: 10, environment: {} }, 'bob on runner'],
  ['by the time of its change', { startTime: 10, environment: {} }, 'ann on laptop'],
  ['by a time that another clock tells', { startTime: 19, environment: {} }, 'bob on runner'],
  [
    'by its commit, when its change is not kept',
    { startTime: 1, environment: { 'git.author': 'eve', 'ci.system': 'GitHub Actions' } },
    'eve on GitHub Actions',
  ],
  ['not at all', { cairn: cairn('9'), startTime: 10, environment: {} }, ''],
])('a version is known %s', (_title, info, expected) => {
  expect(versionAuthor(info, changes)).toBe(expected);
});
