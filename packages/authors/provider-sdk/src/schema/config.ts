import { isSecret, mapValues, secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { ShapeSpec, TypeSpec } from './property.js';

/** Keys of a provider resource that belong to the engine. */
// [PROV-6]
const ENGINE_KEYS = new Set(['version', '__internal', 'pluginDownloadURL']);

/** Returns the configuration without the engine's keys. */
export function ownConfig(given: PropertyMap): PropertyMap {
  return Object.fromEntries(Object.entries(given).filter(([key]) => !ENGINE_KEYS.has(key)));
}

/**
 * Converts texts, as configuration files and environments contain them, to values of their properties. Unreadable texts
 * remain.
 */
export function readTexts(shape: ShapeSpec, given: PropertyMap): PropertyMap {
  return mapValues(given, (value, key) => {
    const spec = shape[key];
    if (spec === undefined) return value;
    if (isSecret(value)) return secret(readText(spec.type, value.value));
    return readText(spec.type, value);
  });
}

function readText(type: TypeSpec, value: PropertyValue): PropertyValue {
  if (typeof value !== 'string' || type.kind === 'string') return value;
  try {
    return JSON.parse(value) as PropertyValue;
  } catch {
    return value;
  }
}
