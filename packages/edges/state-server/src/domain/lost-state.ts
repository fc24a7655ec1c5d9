import { cairnError } from '@cairn/diagnostics';

/**
 * Mark of a stack whose store has lost something that it had acknowledged: the newest state, or records of an update.
 * The time is in seconds since 1970.
 */
export interface LostState {
  readonly at: number;
  readonly what: 'state' | 'update';
}

/** Reads a mark from its text in a row. */
export function lostMarkIn(text: string | null): LostState | undefined {
  return text === null ? undefined : (JSON.parse(text) as LostState);
}

/** Returns the error of a journal that has fewer entries than were acknowledged. */
export function lostEntries(updateId: string): Error {
  return cairnError('CAIRN-STATE-CORRUPT', `the journal of update ${updateId} has lost entries`, {
    hint: 'Restore it from a backup, or put the state of an older version in its place.',
  });
}

/** Returns the mark of a stack as answers have it. */
export function lostFields(lost: LostState | undefined): { readonly lostState?: LostState } {
  return lost === undefined ? {} : { lostState: { at: lost.at, what: lost.what } };
}
