import { startEarly } from '@cairn/operations/early';
import type { EarlyStart } from '@cairn/operations/early';
import type { Invocation } from '../command-spec.js';
import type { OperationFlags } from '../flags/operation.js';
import type { CommandContext } from '../command-context.js';
import { stackChoice } from './stack-choice.js';

/** Begins the work of an operation that needs none of its code. `program` tells when its program runs. */
export function beginEarly(
  { flags }: Invocation<OperationFlags>,
  { env, cwd }: CommandContext,
  program: EarlyUse,
): Promise<EarlyStart> {
  // Each of several stacks begins in its turn.
  if ((flags.stacks ?? []).length > 0)
    return Promise.resolve({ program: undefined, end: () => Promise.resolve() });
  return startEarly({ env, cwd }, stackChoice(flags), { runsProgram: runsProgram(flags, program) });
}

/**
 * Condition under which the program of a command runs: always, with `--run-program`, or depending on the stack's
 * records.
 */
export type EarlyUse = 'always' | 'asked' | 'unknown';

/** True if this process will run the program of the project, and no debugger must see it start. */
function runsProgram(flags: OperationFlags, program: EarlyUse): boolean {
  if (program === 'unknown' || (program === 'asked' && !flags.runProgram)) return false;
  const isElsewhere = flags.detach === true || flags.noWait === true;
  return !isElsewhere && flags.client === undefined && flags.attachDebugger === undefined;
}
