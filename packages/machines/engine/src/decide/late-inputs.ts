import { UNKNOWN, containsUnknown, newMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';

/**
 * Inputs of a component when it is registered: those that come later are what they were so far; in the preview of a new
 * one they are unknown [REG-19]. `prior`: its inputs so far; undefined: it is new.
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

/** Inputs without those that come later. */
export function withoutLateInputs(inputs: PropertyMap, late: readonly string[]): PropertyMap {
  if (late.length === 0) return inputs;
  const rest = Object.assign(newMap(), inputs);
  for (const key of late) delete rest[key];
  return rest;
}

/**
 * Inputs of a component once the late ones have come: one without a value goes, one that is not known in a real run
 * stays as it is stored. `given`: undefined where none have come. The same map when nothing differs.
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
