import { parseProviderReference } from '@cairn/addresses';
import type { ReferenceKind, ResourceEntry } from '@cairn/state';

/**
 * Location of an entry in the journal: its base index, or the operation id of the journal entry that added it [JRN-1].
 */
export type StatePlace =
  { readonly t: 'base'; readonly index: number } | { readonly t: 'new'; readonly operationId: number };

/**
 * Holder of one entry of the live snapshot, with an identity that outlives changes of the entry. Only `LiveState`
 * changes a cell.
 */
export interface Cell {
  /** Current entry. Rules that need an earlier version keep their own reference: entries are immutable. */
  readonly entry: ResourceEntry;
  readonly place: StatePlace;
  /** True if the entry has left the snapshot. */
  readonly gone: boolean;
  /** True if `entry` differs from the result of a journal replay: a `same` step whose write was deferred [STATE-7]. */
  readonly unwritten: boolean;
}

/**
 * Returns the entry that a reference to a provider names by its id. `cells` are the entries of its URN: several while a
 * provider is replaced. Undefined for other kinds of references, and if none has the id.
 */
export function providerNamed<C extends Cell>(
  cells: Iterable<C>,
  kind: ReferenceKind,
  reference: string | undefined,
): C | undefined {
  if (kind !== 'provider' || reference === undefined) return undefined;
  const { id } = parseProviderReference(reference);
  for (const cell of cells) if (cell.entry.id === id) return cell;
  return undefined;
}
