import { headOf, originText } from './stack-history.js';

test.each([
  ['update', 'succeeded', undefined, 'update succeeded'],
  ['update', 'failed', { change: '2', kind: 'up', result: 'waiting' }, 'update waiting'],
  ['update', 'failed', { change: '2', kind: 'up', result: 'rolled-back' }, 'update rolled-back'],
  ['update', 'succeeded', { change: '2', kind: 'rollback', result: 'succeeded' }, 'rollback succeeded'],
  ['update', 'failed', { change: '2', kind: 'resolve', result: 'interrupted' }, 'resolve interrupted'],
  ['destroy', 'failed', { change: '2', kind: 'destroy', result: 'waiting' }, 'destroy waiting'],
] as const)('a history entry of %s, %s, with %j: %s', (kind, result, cairn, head) =>
  expect(headOf({ kind, result, cairn })).toBe(head),
);

const COMMIT = { 'git.head': '0123456789abcdef', 'git.headName': 'refs/heads/main', 'git.author': 'Ann' };

test.each<[Record<string, string>, string]>([
  [{ 'exec.kind': 'cli' }, ''],
  [COMMIT, 'commit 01234567 on main by Ann'],
  [{ ...COMMIT, 'git.dirty': 'true' }, 'commit 01234567 with changed files on main by Ann'],
  [{ 'ci.system': 'GitLab CI/CD', 'ci.build.id': '9' }, 'in GitLab CI/CD build 9'],
])('an entry with %j says where it was started from: %s', (environment, text) =>
  expect(originText(environment)).toBe(text),
);
