import { isCairnError } from '@cairn/diagnostics';
import type { Flags } from '../commands/command-spec.js';
import { parseCommandLine } from '../commands/parse.js';
import { commandTable } from '../commands/table.js';
import { errorPolicy, isolation } from './error-policy.js';

function flagsOf(line: string): Flags {
  const parsed = parseCommandLine(commandTable, line.split(' '), {});
  if (parsed.t !== 'command') throw new Error(parsed.text);
  return parsed.invocation.flags;
}

function policyOf(line: string, onError?: 'rollback' | 'continue'): unknown {
  return orCode(() => errorPolicy(flagsOf(line), { onError }));
}

function orCode(read: () => unknown): unknown {
  try {
    return read();
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

test.each([
  ['up', undefined, undefined],
  ['up --isolate component', undefined, 'component'],
  ['destroy --isolate resource', undefined, 'resource'],
  ['up', 'component', 'component'],
  ['up --isolate none', 'component', 'none'],
  ['refresh', 'component', undefined],
  ['up --isolate stack', undefined, 'CAIRN-USAGE'],
] as const)('%s with isolate: %s in the project file', (line, isolate, expected) =>
  expect(orCode(() => isolation(flagsOf(line), { isolate }))).toBe(expected),
);
