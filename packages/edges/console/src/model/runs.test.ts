import type { DeploymentAnswer } from '@cairn/http-api';
import { approvalOf, isRunOver, runStatus, runTone, whyOfRun } from './runs.js';

const asked = (status: DeploymentAnswer['status'], run: object | null, waitsFor?: string) => ({
  status,
  cairn: { run, ...(waitsFor !== undefined && { waitsFor }) },
});
const run = { status: 'waiting', why: ['it deletes a database', 'it is Friday'], approvals: [], needed: 1 };

test.each([
  [
    'before an agent has it',
    asked('not-started', null, 'run 3'),
    ['not-started', 'waits for run 3', 'update'],
  ],
  ['while it waits for a person', asked('running', run), ['waiting', run.why.join('; '), 'doubt']],
  ['after it was denied', asked('failed', { ...run, status: 'denied', why: [] }), ['denied', '', 'failed']],
])('a run %s', (_title, deployment, expected) => {
  const status = runStatus(deployment);
  expect([status, whyOfRun(deployment), runTone(status)]).toEqual(expected);
});

test('a run has ended when nothing more will happen to it', () => {
  const statuses = ['not-started', 'running', 'succeeded', 'failed', 'skipped'] as const;
  expect(statuses.filter((status) => isRunOver({ status }))).toEqual(['succeeded', 'failed', 'skipped']);
});

test('an approval names the plan, the state and the commit, and there is none without a plan', () => {
  expect(approvalOf({ digest: 'd', base: 'b', commit: 'c' })).toEqual({
    digest: 'd',
    base: 'b',
    commit: 'c',
  });
  expect(approvalOf({ digest: 'd', base: 'b' })).toEqual({ digest: 'd', base: 'b' });
  expect(approvalOf({ digest: 'd' })).toBeUndefined();
});
