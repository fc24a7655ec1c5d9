import { parseProviderReference } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { eachReference, references, walk, withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { Cell } from '../../model/cell.js';
import { withKnownReferences } from '../../prior/rebuild.js';
import type { LiveState } from '../../record/live-state.js';

/**
 * The entry as it can stand in the snapshot now: without references to what is not back yet, and without those to what
 * itself builds on the entry as yet, which is so when a change has turned the order of two resources around. They are
 * written once the others are as they were. `cell`: the cell that it takes; undefined: a new one. O(E) when it refers
 * to more than the entry on the cell, else O(its references).
 */
export function storable(live: LiveState, entry: ResourceEntry, cell: Cell | undefined): ResourceEntry {
  const isThere = (urn: Urn) => live.live(urn) !== undefined || live.leaving(urn).length > 0;
  if (cell === undefined || cell.gone) return withKnownReferences(entry, isThere);
  const already = references(cell.entry);
  const buildsOn = builders(live, cell);
  const right = withKnownReferences(entry, (urn) => isThere(urn) && (already.has(urn) || !buildsOn(urn)));
  const { provider } = right;
  if (provider === undefined || provider === cell.entry.provider) return right;
  // No entry is without its provider: it keeps the present one for as long.
  const { urn } = parseProviderReference(provider);
  return isThere(urn) && !buildsOn(urn) ? right : withEntry(right, { provider: cell.entry.provider });
}

/**
 * Whether the owner of a URN refers to what is on the cell, perhaps by way of others. No cell is walked twice, apart
 * from those on the way.
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
