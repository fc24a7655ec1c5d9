import { isCairnError } from '@cairn/diagnostics';
import { errorPolicy } from './error-policy.js';
import type { OperationOptions } from './operation-options.js';

function policyOf(options: OperationOptions, onError?: 'rollback'): unknown {
  try {
    return errorPolicy(options, { onError });
  } catch (error) {
    if (isCairnError(error)) return error.diagnostics[0]?.code;
    throw error;
  }
}

test.each<[OperationOptions, unknown]>([
  [{}, { onError: 'stop', continueOnError: false }],
  [{ onError: 'stop' }, { onError: 'stop', continueOnError: false }],
  [{ onError: 'continue' }, { onError: 'continue', continueOnError: true }],
  [{ continueOnError: true }, { onError: 'continue', continueOnError: true }],
  [
    { continueOnError: true, onError: 'continue' },
    { onError: 'continue', continueOnError: true },
  ],
  [{ onError: 'rollback' }, { onError: 'rollback', continueOnError: false }],
  [{ continueOnError: true, onError: 'rollback' }, 'CAIRN-USAGE'],
])('%j', (options, expected) => expect(policyOf(options)).toEqual(expected));

test.each<[OperationOptions, string]>([
  [{}, 'rollback'],
  [{ onError: 'stop' }, 'stop'],
  [{ continueOnError: true }, 'continue'],
])('%j with onError: rollback in the project file', (options, onError) =>
  expect(policyOf(options, 'rollback')).toMatchObject({ onError }),
);

test('a project file that does not count is not asked', () =>
  expect(errorPolicy({}, undefined)).toEqual({ onError: 'stop', continueOnError: false }));
