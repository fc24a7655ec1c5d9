import { UNKNOWN, containsUnknown, newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';

/**
 * Returns the inputs of a component at its registration. Late inputs keep their previous values. In the preview of a
 * new component they are unknown [REG-19]. `prior` contains its previous inputs, and is undefined if it is new.
 */
export function withLateInputs(
  inputs: PropertyMap,
  late: readonly string[],
  prior: PropertyMap | undefined,
  preview: boolean,
): PropertyMap {
  if (late.length === 0) return inputs;
  const all = Object.assign(newMap(), inputs);
  const unknown = preview ? UNKNOWN : undefined;
  for (const key of late) {
    const value = prior === undefined ? unknown : prior[key];
    if (value !== undefined) all[key] = value;
  }
  return all;
}

/** Returns the inputs without the late ones. */
export function withoutLateInputs(inputs: PropertyMap, late: readonly string[]): PropertyMap {
  if (late.length === 0) return inputs;
  const rest = Object.assign(newMap(), inputs);
  for (const key of late) delete rest[key];
  return rest;
}

/**
 * Returns the inputs of a component after the late ones have arrived. One without a value is removed. One that is not
 * known in a real run keeps its stored value. `given` is undefined if none have arrived. Returns the same map if
 * nothing differs.
 */
export function completedInputs(
  stored: PropertyMap,
  late: readonly string[],
  given: PropertyMap | undefined,
  preview: boolean,
): PropertyMap {
  if (given === undefined || late.length === 0) return stored;
  const all = withoutLateInputs(stored, late) as Record<string, PropertyMap[string]>;
  for (const key of late) {
    const value = given[key];
    const kept = value !== undefined && !preview && containsUnknown(value) ? stored[key] : value;
    if (kept !== undefined) all[key] = kept;
  }
  return all;
}
