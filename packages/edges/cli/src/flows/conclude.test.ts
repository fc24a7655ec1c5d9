import { EXIT, cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { Outcome } from '@cairn/operations';
import type { OperationStatus } from '@cairn/operations/stacks';
import { exitCode } from './conclude.js';

const { diagnostics } = cairnError('CAIRN-RESOURCE-FAILED', 'failed');

function outcome(status: OperationStatus, stored: readonly unknown[] = []): Outcome {
  return { t: 'ended', status, stored, result: { diagnostics } } as unknown as Outcome;
}

test.each<[OperationStatus, number]>([
  ['succeeded', EXIT.ok],
  ['failed', EXIT.resource],
  ['cancelled', EXIT.cancelled],
  ['rolled-back', EXIT.rolledBack],
  ['waiting', EXIT.waiting],
  ['unexpected-changes', EXIT.unexpectedChanges],
])('an operation that is %s', (status, code) => {
  expect(exitCode(outcome(status))).toBe(code);
  expect(exitCode({ ...outcome(status), t: 'previewed' } as Outcome)).toBe(code);
});

test('a failure without an error has a code too', () =>
  expect(exitCode({ ...outcome('failed'), result: { diagnostics: [] } } as unknown as Outcome)).toBe(
    EXIT.general,
  ));

describe('what storing the state has found', () => {
  const broken: Pick<Diagnostic, 'severity' | 'code'> = { severity: 'error', code: 'CAIRN-STATE-INTEGRITY' };
  test.each<[string, OperationStatus, readonly unknown[], number]>([
    ['nothing', 'succeeded', [], EXIT.ok],
    ['a warning', 'succeeded', [{ ...broken, severity: 'warning' }], EXIT.ok],
    ['a state that is not consistent', 'succeeded', [broken], EXIT.general],
    ['the same, after a failure', 'failed', [broken], EXIT.resource],
  ])('%s', (_, status, stored, code) => expect(exitCode(outcome(status, stored))).toBe(code));
});
