import { isCairnError } from '@cairn/diagnostics';
import type { Json } from '@cairn/state';
import { commandTable } from '../commands/table.js';
import { parseCommandLine } from '../commands/parse.js';
import type { Flags } from '../commands/command-spec.js';
import { errorPolicy, isolation } from './error-policy.js';
import { readOptions, recordOptions, repeatedFlags } from './recorded-options.js';

function flagsOf(line: string): Flags {
  const parsed = parseCommandLine(commandTable, line.split(' '), {});
  if (parsed.t !== 'command') throw new Error(parsed.text);
  return parsed.invocation.flags;
}

const absolute = (path: string): string => `/project/${path}`;
const stored = (line: string): Json =>
  JSON.parse(JSON.stringify(recordOptions(flagsOf(line), absolute))) as Json;

describe('options that are kept with a change', () => {
  const flags = repeatedFlags(
    readOptions(
      stored('up -y --json --target a --target b --refresh --on-error rollback -p 3 --policy-pack p'),
      7,
    ),
    flagsOf('resume --diff'),
  );
  test('decide what is done when it is gone on with', () => {
    expect(flags.list('target')).toEqual(['a', 'b']);
    expect(flags.on('refresh')).toBe(true);
    expect(flags.on('target-dependents')).toBe(false);
    expect(flags.text('on-error')).toBe('rollback');
    expect(flags.count('parallel')).toBe(3);
  });
  test('have paths that hold everywhere', () => expect(flags.list('policy-pack')).toEqual(['/project/p']));
  test('leave to the command at hand how it is shown and confirmed', () => {
    expect(flags.on('diff')).toBe(true);
    expect(flags.on('json')).toBe(false);
    expect(flags.on('yes')).toBe(false);
  });
  test('are those of the record, whatever the command declares', () => {
    expect(flags.has('target')).toBe(true);
    expect(flags.text('backend-url')).toBeUndefined();
  });
});

test('a number of steps at a time that is given now wins', () => {
  const options = readOptions(stored('up -p 3'), 7);
  expect(repeatedFlags(options, flagsOf('resume -p 5')).count('parallel')).toBe(5);
});

test.each(['up --on-error stop', 'up --continue-on-error', 'up'])(
  'an error policy that is given now wins over that of %p',
  (line) => {
    const flags = repeatedFlags(readOptions(stored(line), 7), flagsOf('resume --yes --on-error rollback'));
    expect(errorPolicy(flags)).toEqual({ onError: 'rollback', continueOnError: false });
  },
);

test('failure domains that are given now win', () => {
  const options = readOptions(stored('up --isolate component'), 7);
  expect(isolation(repeatedFlags(options, flagsOf('resume --isolate none')))).toBe('none');
  expect(isolation(repeatedFlags(options, flagsOf('resume')))).toBe('component');
});

test('an error policy that is not given now is that of the record', () => {
  const options = readOptions(stored('up --continue-on-error'), 7);
  expect(errorPolicy(repeatedFlags(options, flagsOf('resume')))).toEqual({
    onError: 'continue',
    continueOnError: true,
  });
});

test.each([undefined, null, {}, { version: 2, flags: {} }, { version: 1, flags: { target: [1] } }, 'x'])(
  'options that are %p are refused',
  (options) => {
    let thrown: unknown;
    try {
      readOptions(options as Json, 7);
    } catch (error) {
      thrown = error;
    }
    expect(isCairnError(thrown) && thrown.diagnostics[0]?.code).toBe('CAIRN-JOURNAL-CORRUPT');
  },
);
