import type { WantedOperation } from './fuzz-case.js';

/** An up without limits, protection or failures: the end of every case. */
export const FINE: WantedOperation = {
  kind: 'up',
  preview: false,
  runProgram: false,
  refresh: false,
  continueOnError: false,
  ignoreProtect: true,
  program: [],
  scripts: {},
  scope: undefined,
  vanished: [],
  cancelAt: undefined,
};

/** Returns globs for resources by the numbers of their names, under any parent. */
export function patterns(names: readonly number[]): readonly string[] {
  return names.map((name) => `**::r${name}`);
}
