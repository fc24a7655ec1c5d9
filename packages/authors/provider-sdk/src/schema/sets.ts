import { isArray, isMap, isSecret, newMap, secret, toPlain } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { PropertySpec, ShapeSpec, TypeSpec } from './property.js';

/** Sorts the items of each set and removes duplicates, so that equal sets are equal lists. */
export function withSortedSets(shape: ShapeSpec, map: PropertyMap): PropertyMap {
  const sorted = newMap();
  for (const key of Object.keys(map)) sorted[key] = sortedIn(shape[key], map[key] as PropertyValue);
  return sorted;
}

function sortedIn(spec: PropertySpec | undefined, value: PropertyValue): PropertyValue {
  if (spec === undefined) return value;
  if (isSecret(value)) return secret(sortedIn(spec, value.value));
  return sorted(spec.type, value);
}

function sorted(type: TypeSpec, value: PropertyValue): PropertyValue {
  if (type.kind === 'array' && isArray(value)) {
    const items = value.map((item) => sortedIn(type.items, item));
    if (type.unordered !== true) return items;
    const byText = new Map(items.map((item) => [textOf(toPlain(item)), item]));
    return [...byText.keys()].sort().map((text) => byText.get(text) as PropertyValue);
  }
  if (type.kind === 'map' && isMap(value)) {
    const map = newMap();
    for (const key of Object.keys(value)) map[key] = sortedIn(type.values, value[key] as PropertyValue);
    return map;
  }
  if (type.kind === 'object' && isMap(value)) return withSortedSets(type.properties, value);
  return value;
}

/** Returns the same text for equal values, regardless of the order of their keys. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ''
  );
}
