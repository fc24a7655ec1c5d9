import type { Urn } from '@cairn/addresses';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';

/**
 * Entries after refreshes have removed some (engine-behaviours-1.md A19, engine-behaviours-2.md A5.5): references to URNs that
 * nothing before an entry provides are dropped, a parent that is gone gives way to the nearest ancestor that is there, if any. A
 * pending delete still provides its URN. `present` in snapshot order, as is the answer; `gone` in any. O(V+E).
 */
export function rebuildReferences(
  present: readonly ResourceEntry[],
  gone: readonly ResourceEntry[],
): readonly ResourceEntry[] {
  const parentOf = survivingParents(new Set(present.map((entry) => entry.urn)), gone);
  const seen = new Set<Urn>();
  return present.map((entry) => {
    const kept = keepKnown(entry, seen, parentOf);
    seen.add(entry.urn);
    return kept;
  });
}

/** The nearest URN that is there, from a parent upwards. Every URN is walked once. */
function survivingParents(
  present: ReadonlySet<Urn>,
  gone: readonly ResourceEntry[],
): (parent: Urn) => Urn | undefined {
  const above = new Map(gone.map((entry) => [entry.urn, entry.parent]));
  return (parent) => {
    const passed: Urn[] = [];
    let urn: Urn | undefined = parent;
    while (urn !== undefined && !present.has(urn)) {
      passed.push(urn);
      urn = above.get(urn);
    }
    for (const each of passed) above.set(each, urn);
    return urn;
  };
}

function keepKnown(
  entry: ResourceEntry,
  seen: ReadonlySet<Urn>,
  parentOf: (parent: Urn) => Urn | undefined,
): ResourceEntry {
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
  if (entry.parent !== undefined) {
    const parent = parentOf(entry.parent);
    if (parent !== entry.parent) changes.parent = parent;
  }
  return Object.keys(changes).length === 0 ? entry : withEntry(entry, changes);
}

/** The entry without references to what is not there. Itself when everything is. A parent that is gone leaves none. */
export function withKnownReferences(entry: ResourceEntry, known: (urn: Urn) => boolean): ResourceEntry {
  const changes: { -readonly [K in keyof ResourceEntry]?: ResourceEntry[K] } = {};
  if (!entry.dependencies.every(known)) changes.dependencies = entry.dependencies.filter(known);
  if (!entry.replaceWith.every(known)) changes.replaceWith = entry.replaceWith.filter(known);
  const properties = Object.entries(entry.propertyDependencies);
  if (!properties.every(([, urns]) => urns.every(known)))
    changes.propertyDependencies = Object.fromEntries(
      properties.map(([key, urns]) => [key, urns.filter(known)]),
    );
  if (entry.deletedWith !== undefined && !known(entry.deletedWith)) changes.deletedWith = undefined;
  if (entry.parent !== undefined && !known(entry.parent)) changes.parent = undefined;
  return Object.keys(changes).length === 0 ? entry : withEntry(entry, changes);
}
