import { cairnError } from '@cairn/diagnostics';

/** An error about a file that should be a state. */
export function refusedState(source: string, problem: string, hint: string, cause?: unknown): Error {
  return cairnError('CAIRN-TERRAFORM-STATE', `${source}: ${problem}`, { hint }, cause);
}

/** What to do about a file that is damaged. */
export const DAMAGED =
  'Nothing was changed. Take the state from where Terraform keeps it, with `terraform state pull`, or from a backup.';
