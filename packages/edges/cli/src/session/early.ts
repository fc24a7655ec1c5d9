import { startEarly } from '@cairn/operations/early';
import type { EarlyStart } from '@cairn/operations/early';
import type { Flags, Invocation } from '../command-spec.js';
import type { World } from '../world.js';
import { isOn, stackChoice, textOf } from './stack-choice.js';

/** Begins the work of an operation that needs none of its code. `program`: when its program runs. */
export function beginEarly(
  { flags }: Invocation,
  { env, cwd }: World,
  program: EarlyUse,
): Promise<EarlyStart> {
  // Each of several stacks begins in its turn.
  if (flags.has('stacks') && flags.list('stacks').length > 0)
    return Promise.resolve({ program: undefined, end: () => Promise.resolve() });
  return startEarly({ env, cwd }, stackChoice(flags), { runsProgram: runsProgram(flags, program) });
}

/** When the program of a command runs: always, where `--run-program` is given, or as the stack's records say. */
export type EarlyUse = 'always' | 'asked' | 'unknown';

/** True if this process is going to run the program of the project, and no debugger is to see it start. */
function runsProgram(flags: Flags, program: EarlyUse): boolean {
  if (program === 'unknown' || (program === 'asked' && !isOn(flags, 'run-program'))) return false;
  const isElsewhere = ['detach', 'no-wait'].some((name) => isOn(flags, name));
  return !isElsewhere && ['client', 'attach-debugger'].every((name) => textOf(flags, name) === undefined);
}
