import type { Urn } from '@cairn/addresses';
import { changedReferences, renamedReferences, withEntry } from '@cairn/state';
import type { ChangedReferences, ReferenceKind, ResourceEntry } from '@cairn/state';

/**
 * Rebuilds entries after refreshes have removed some [REF-6]. References to URNs that no entry before provides are
 * dropped. A missing parent is replaced by its nearest existing ancestor, if any. A pending delete still provides its
 * URN. `present` and the result are in snapshot order, `gone` in any. O(V+E).
 */
export function rebuildReferences(
  present: readonly ResourceEntry[],
  gone: readonly ResourceEntry[],
): readonly ResourceEntry[] {
  const parentOf = survivingParents(new Set(present.map((entry) => entry.urn)), gone);
  const seen = new Set<Urn>();
  const keep = (urn: Urn, kind: ReferenceKind) =>
    kind === 'parent' ? parentOf(urn) : seen.has(urn) ? urn : undefined;
  return present.map((entry) => {
    const kept = withReferences(entry, changedReferences(entry, keep, 'go'));
    seen.add(entry.urn);
    return kept;
  });
}

/** Returns a function that finds the nearest existing URN, from a parent upwards. Every URN is walked once. */
function survivingParents(
  present: ReadonlySet<Urn>,
  gone: readonly ResourceEntry[],
): (parent: Urn) => Urn | undefined {
  const above = new Map(gone.map((entry) => [entry.urn, entry.parent]));
  return (parent) => {
    if (present.has(parent)) return parent;
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

/**
 * Returns the entry without references to unknown URNs; the same entry if all are known. An unknown parent leaves none.
 */
export function withKnownReferences(entry: ResourceEntry, known: (urn: Urn) => boolean): ResourceEntry {
  return withReferences(
    entry,
    changedReferences(entry, (urn) => (known(urn) ? urn : undefined)),
  );
}

/** Returns the entry with its references to resources renamed; the same entry if none changes. */
export function withRenamedReferences(entry: ResourceEntry, rename: (urn: Urn) => Urn): ResourceEntry {
  return withReferences(entry, renamedReferences(entry, rename));
}

function withReferences(entry: ResourceEntry, changed: ChangedReferences<Urn> | undefined): ResourceEntry {
  return changed === undefined ? entry : withEntry(entry, changed as Partial<ResourceEntry>);
}
