import type { ResourceEntry } from '@cairn/state';

/** Where the journal finds an entry: its base index, or the operation id of the journal entry that added it [JRN-1]. */
export type Place =
  { readonly t: 'base'; readonly index: number } | { readonly t: 'new'; readonly operationId: number };

/**
 * The holder of one entry of the live snapshot: an identity that outlives changes of the entry. Only `LiveState`
 * changes a cell.
 */
export interface Cell {
  /** The entry as it is now. Rules that need it as it was keep their own reference: entries are immutable. */
  readonly entry: ResourceEntry;
  readonly place: Place;
  /** The entry has left the snapshot. */
  readonly gone: boolean;
  /** `entry` differs from what the journal would replay: a `same` whose writing was put off [STATE-7]. */
  readonly unwritten: boolean;
}
