import { Archive, isKind, mapValues, some, transformMap } from '@cairn/values';
import type { Asset, PropertyMap, PropertyValue } from '@cairn/values';

/**
 * Gives assets and archives that a provider sent back by hash alone the contents they have in `known`, in archives as
 * well [PROV-11].
 */
export function restoreContents(result: PropertyMap, known: PropertyMap): PropertyMap {
  const byHash = new Map<string, Asset | Archive>();
  some(known, (value) => {
    if (isKind(value, 'asset') || isKind(value, 'archive')) collect(value, byHash);
    return false;
  });
  if (byHash.size === 0) return result;
  return transformMap(result, (value) => restored(value, byHash));
}

function collect(value: Asset | Archive, byHash: Map<string, Asset | Archive>): void {
  if (value.hash !== undefined && isWhole(value)) byHash.set(value.hash, value);
  if ('assets' in value) for (const member of Object.values(value.assets ?? {})) collect(member, byHash);
}

/** The same value where nothing of it is known, or nothing is missing. */
function restored(value: PropertyValue, byHash: ReadonlyMap<string, Asset | Archive>): PropertyValue {
  if (!isKind(value, 'asset') && !isKind(value, 'archive')) return value;
  if (isWhole(value)) return value;
  const known = value.hash === undefined ? undefined : byHash.get(value.hash);
  if (known !== undefined || !isKind(value, 'archive') || value.assets === undefined) return known ?? value;
  const { assets, hash } = value;
  return new Archive({
    assets: mapValues(assets, (member) => restored(member, byHash)) as typeof assets,
    hash,
  });
}

/** Whether contents, or where they are, are known of it and of all that is in it. */
function isWhole(value: Asset | Archive): boolean {
  if (value.path !== undefined || value.uri !== undefined) return true;
  if (!('assets' in value)) return value.text !== undefined;
  return value.assets !== undefined && Object.values(value.assets).every(isWhole);
}
