import { isKind, kindOf, some, transformMap } from '@cairn/values';
import type {
  Archive,
  Asset,
  OutputValue,
  PropertyArray,
  PropertyMap,
  PropertyPath,
  PropertyValue,
  Secret,
} from '@cairn/values';
import { isAssetError } from './asset-error.js';
import { lacksHash, withOwnHashes } from './hash.js';

/** Looks for any asset or archive in the value that lacks a hash. Synchronous; stops at the first. */
export function needsHashes(value: PropertyValue): boolean {
  return some(value, (item) => isSource(item) && lacksHash(item));
}

/**
 * Returns the map with the missing hashes of its assets and archives [VAL-6], or the same map if none is missing.
 * Sources are read one at a time, once each, in the order of the properties. Relative paths count from `baseDirectory`.
 * Throws an {@link AssetError} that names the property.
 */
export async function withHashes(map: PropertyMap, baseDirectory: string): Promise<PropertyMap> {
  const filled = new Map<PropertyValue, Asset | Archive>();
  for (const { value, path, secret } of lacking(map, [], false)) {
    if (filled.has(value)) continue;
    try {
      filled.set(value, await withOwnHashes(value, baseDirectory));
    } catch (error) {
      throw isAssetError(error) ? error.at(path, secret) : error;
    }
  }
  return filled.size === 0 ? map : transformMap(map, (value) => filled.get(value) ?? value);
}

interface Lacking {
  readonly value: Asset | Archive;
  readonly path: PropertyPath;
  readonly secret: boolean;
}

function* lacking(value: PropertyValue, path: PropertyPath, secret: boolean): Generator<Lacking> {
  switch (kindOf(value)) {
    case 'array':
      for (const [index, item] of (value as PropertyArray).entries())
        yield* lacking(item, [...path, index], secret);
      return;
    case 'object':
      for (const [key, item] of Object.entries(value as PropertyMap))
        yield* lacking(item, [...path, key], secret);
      return;
    case 'secret':
      yield* lacking((value as Secret).value, path, true);
      return;
    case 'output': {
      const output = value as OutputValue;
      if (output.value !== undefined) yield* lacking(output.value, path, secret || output.secret);
      return;
    }
    default:
      if (isSource(value) && lacksHash(value)) yield { value, path, secret };
  }
}

function isSource(value: PropertyValue): value is Asset | Archive {
  return isKind(value, 'asset') || isKind(value, 'archive');
}
