import type { RunRow } from '@cairn/changes-daemon';
import { operationState, runMessage } from './operation-state.js';

const run: RunRow = {
  id: '7',
  stack: 'dev',
  kind: 'up',
  request: 'r',
  by: 'alice',
  status: 'lost',
  began: '2026-01-01T00:00:00.000Z',
  why: [],
  approvals: [],
  needed: 1,
};
const summary = `Update dev: ${runMessage(run)}`;
const change = (id: string, more: object): object => ({
  id,
  kind: 'up',
  summary,
  status: 'Done',
  ready: true,
  running: false,
  result: 'succeeded',
  taskCount: 2,
  ...more,
});
const OTHER = change('1', { summary: 'Update dev', ready: false, status: 'Doing' });
const DIED = change('2', { ready: false, status: 'Doing', result: undefined });
const CUT = change('2', { status: 'Doing', result: 'interrupted' });
const resumed = (more: object, how = 'resume'): object =>
  change('3', { continues: { change: '2', how }, ...more });

test('the message names a run of a service by its number', () => {
  const id = '0000001e-9d1e-4c2b-8a77-1f2e3d4c5b6a';
  expect(runMessage({ ...run, id })).toBe('agent run 30 of alice at 2026-01-01T00:00:00.000Z');
});

test.each([
  ['nothing', [], 'none'],
  ['an operation of another', [OTHER], 'none'],
  ['the run 77', [change('2', { summary: summary.replace('run 7', 'run 77') })], 'none'],
  ['it runs', [OTHER, change('2', { ready: false, running: true, status: 'Doing' })], 'running'],
  ['it died', [OTHER, DIED], 'unfinished'],
  ['it succeeded', [change('2', {})], 'succeeded'],
  ['it failed', [change('2', { status: 'Error', result: 'failed' })], 'failed'],
  ['it died before its first step', [change('2', { result: 'nothing', taskCount: 0 })], 'none'],
  [
    'it was interrupted before its first step',
    [change('2', { status: 'Error', result: 'failed', taskCount: 0 })],
    'none',
  ],
  ['it was resumed', [CUT, resumed({})], 'succeeded'],
  ['its resume died', [CUT, resumed({ ready: false, status: 'Doing' })], 'unfinished'],
  [
    'its resume waits for an answer',
    [CUT, resumed({ ready: false, status: 'Wait', result: 'waiting' })],
    'asks',
  ],
  [
    'a person has answered',
    [
      CUT,
      resumed({ status: 'Wait', result: 'waiting' }),
      change('4', {
        kind: 'resolve',
        summary: 'Resolve steps of dev',
        ready: false,
        continues: { change: '3', how: 'resolve' },
      }),
    ],
    'unfinished',
  ],
  [
    'it was rolled back',
    [CUT, resumed({ kind: 'rollback', summary: 'Roll back dev' }, 'rollback')],
    'rolled-back',
  ],
  [
    'another operation followed',
    [change('2', {}), change('3', { summary: 'Update dev', status: 'Error', result: 'failed' })],
    'succeeded',
  ],
])('%s', (_name, changes, state) => {
  expect(operationState(JSON.stringify(changes), run)).toBe(state);
});
