import { mustWait, placeRequest, queuePlaces } from './queue.js';
import type { RequestRow, RunRow } from './rows.js';

const request = (id: string, more: Partial<RequestRow> = {}): RequestRow => ({
  id,
  stack: 'dev',
  kind: 'up',
  by: 'alice',
  at: '2026-01-01T00:00:00Z',
  ...more,
});
const run = (id: string, status: RunRow['status'], more: Partial<RunRow> = {}): RunRow => ({
  id,
  stack: 'dev',
  kind: 'up',
  request: 'r0',
  by: 'alice',
  status,
  began: '2026-01-01T00:00:00Z',
  why: [],
  approvals: [],
  needed: 1,
  ...more,
});

type Row = readonly [
  string,
  RequestRow,
  readonly RequestRow[],
  readonly RunRow[],
  boolean,
  readonly [string, string, string | undefined],
];
const PLACES: readonly Row[] = [
  ['the first one', request('r1'), [], [], true, ['', '', undefined]],
  ['another kind', request('r2', { kind: 'preview' }), [request('r1')], [], true, ['', '', undefined]],
  ['another stack', request('r2', { stack: 'prod' }), [request('r1')], [], true, ['', '', undefined]],
  [
    'a newer commit',
    request('r3', { commit: 'b' }),
    [request('r1', { commit: 'a' }), request('r2', { commit: 'a' })],
    [],
    false,
    ['r1,r2', '', undefined],
  ],
  [
    'the same commit again, by the agent',
    request('r2', { commit: 'a', by: 'source' }),
    [request('r1', { commit: 'a' })],
    [],
    false,
    ['', '', 'r1'],
  ],
  [
    'the same commit again, by a person',
    request('r2', { commit: 'a' }),
    [request('r1', { commit: 'a' })],
    [],
    true,
    ['r1', '', undefined],
  ],
  [
    'a run that waits for an approval',
    request('r2', { commit: 'b' }),
    [],
    [run('1', 'waiting', { commit: 'a' })],
    false,
    ['', '1', undefined],
  ],
  [
    'a run that waits, for the same commit',
    request('r2', { commit: 'a' }),
    [],
    [run('1', 'waiting', { commit: 'a' })],
    false,
    ['', '', '1'],
  ],
  [
    'a run that is being applied',
    request('r2', { commit: 'b' }),
    [],
    [run('1', 'applying', { commit: 'a' })],
    false,
    ['', '', undefined],
  ],
  [
    'runs that have ended',
    request('r2'),
    [request('r1', { run: '1' })],
    [run('1', 'succeeded')],
    false,
    ['', '', undefined],
  ],
];

test.each(PLACES)('%s', (_name, added, requests, runs, isPerson, [supersedes, ended, joins]) => {
  const placed = placeRequest(added, requests, runs, isPerson);
  expect([placed.supersedes.join(), placed.supersedesRuns.join(), placed.joins]).toEqual([
    supersedes,
    ended,
    joins,
  ]);
});

test('requests of a stack wait in order, and name the one they wait for', () => {
  const places = queuePlaces(
    [
      request('r1', { run: '1' }),
      request('r2', { kind: 'preview' }),
      request('r3', { stack: 'prod' }),
      request('r4', { stack: 'prod', kind: 'drift' }),
      request('r5', { stack: 'prod', kind: 'destroy', supersededBy: 'r6' }),
      request('r6', { stack: 'test' }),
      request('r7', { stack: 'late', kind: 'preview' }),
    ],
    [run('1', 'applying'), run('2', 'waiting', { stack: 'test' })],
    (stack) => (stack === 'test' ? ['prod'] : ['dev']),
  );
  expect(places.map(({ request: { id }, waitsFor }) => [id, waitsFor])).toEqual([
    ['r2', 'run 1'],
    // It reads outputs of dev.
    ['r3', 'run 1'],
    ['r4', 'request r3'],
    ['r6', 'request r3'],
    ['r7', undefined],
  ]);
});

test.each([
  ['another run that is planned', run('2', 'planning'), true],
  ['an older one that is ready', run('0', 'ready'), true],
  ['a newer one that is ready', run('2', 'ready'), false],
  ['one that waits for approvals', run('2', 'waiting'), false],
  ['one of another stack', run('2', 'applying', { stack: 'prod' }), false],
  ['one that a person has to continue', run('2', 'held'), true],
])('a run that is ready beside %s', (_name, other, waits) => {
  const ready = run('1', 'ready');
  expect(mustWait(ready, [ready, other])).toBe(waits);
});
