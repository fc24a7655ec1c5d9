import type { ResourceEntry, Snapshot } from '@cairn/state';

/**
 * An entry as the fold of an operation that has looked at objects leaves it: properties that depend on nothing have no
 * list [JRN-4].
 */
export function lookedAt(entry: ResourceEntry): ResourceEntry {
  const kept = Object.entries(entry.propertyDependencies).filter(([, urns]) => urns.length > 0);
  return { ...entry, propertyDependencies: Object.fromEntries(kept) };
}

/** A snapshot of such entries. */
export function snapshotLookedAt(snapshot: Snapshot): Snapshot {
  return { ...snapshot, resources: snapshot.resources.map(lookedAt) };
}
