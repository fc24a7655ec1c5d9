import { getProperty, isMap, isSecret, newMap, secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';

/**
 * Merges the inputs that a provider read with those that the user supplied [IMP-4]. A supplied value fills one that the
 * provider omitted or read as null, and its secret marks apply. It never overrides a value.
 */
export function mergeSupplied(read: PropertyMap, supplied: PropertyMap): PropertyMap {
  const merged = Object.assign(newMap(), read);
  for (const key of Object.keys(supplied)) {
    const value = getProperty(read, key);
    const given = supplied[key] as PropertyValue;
    merged[key] = value === undefined || value === null ? given : withSecrets(value, given);
  }
  return merged;
}

/** Returns the value, marked secret wherever `given` is. */
function withSecrets(value: PropertyValue, given: PropertyValue): PropertyValue {
  if (isSecret(value)) return value;
  if (isSecret(given)) return secret(value);
  if (!isMap(value) || !isMap(given)) return value;
  const marked = Object.assign(newMap(), value);
  for (const key of Object.keys(value)) {
    const own = getProperty(given, key);
    if (own !== undefined) marked[key] = withSecrets(value[key] as PropertyValue, own);
  }
  return marked;
}

/** Returns only the named inputs, or all of them if none is named. */
export function keepInputs(inputs: PropertyMap, properties: readonly string[]): PropertyMap {
  if (properties.length === 0) return inputs;
  const kept = newMap();
  for (const key of properties) {
    const value = getProperty(inputs, key);
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}
