import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';

/** The error of an append to a segment that somebody else has fenced: nothing of it counts. */
export function segmentFenced(key: string): CairnError {
  return cairnError('CAIRN-LEASE-LOST', `cannot append to "${key}": another process has taken it over`, {
    hint: 'What was recorded before is kept. Find out who works on the stack now before you run the command again.',
  });
}
