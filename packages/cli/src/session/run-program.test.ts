import { parseCommandLine } from '../commands/parse.js';
import { commandTable } from '../commands/table.js';
import { runsProgram } from './run-program.js';

test.each([
  ['destroy', {}, false],
  ['destroy --run-program', {}, true],
  ['refresh --run-program', {}, true],
  ['up --refresh --run-program', {}, true],
  ['preview --refresh --run-program', {}, true],
  ['refresh', { PULUMI_RUN_PROGRAM: 'true' }, true],
  ['refresh', { CAIRN_RUN_PROGRAM: '0', PULUMI_RUN_PROGRAM: '1' }, false],
  ['destroy', { PULUMI_OPTION_RUN_PROGRAM: '1' }, true],
])('cairn %s %j runs the program: %s', (line, env: Record<string, string>, runs) => {
  const parsed = parseCommandLine(commandTable, line.split(' '), env);
  if (parsed.t !== 'command') throw new Error(`not a command: ${parsed.text}`);
  expect(runsProgram({ env }, parsed.invocation.flags)).toBe(runs);
});
