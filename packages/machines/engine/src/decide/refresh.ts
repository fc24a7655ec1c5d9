import { isProviderType } from '@cairn/addresses';
import { equalMaps } from '@cairn/values';
import type { ResourceEntry } from '@cairn/state';
import { wantsReplacement } from './replace-on-changes.js';
import type { DiffKind, DiffResponse } from '@cairn/wire';
import type { StepDiff } from '../model/step.js';
import type { RefreshResult } from '../model/step-view.js';

/** Whether a refresh of the entry asks the provider at all. */
export function isReadable(entry: ResourceEntry): boolean {
  return entry.custom && !isProviderType(entry.type) && !entry.pendingReplacement && entry.id !== '';
}

/** Whether drift is judged by the provider's diff; external entries compare outputs only. */
export function isDiffed(entry: ResourceEntry): boolean {
  return !entry.external;
}

/**
 * Result of a refresh whose object still exists. `diff`: read values against the previous inputs; undefined for
 * external ones.
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
 * What a look-up has found, from the diff that would take it back: what that adds is away, and the other way round. A
 * look-up replaces nothing. Keys that a provider names although nothing differs are left out.
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
