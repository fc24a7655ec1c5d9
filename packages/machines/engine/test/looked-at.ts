import type { ResourceEntry, Snapshot } from '@cairn/state';

/**
 * Returns an entry as the fold of an operation with refreshes leaves it: properties without dependencies have no list
 * [JRN-4].
 */
export function lookedAt(entry: ResourceEntry): ResourceEntry {
  const kept = Object.entries(entry.propertyDependencies).filter(([, urns]) => urns.length > 0);
  return { ...entry, propertyDependencies: Object.fromEntries(kept) };
}

/** Returns a snapshot of such entries. */
export function snapshotLookedAt(snapshot: Snapshot): Snapshot {
  return { ...snapshot, resources: snapshot.resources.map(lookedAt) };
}
