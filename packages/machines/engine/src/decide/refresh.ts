import { isProviderType } from '@cairn/addresses';
import { equalMaps } from '@cairn/values';
import type { ResourceEntry } from '@cairn/state';
import { wantsReplacement } from './replace-on-changes.js';
import type { DiffKind, DiffResponse } from '@cairn/wire';
import type { StepDiff } from '../model/step.js';
import type { RefreshResult } from '../model/step-view.js';

/** Returns true if a refresh of the entry asks the provider at all. */
export function isReadable(entry: ResourceEntry): boolean {
  return entry.custom && !isProviderType(entry.type) && !entry.pendingReplacement && entry.id !== '';
}

/** Returns true if the provider's diff judges drift. External entries compare outputs only. */
export function isDiffed(entry: ResourceEntry): boolean {
  return !entry.external;
}

/**
 * Returns the result of a refresh whose object still exists. `diff` compares read values with the previous inputs. It
 * is undefined for external entries.
 */
export function refreshResult(
  old: ResourceEntry,
  found: ResourceEntry,
  diff: DiffResponse | undefined,
): RefreshResult {
  if (diff === undefined) return equalMaps(old.outputs, found.outputs) ? 'same' : 'update';
  return diff.changes === 'some' || wantsReplacement(diff) ? 'update' : 'same';
}

/**
 * Returns the difference found by a look-up, from the diff that would revert it: its additions are missing, and vice
 * versa. A look-up replaces nothing. Keys that a provider names although nothing differs are omitted.
 */
export function foundDiff(result: RefreshResult, { changedKeys, detailedDiff }: DiffResponse): StepDiff {
  const found = Object.entries(detailedDiff ?? {}).map(
    ([path, { kind, inputDiff }]) => [path, { kind: FOUND[kind], inputDiff }] as const,
  );
  return {
    replaceKeys: [],
    changedKeys: result === 'same' ? [] : changedKeys,
    detailedDiff: detailedDiff === undefined ? undefined : Object.fromEntries(found),
  };
}

const FOUND = {
  add: 'delete',
  'add-replace': 'delete-replace',
  delete: 'add',
  'delete-replace': 'add-replace',
  update: 'update',
  'update-replace': 'update-replace',
} as const satisfies Record<DiffKind, DiffKind>;
