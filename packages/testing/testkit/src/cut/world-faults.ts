import { isProviderType } from '@cairn/addresses';
import type { ChangeRecord } from '@cairn/changes';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { OUTSIDE } from '../fuzz/scripted-world.js';
import type { CutWorld } from './cut-world.js';
import { SECRET } from './sealing.js';

/** Tells whether an entry represents an object of a mock provider, its own or one that it only reads. */
export function hasObject(entry: ResourceEntry): boolean {
  return entry.custom && !entry.pendingReplacement && entry.id !== '' && !isProviderType(entry.type);
}

/**
 * Returns the inconsistencies between a state and its world at rest. These are an object without an entry, an entry
 * without its object, an object with two owners, a step in doubt, and all offences in the world. `released` contains
 * objects that were to be released.
 */
export function worldFaults(
  snapshot: Snapshot,
  world: CutWorld,
  released: ReadonlySet<string>,
): readonly string[] {
  const faults = [...world.offences];
  const owners = new Map<string, ResourceEntry>();
  for (const entry of snapshot.resources) {
    if (!hasObject(entry)) continue;
    const other = owners.get(entry.id);
    if (other !== undefined && !isOutside(entry.id))
      faults.push(`${other.urn} and ${entry.urn} both have ${entry.id}`);
    owners.set(entry.id, entry);
    if (!world.objects.has(entry.id) && !world.excused.has(entry.id) && !isOutside(entry.id))
      faults.push(`${entry.urn} has ${entry.id}, which is not there`);
  }
  for (const [id, { urn }] of world.objects)
    if (!owners.has(id) && !released.has(id) && !isOutside(id)) faults.push(`${id} of ${urn} is an orphan`);
  for (const { type, resource } of snapshot.pendingOperations)
    faults.push(`${type} ${resource.urn} is in doubt at the end`);
  return faults;
}

/** Tells whether objects of this id exist from the beginning. */
function isOutside(id: string): boolean {
  return id.startsWith(OUTSIDE);
}

/** Returns the places in the records where a secret is readable. */
export function secretFaults(records: readonly ChangeRecord[]): readonly string[] {
  return records
    .filter((record) => JSON.stringify(record).includes(SECRET))
    .map((record) => `the secret is readable in record ${record.seq} (${record.record})`);
}
