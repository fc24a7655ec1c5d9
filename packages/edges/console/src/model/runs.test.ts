import { approvalOf, isRunOver, runTone } from './runs.js';

test('a status of a run has a tone, and one that is not known is work in progress', () => {
  const statuses = ['not-started', 'waiting', 'denied', 'succeeded', 'superseded', 'constructor'];
  expect(statuses.map(runTone)).toEqual(['update', 'doubt', 'failed', 'create', 'same', 'update']);
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
