import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { Continued } from '../model/history.js';

/**
 * Returns the goal of rolling back a lineage: the stack as the lineage found it, with the changes that others have made
 * beside it since. `now`: the stack as the operation finds it. O(entries).
 */
export function beforeLineage(
  { before, touched }: Pick<Continued, 'before' | 'touched'>,
  now: readonly ResourceEntry[],
): readonly ResourceEntry[] {
  const others = new Map<Urn, ResourceEntry[]>();
  for (const entry of now) {
    if (touched.has(entry.urn)) continue;
    const known = others.get(entry.urn);
    if (known === undefined) others.set(entry.urn, [entry]);
    else known.push(entry);
  }
  const found: ResourceEntry[] = [];
  for (const entry of before.resources) {
    if (touched.has(entry.urn)) found.push(entry);
    else {
      found.push(...(others.get(entry.urn) ?? []));
      others.delete(entry.urn);
    }
  }
  for (const entries of others.values()) found.push(...entries);
  return found;
}
