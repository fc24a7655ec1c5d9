import { getProperty, isMap, isSecret, newMap, secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';

/**
 * Inputs as a provider reads them, with what the user says about them [IMP-4]: a supplied value fills
 * what the provider left out or read as null, and makes secret what it marks as secret; it never overrides a value.
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

/** The value, secret wherever `given` is. */
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

/** Only the named inputs; all of them when none is named. */
export function keepInputs(inputs: PropertyMap, properties: readonly string[]): PropertyMap {
  if (properties.length === 0) return inputs;
  const kept = newMap();
  for (const key of properties) {
    const value = getProperty(inputs, key);
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}
