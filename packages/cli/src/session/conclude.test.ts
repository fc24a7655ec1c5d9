import { EXIT } from '@cairn/diagnostics';
import type { OperationResult, OperationSummary } from '@cairn/engine';
import type { Flags } from '../commands/command-spec.js';
import { exitCode } from './conclude.js';

const ended = (summary: Partial<OperationSummary>): OperationResult =>
  ({ summary: { kind: 'up', result: 'succeeded', changes: {}, ...summary }, diagnostics: [] }) as never;
const flags = { on: (name: string) => name === 'expect-no-changes' } as unknown as Flags;

describe('what storing the state has found', () => {
  const none = { on: () => false } as unknown as Flags;
  const broken = { severity: 'error', code: 'CAIRN-STATE-INTEGRITY' } as const;
  test.each([
    ['nothing', {}, [], 0],
    ['a warning', {}, [{ ...broken, severity: 'warning' }], 0],
    ['a state that is not consistent', {}, [broken], EXIT.general],
    ['the same, after a failure', { result: 'failed' }, [broken], EXIT.general],
  ] as const)('%s', (_, summary, stored, code) => expect(exitCode(none, ended(summary), stored)).toBe(code));
});

describe('--expect-no-changes', () => {
  test.each<[string, Partial<OperationSummary>, number]>([
    ['nothing', { changes: { same: 2, read: 1 } }, 0],
    [
      'what is only read, or no longer',
      { changes: { read: 1, 'read-discard': 1, 'discard-replaced': 1 } },
      0,
    ],
    ['a create', { changes: { create: 1, same: 1 } }, 7],
    ['the second half of a replacement', { changes: { 'delete-replaced': 1 } }, 7],
    ['a refresh that found nothing', { kind: 'refresh', changes: { refresh: 2 }, found: { same: 2 } }, 0],
    ['a refresh that found drift', { kind: 'refresh', changes: { refresh: 2 }, found: { update: 1 } }, 7],
    [
      'a refresh that found nothing there',
      { kind: 'refresh', changes: { refresh: 1 }, found: { delete: 1 } },
      7,
    ],
    ['drift that an up takes over', { changes: { refresh: 1, same: 1 }, found: { update: 1 } }, 0],
  ])('%s', (_, summary, code) => expect(exitCode(flags, ended(summary))).toBe(code));
});
