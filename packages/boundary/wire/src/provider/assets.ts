import { Archive, isKind, mapValues, some, transformMap } from '@cairn/values';
import type { Asset, PropertyMap, PropertyValue } from '@cairn/values';

/**
 * Restores contents of assets and archives that a provider returned by hash alone. The contents come from `known`,
 * including its archives [PROV-11].
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

/** Returns the same value if nothing about it is known, or nothing is missing. */
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

/** True if the contents, or their location, are known for the value and all its members. */
function isWhole(value: Asset | Archive): boolean {
  if (value.path !== undefined || value.uri !== undefined) return true;
  if (!('assets' in value)) return value.text !== undefined;
  return value.assets !== undefined && Object.values(value.assets).every(isWhole);
}
