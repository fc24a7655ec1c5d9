import { unreachableKind } from './unreachable-kind.js';
import { kindOf } from './value.js';
import type {
  Archive,
  Asset,
  ByteString,
  OutputValue,
  PropertyArray,
  PropertyMap,
  PropertyValue,
  ResourceReference,
  Secret,
} from './value.js';

/**
 * Deep equality. NaN equals itself and -0 equals 0. Assets and archives are equal when both have a hash and the hashes
 * are equal, whatever their source; without hashes their sources are compared. A secret equals
 * only a secret. Strip secrets first where the mark must not count.
 */
// [VAL-5]
export function equal(a: PropertyValue, b: PropertyValue): boolean {
  if (a === b) return true;
  const kind = kindOf(a);
  if (kind !== kindOf(b)) return false;
  switch (kind) {
    case 'null':
    case 'unknown':
      return true;
    case 'boolean':
    case 'string':
      return false;
    case 'number':
      return Number.isNaN(a) && Number.isNaN(b);
    case 'array':
      return equalArrays(a as PropertyArray, b as PropertyArray);
    case 'object':
      return equalMaps(a as PropertyMap, b as PropertyMap);
    case 'secret':
      return equal((a as Secret).value, (b as Secret).value);
    case 'output':
      return equalOutputs(a as OutputValue, b as OutputValue);
    case 'asset':
      return equalAssets(a as Asset, b as Asset);
    case 'archive':
      return equalArchives(a as Archive, b as Archive);
    case 'reference':
      return equalReferences(a as ResourceReference, b as ResourceReference);
    case 'bytes':
      return Buffer.compare((a as ByteString).bytes, (b as ByteString).bytes) === 0;
    default:
      return unreachableKind(kind);
  }
}

/** Deep equality of two maps: same keys, equal values. */
export function equalMaps(a: PropertyMap, b: PropertyMap): boolean {
  if (a === b) return true;
  let more = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key)) return false;
    if (!equal(a[key] as PropertyValue, b[key] as PropertyValue)) return false;
    more += 1;
  }
  for (const _key in b) more -= 1;
  return more === 0;
}

function equalArrays(a: PropertyArray, b: PropertyArray): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++)
    if (!equal(a[at] as PropertyValue, b[at] as PropertyValue)) return false;
  return true;
}

function equalOutputs(a: OutputValue, b: OutputValue): boolean {
  if (a.secret !== b.secret || a.dependencies.length !== b.dependencies.length) return false;
  if (!a.dependencies.every((urn, index) => urn === b.dependencies[index])) return false;
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equal(a.value, b.value);
}

function equalAssets(a: Asset, b: Asset): boolean {
  if (a.hash !== undefined || b.hash !== undefined) return a.hash === b.hash;
  return a.text === b.text && a.path === b.path && a.uri === b.uri;
}

function equalArchives(a: Archive, b: Archive): boolean {
  if (a.hash !== undefined || b.hash !== undefined) return a.hash === b.hash;
  if (a.path !== b.path || a.uri !== b.uri) return false;
  if (a.assets === undefined || b.assets === undefined) return a.assets === b.assets;
  return equalMaps(a.assets, b.assets);
}

function equalReferences(a: ResourceReference, b: ResourceReference): boolean {
  if (a.urn !== b.urn) return false;
  return equal(a.id ?? null, b.id ?? null);
}
