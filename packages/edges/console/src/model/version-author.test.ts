import { changeOfVersion, versionAuthor } from './version-author.js';

const changes = [
  { number: 2, operation: { operation: 'refresh', username: 'bob', hostname: 'runner', startTime: 20 } },
  { number: 1, operation: { operation: 'up', username: 'ann', hostname: 'laptop', startTime: 10 } },
];
const cairn = (change: string) => ({ change, kind: 'up', result: 'succeeded' });

test.each([
  [
    'by the number of its change',
    { cairn: cairn('2'), kind: 'refresh', startTime: 10, environment: {} },
    'bob on runner',
  ],
  ['by the time of its change', { kind: 'update', startTime: 10, environment: {} }, 'ann on laptop'],
  [
    'by a time that another clock tells',
    { kind: 'refresh', startTime: 19, environment: {} },
    'bob on runner',
  ],
  [
    'by its commit, when its change is not kept',
    { kind: 'update', startTime: 1, environment: { 'git.author': 'eve', 'ci.system': 'GitHub Actions' } },
    'eve on GitHub Actions',
  ],
  [
    'by what the service says',
    { kind: 'update', startTime: 1, environment: { 'cairn.user': 'ann', 'git.author': 'eve' } },
    'ann',
  ],
  [
    'by the service and the record',
    { kind: 'update', startTime: 10, environment: { 'cairn.user': 'eve' } },
    'eve on laptop',
  ],
  ['not at all', { cairn: cairn('9'), kind: 'update', startTime: 10, environment: {} }, ''],
])('a version is known %s', (_title, info, expected) => {
  expect(versionAuthor(info, changes)).toBe(expected);
});

test.each([
  ['a number', { cairn: cairn('2'), kind: 'update', startTime: 10 }, 2],
  ['a time', { kind: 'update', startTime: 11 }, 1],
  ['no time of another kind of operation', { kind: 'import', startTime: 11 }, undefined],
  ['no kind of a newer Cairn', { kind: 'polish', startTime: 11 }, undefined],
  ['neither', { kind: 'update', startTime: 15 }, undefined],
  [
    'the number of a change that is not kept',
    { cairn: cairn('9'), kind: 'update', startTime: 10 },
    undefined,
  ],
])('the change of a version is found by %s', (_title, info, number) => {
  expect(changeOfVersion(info, changes)?.number).toBe(number);
});
