import { parsePathTolerantly, pathContains } from '@cairn/values';
import type { PropertyPath } from '@cairn/values';
import type { DiffKind, DiffResponse, PropertyDiff } from '@cairn/wire';
import { providerPath } from './provider-path.js';

const INIT_ERROR = '#initerror';

const REPLACE_VARIANT = {
  add: 'add-replace',
  'add-replace': 'add-replace',
  delete: 'delete-replace',
  'delete-replace': 'delete-replace',
  update: 'update-replace',
  'update-replace': 'update-replace',
} as const satisfies Record<DiffKind, DiffKind>;

/**
 * Promotes differences inside listed paths to replacements [DIFF-6]. Nothing is promoted when the diff has no changes.
 * `*` matches everything.
 */
export function promoteReplacements(diff: DiffResponse, replaceOnChanges: readonly string[]): DiffResponse {
  if (diff.changes !== 'some' || replaceOnChanges.length === 0) return diff;
  const containers = replaceOnChanges
    .filter((text) => text !== INIT_ERROR)
    .map((text) => parsePathTolerantly(text));
  const matches = (path: PropertyPath) => containers.some((container) => pathContains(container, path));
  const keys = new Set(diff.replaceKeys);
  for (const key of diff.changedKeys) if (matches([key])) keys.add(key);
  const detailedDiff: Record<string, PropertyDiff> = {};
  for (const [text, entry] of Object.entries(diff.detailedDiff ?? {})) {
    const path = providerPath(text);
    const promoted = matches(path);
    detailedDiff[text] = promoted ? { ...entry, kind: REPLACE_VARIANT[entry.kind] } : entry;
    if (promoted && path[0] !== undefined) keys.add(String(path[0]));
  }
  return {
    ...diff,
    replaceKeys: [...keys],
    detailedDiff: diff.detailedDiff === undefined ? undefined : detailedDiff,
  };
}

/** Returns true if recorded init errors alone ask for a replacement. */
export function initErrorsReplace(replaceOnChanges: readonly string[]): boolean {
  return replaceOnChanges.includes(INIT_ERROR) || replaceOnChanges.includes('*');
}

/** Returns true if a diff asks for a new object. */
export function wantsReplacement(diff: DiffResponse): boolean {
  if (diff.changes !== 'some') return false;
  if (diff.replaceKeys.length > 0) return true;
  return Object.values(diff.detailedDiff ?? {}).some((entry) => entry.kind.endsWith('-replace'));
}
