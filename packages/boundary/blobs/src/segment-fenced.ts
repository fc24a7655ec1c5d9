import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';

/** Returns the error of an append to a segment that another process has fenced: no part of it counts. */
export function segmentFenced(key: string): CairnError {
  return cairnError('CAIRN-LEASE-LOST', `cannot append to "${key}": another process has taken it over`, {
    hint: 'What was recorded before is kept. Find out who works on the stack now before you run the command again.',
  });
}
