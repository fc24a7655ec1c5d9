import { isKind, some, transformMap } from '@cairn/values';
import type { Archive, Asset, PropertyMap } from '@cairn/values';

/**
 * Gives assets and archives that a provider sent back by hash alone the contents they have in `known`
 * [PROV-11].
 */
export function restoreContents(result: PropertyMap, known: PropertyMap): PropertyMap {
  const byHash = new Map<string, Asset | Archive>();
  some(known, (value) => {
    if ((isKind(value, 'asset') || isKind(value, 'archive')) && value.hash !== undefined)
      byHash.set(value.hash, value);
    return false;
  });
  if (byHash.size === 0) return result;
  return transformMap(result, (value) => {
    if (isKind(value, 'asset')) return hasContents(value) ? value : (find(value) ?? value);
    if (isKind(value, 'archive')) return hasContents(value) ? value : (find(value) ?? value);
    return value;
  });

  function find(value: Asset | Archive): Asset | Archive | undefined {
    return value.hash === undefined ? undefined : byHash.get(value.hash);
  }
}

function hasContents(value: Asset | Archive): boolean {
  if (value.path !== undefined || value.uri !== undefined) return true;
  return ('text' in value && value.text !== undefined) || ('assets' in value && value.assets !== undefined);
}
