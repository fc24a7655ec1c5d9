import { isProviderType } from '@cairn/addresses';
import { equalMaps } from '@cairn/values';
import type { ResourceEntry } from '@cairn/state';
import { references } from '../prior/references.js';
import { parseProviderReference } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Slot } from '../prior/slot.js';
import { wantsReplacement } from './replace-on-changes.js';
import type { ScopeFacts } from './facts.js';
import type { DiffResponse } from '@cairn/wire';

/** What a refresh found, for displays and for counting drift (engine-behaviours-1.md A19). */
export type RefreshResult = 'same' | 'update' | 'delete';

/** Whether a refresh of the entry asks the provider at all. */
export function isReadable(entry: ResourceEntry): boolean {
  return entry.custom && !isProviderType(entry.type) && !entry.pendingReplacement && entry.id !== '';
}

/** Whether drift is judged by the provider's diff; external entries compare outputs only. */
export function isDiffed(entry: ResourceEntry): boolean {
  return !entry.external;
}

/** Result of a refresh whose object still exists. `diff`: read values against the previous inputs; undefined for external ones. */
export function refreshResult(
  old: ResourceEntry,
  found: ResourceEntry,
  diff: DiffResponse | undefined,
): RefreshResult {
  if (diff === undefined) return equalMaps(old.outputs, found.outputs) ? 'same' : 'update';
  return diff.changes === 'some' || wantsReplacement(diff) ? 'update' : 'same';
}

/**
 * Which entries a refresh looks at, in snapshot order (engine-behaviours-2.md A5): all of them, or the targets and (with
 * dependents) what refers to them other than through its provider.
 */
export function selectRefreshes(
  slots: readonly Slot[],
  scope: ScopeFacts,
  flaggedOnly: boolean,
): readonly Slot[] {
  const growing = new Set<Urn>();
  return slots.filter((slot) => {
    if (flaggedOnly && !slot.entry.refreshBeforeUpdate) return false;
    if (!scope.targets.constrained) return true;
    if (
      !scope.targets.names(slot.entry.urn) &&
      !(scope.targetDependents && dependsOnAny(slot.entry, growing))
    )
      return false;
    growing.add(slot.entry.urn);
    return true;
  });
}

function dependsOnAny(entry: ResourceEntry, urns: ReadonlySet<Urn>): boolean {
  if (urns.size === 0) return false;
  const provider = entry.provider === undefined ? undefined : parseProviderReference(entry.provider).urn;
  for (const urn of references(entry)) if (urn !== provider && urns.has(urn)) return true;
  return false;
}
