import type { Urn } from '@cairn/addresses';
import { OutputValue, isOutputValue, isSecret, isUnknown, mapValues, transformMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';

/**
 * Converts a map for peers that accept output values. Secret or unknown values, at any depth, become output values
 * [VAL-3] [PRG-13].
 */
export function withOutputValues(map: PropertyMap): PropertyMap {
  return transformMap(map, (value) => {
    if (isUnknown(value)) return new OutputValue(undefined, false, []);
    if (!isSecret(value)) return value;
    const inner = value.value;
    if (!isOutputValue(inner)) return new OutputValue(inner, true, []);
    return new OutputValue(inner.value, true, inner.dependencies);
  });
}

/** Does the same as {@link withOutputValues}, and adds its dependencies to every property [XFORM-5] [PROV-12]. */
export function withDependencies(
  map: PropertyMap,
  byProperty: Readonly<Record<string, readonly Urn[]>>,
): PropertyMap {
  return mapValues(withOutputValues(map), (value, key) => carrying(value, byProperty[key] ?? []));
}

function carrying(value: PropertyValue, urns: readonly Urn[]): PropertyValue {
  if (urns.length === 0) return value;
  if (isOutputValue(value))
    return new OutputValue(value.value, value.secret, [...new Set([...value.dependencies, ...urns])]);
  return new OutputValue(value, false, urns);
}
