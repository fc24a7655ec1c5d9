import { parseProviderReference } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { eachReference, references, walk, withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { Cell } from '../../model/cell.js';
import { withKnownReferences } from '../../prior/rebuild.js';
import type { LiveState } from '../../record/live-state.js';

/**
 * Returns the entry as the present snapshot can contain it. It omits references to resources that are not back yet. It
 * also omits references to resources that themselves still build on the entry. This happens when a change has reversed
 * the order of two resources. They are written once the others are back in their earlier state. `cell` is the cell that
 * it takes. Undefined: a new one. O(E) when it refers to more than the entry on the cell, else O(its references).
 */
export function storable(live: LiveState, entry: ResourceEntry, cell: Cell | undefined): ResourceEntry {
  const isThere = (urn: Urn) => live.live(urn) !== undefined || live.leaving(urn).length > 0;
  if (cell === undefined || cell.gone) return withKnownReferences(entry, isThere);
  const already = references(cell.entry);
  const buildsOn = builders(live, cell);
  const right = withKnownReferences(
    entry,
    (urn) => isThere(urn) && (already.includes(urn) || !buildsOn(urn)),
  );
  const { provider } = right;
  if (provider === undefined || provider === cell.entry.provider) return right;
  // Every entry has a provider: meanwhile it keeps the present one.
  const { urn } = parseProviderReference(provider);
  return isThere(urn) && !buildsOn(urn) ? right : withEntry(right, { provider: cell.entry.provider });
}

/**
 * Returns a test: does the owner of a URN refer to the entry of the cell, possibly through others? No cell is walked
 * twice, apart from those on the way.
 */
function builders(live: LiveState, taken: Cell): (urn: Urn) => boolean {
  const clean = new Set<Cell>();
  return (urn) => {
    const ownerOf = (needed: Urn, enter: (cell: Cell) => void) => {
      const cell = live.live(needed);
      if (cell !== undefined && !clean.has(cell)) enter(cell);
    };
    const owners: Cell[] = [];
    ownerOf(urn, (cell) => owners.push(cell));
    const walked: Cell[] = [];
    for (const cell of walk(owners, (each, enter) =>
      eachReference(each.entry, (needed) => ownerOf(needed, enter)),
    )) {
      if (cell === taken) return true;
      walked.push(cell);
    }
    for (const cell of walked) clean.add(cell);
    return false;
  };
}
