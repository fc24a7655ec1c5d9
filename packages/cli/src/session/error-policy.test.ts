import { isCairnError } from '@cairn/diagnostics';
import { parseCommandLine } from '../commands/parse.js';
import { commandTable } from '../commands/table.js';
import { errorPolicy } from './error-policy.js';

function policyOf(line: string, onError?: 'rollback' | 'continue'): unknown {
  const parsed = parseCommandLine(commandTable, line.split(' '), {});
  if (parsed.t !== 'command') throw new Error(parsed.text);
  try {
    return errorPolicy(parsed.invocation.flags, { onError });
  } catch (error) {
    if (isCairnError(error)) return error.diagnostics[0]?.code;
    throw error;
  }
}

test.each([
  ['up', { onError: 'stop', continueOnError: false }],
  ['up --on-error stop', { onError: 'stop', continueOnError: false }],
  ['up --on-error continue', { onError: 'continue', continueOnError: true }],
  ['up --continue-on-error', { onError: 'continue', continueOnError: true }],
  ['up --continue-on-error --on-error continue', { onError: 'continue', continueOnError: true }],
  ['destroy --on-error rollback', { onError: 'rollback', continueOnError: false }],
  ['refresh', { onError: 'stop', continueOnError: false }],
  ['rollback', { onError: 'stop', continueOnError: false }],
  ['up --continue-on-error --on-error rollback', 'CAIRN-USAGE'],
  ['up --on-error never', 'CAIRN-USAGE'],
])('%s', (line, expected) => expect(policyOf(line)).toEqual(expected));

describe('with onError: rollback in the project file', () => {
  test.each([
    ['up', 'rollback'],
    ['destroy', 'rollback'],
    ['up --on-error stop', 'stop'],
    ['up --continue-on-error', 'continue'],
    ['refresh', 'stop'],
  ])('%s', (line, onError) => expect(policyOf(line, 'rollback')).toMatchObject({ onError }));
});
