import { parseProviderReference } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { eachReference, references, walk, withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { Slot } from '../../model/slot.js';
import { withKnownReferences } from '../../prior/rebuild.js';
import type { LiveState } from '../../record/live-state.js';

/**
 * The entry as it can stand in the snapshot now: without references to what is not back yet, and without those to what
 * itself builds on the entry as yet, which is so when a change has turned the order of two resources around. They are
 * written once the others are as they were. `slot`: the seat that it takes; undefined: a new one. O(E) when it refers
 * to more than the entry on the seat, else O(its references).
 */
export function storable(live: LiveState, entry: ResourceEntry, slot: Slot | undefined): ResourceEntry {
  const isThere = (urn: Urn) => live.live(urn) !== undefined || live.leaving(urn).length > 0;
  if (slot === undefined || slot.gone) return withKnownReferences(entry, isThere);
  const already = references(slot.entry);
  const buildsOn = builders(live, slot);
  const right = withKnownReferences(entry, (urn) => isThere(urn) && (already.has(urn) || !buildsOn(urn)));
  const { provider } = right;
  if (provider === undefined || provider === slot.entry.provider) return right;
  // No entry is without its provider: it keeps the present one for as long.
  const { urn } = parseProviderReference(provider);
  return isThere(urn) && !buildsOn(urn) ? right : withEntry(right, { provider: slot.entry.provider });
}

/**
 * Whether the owner of a URN refers to what is on the seat, perhaps by way of others. No seat is walked twice, apart
 * from those on the way.
 */
function builders(live: LiveState, taken: Slot): (urn: Urn) => boolean {
  const clean = new Set<Slot>();
  return (urn) => {
    const ownerOf = (needed: Urn, enter: (seat: Slot) => void) => {
      const seat = live.live(needed);
      if (seat !== undefined && !clean.has(seat)) enter(seat);
    };
    const owners: Slot[] = [];
    ownerOf(urn, (seat) => owners.push(seat));
    const walked: Slot[] = [];
    for (const seat of walk(owners, (each, enter) =>
      eachReference(each.entry, (needed) => ownerOf(needed, enter)),
    )) {
      if (seat === taken) return true;
      walked.push(seat);
    }
    for (const seat of walked) clean.add(seat);
    return false;
  };
}
