import { changedKeys, diffMaps, formatPath } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { DiffResponse, PropertyDiff } from '@cairn/wire';
import { ignoreChanges } from './ignore-changes.js';

/**
 * Compares inputs structurally, for providers that cannot answer [DIFF-4]. Applies ignoreChanges, disregards secret and
 * output wrappers, and marks every path as an input difference. Never asks for a replacement.
 */
export function structuralDiff(
  olds: PropertyMap,
  news: PropertyMap,
  ignored: readonly string[],
): DiffResponse {
  const changes = diffMaps(olds, ignored.length === 0 ? news : ignoreChanges(news, olds, ignored).inputs);
  const detailed: Record<string, PropertyDiff> = {};
  for (const change of changes) detailed[formatPath(change.path)] = { kind: change.kind, inputDiff: true };
  return {
    changes: changes.length === 0 ? 'none' : 'some',
    replaceKeys: [],
    changedKeys: changedKeys(changes),
    stableKeys: [],
    detailedDiff: detailed,
    deleteBeforeReplace: false,
  };
}

/**
 * Resolves the answer `unknown` of a provider by {@link structuralDiff}. The provider's own requests for replacement
 * are kept. The result has no details if nothing differs and the provider gave none.
 */
export function resolveUnknown(
  diff: DiffResponse,
  olds: PropertyMap,
  news: PropertyMap,
  ignored: readonly string[],
): DiffResponse {
  if (diff.changes !== 'unknown') return diff;
  const own = structuralDiff(olds, news, ignored);
  const isSame = own.changes === 'none';
  return {
    ...own,
    ...(isSame && diff.detailedDiff === undefined ? { detailedDiff: undefined } : {}),
    replaceKeys: diff.replaceKeys,
    stableKeys: diff.stableKeys,
    deleteBeforeReplace: diff.deleteBeforeReplace,
  };
}
