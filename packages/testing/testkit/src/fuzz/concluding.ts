import type { WantedOperation } from './fuzz-case.js';

/** An up in which nothing is limited, protected or fails: how every case ends. */
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

/** Globs for resources by the numbers of their names, under any parent. */
export function patterns(names: readonly number[]): readonly string[] {
  return names.map((name) => `**::r${name}`);
}
