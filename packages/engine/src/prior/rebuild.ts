import type { Urn } from '@cairn/addresses';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { Slot } from './slot.js';

/**
 * Entries after refreshes have removed some: references to URNs that nothing before an entry provides are dropped, a parent
 * that is gone is cleared (state.md 4.6, so that a replay of the journal comes to the same); see {@link adoptions}. A pending delete still provides
 * its URN. O(V+E).
 */
export function rebuildReferences(entries: readonly ResourceEntry[]): readonly ResourceEntry[] {
  const seen = new Set<Urn>();
  const all = new Set(entries.map((entry) => entry.urn));
  return entries.map((entry) => {
    const kept = keepKnown(entry, seen, all);
    seen.add(entry.urn);
    return kept;
  });
}

function keepKnown(entry: ResourceEntry, seen: ReadonlySet<Urn>, all: ReadonlySet<Urn>): ResourceEntry {
  const changes: { -readonly [K in keyof ResourceEntry]?: ResourceEntry[K] } = {};
  const known = (urn: Urn) => seen.has(urn);
  if (!entry.dependencies.every(known)) changes.dependencies = entry.dependencies.filter(known);
  if (!entry.replaceWith.every(known)) changes.replaceWith = entry.replaceWith.filter(known);
  const properties = Object.entries(entry.propertyDependencies);
  if (properties.some(([, urns]) => urns.length === 0 || !urns.every(known))) {
    const kept = properties.map(([key, urns]) => [key, urns.filter(known)] as const);
    changes.propertyDependencies = Object.fromEntries(kept.filter(([, urns]) => urns.length > 0));
  }
  if (entry.deletedWith !== undefined && !known(entry.deletedWith)) changes.deletedWith = undefined;
  if (entry.parent !== undefined && !all.has(entry.parent)) changes.parent = undefined;
  return Object.keys(changes).length === 0 ? entry : withEntry(entry, changes);
}

/** An entry that gets another parent. */
export interface Adoption {
  readonly slot: Slot;
  readonly entry: ResourceEntry;
}

/**
 * Entries whose parent has gone and that have an ancestor left: the nearest one becomes their parent
 * (engine-behaviours-2.md A5.5). `slots`: all of the base, those that have gone too. O(V), apart from walking up.
 */
export function adoptions(slots: readonly Slot[]): readonly Adoption[] {
  const present = new Set<Urn>();
  const parents = new Map<Urn, Urn | undefined>();
  for (const { gone, entry } of slots) {
    if (gone) parents.set(entry.urn, entry.parent);
    else present.add(entry.urn);
  }
  if (parents.size === 0) return [];
  return slots.flatMap((slot) => {
    if (slot.gone || slot.entry.parent === undefined || present.has(slot.entry.parent)) return [];
    let parent: Urn | undefined = slot.entry.parent;
    while (parent !== undefined && !present.has(parent)) parent = parents.get(parent);
    return parent === undefined ? [] : [{ slot, entry: withEntry(slot.entry, { parent }) }];
  });
}
