import { cairnError } from '@cairn/diagnostics';

/** Returns an error about a file that is not a valid state. */
export function refusedState(source: string, problem: string, hint: string, cause?: unknown): Error {
  return cairnError('CAIRN-TERRAFORM-STATE', `${source}: ${problem}`, { hint }, cause);
}

/** Hint for a damaged file. */
export const DAMAGED = 'Nothing was changed. Get the state with `terraform state pull`, or from a backup.';
