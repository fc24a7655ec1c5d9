import type { OperationSummary } from '@cairn/engine';
import { endedWell, statusOf } from './operation.js';
import type { OperationStatus } from '../pass-view.js';

const ended = (summary: Partial<OperationSummary>): { readonly summary: OperationSummary } => ({
  summary: { kind: 'up', result: 'succeeded', changes: {}, ...summary } as OperationSummary,
});

test.each<[string, Partial<OperationSummary>, OperationStatus]>([
  ['nothing', { changes: { same: 2, read: 1 } }, 'succeeded'],
  [
    'what is only read, or no longer',
    { changes: { read: 1, 'read-discard': 1, 'discard-replaced': 1 } },
    'succeeded',
  ],
  ['a create', { changes: { create: 1, same: 1 } }, 'unexpected-changes'],
  ['the second half of a replacement', { changes: { 'delete-replaced': 1 } }, 'unexpected-changes'],
  [
    'a refresh that found nothing',
    { kind: 'refresh', changes: { refresh: 2 }, found: { same: 2 } },
    'succeeded',
  ],
  [
    'a refresh that found drift',
    { kind: 'refresh', changes: { refresh: 2 }, found: { update: 1 } },
    'unexpected-changes',
  ],
  [
    'a refresh that found nothing there',
    { kind: 'refresh', changes: { refresh: 1 }, found: { delete: 1 } },
    'unexpected-changes',
  ],
  ['drift that an up takes over', { changes: { refresh: 1, same: 1 }, found: { update: 1 } }, 'succeeded'],
  ['a failure', { result: 'failed', changes: { create: 1 } }, 'failed'],
])('where nothing is to change: %s', (_, summary, status) => {
  expect(statusOf(ended(summary), { expectNoChanges: true })).toBe(status);
});

test('changes are no failure otherwise', () =>
  expect(statusOf(ended({ changes: { create: 1 } }), {})).toBe('succeeded'));

test.each<[OperationStatus, readonly unknown[], boolean]>([
  ['succeeded', [], true],
  ['succeeded', [{ severity: 'warning' }], true],
  ['succeeded', [{ severity: 'error' }], false],
  ['unexpected-changes', [], false],
  ['waiting', [], false],
])('%s with %j stored ended well: %s', (status, stored, well) =>
  expect(endedWell({ status, stored: stored as never })).toBe(well),
);
