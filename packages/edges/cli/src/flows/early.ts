import { startEarly } from '@cairn/operations/early';
import type { EarlyStart } from '@cairn/operations/early';
import type { Flags, Invocation } from '../command-spec.js';
import type { CommandContext } from '../command-context.js';
import { isOn, stackChoice, textOf } from './stack-choice.js';

/** Begins the work of an operation that needs none of its code. `program` tells when its program runs. */
export function beginEarly(
  { flags }: Invocation,
  { env, cwd }: CommandContext,
  program: EarlyUse,
): Promise<EarlyStart> {
  // Each of several stacks begins in its turn.
  if (flags.has('stacks') && flags.list('stacks').length > 0)
    return Promise.resolve({ program: undefined, end: () => Promise.resolve() });
  return startEarly({ env, cwd }, stackChoice(flags), { runsProgram: runsProgram(flags, program) });
}

/**
 * Condition under which the program of a command runs: always, with `--run-program`, or depending on the stack's
 * records.
 */
export type EarlyUse = 'always' | 'asked' | 'unknown';

/** True if this process will run the program of the project, and no debugger must see it start. */
function runsProgram(flags: Flags, program: EarlyUse): boolean {
  if (program === 'unknown' || (program === 'asked' && !isOn(flags, 'run-program'))) return false;
  const isElsewhere = ['detach', 'no-wait'].some((name) => isOn(flags, name));
  return !isElsewhere && ['client', 'attach-debugger'].every((name) => textOf(flags, name) === undefined);
}
