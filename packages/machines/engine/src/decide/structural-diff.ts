import { changedKeys, diffMaps, formatPath } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { DiffResponse, PropertyDiff } from '@cairn/wire';
import { ignoreChanges } from './ignore-changes.js';

/**
 * The engine's own comparison of inputs, used where the provider does not know [DIFF-4]: after ignoreChanges, without
 * secret and output wrappers, every path marked as an input difference. Never asks for a replacement.
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
 * A provider's answer with `unknown` resolved by {@link structuralDiff}; the provider's own wishes for replacement are
 * kept. There are no details where nothing differs and the provider gave none.
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
