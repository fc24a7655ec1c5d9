import { UNKNOWN, newMap } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { ShapeSpec } from '../schema/property.js';

/**
 * Outputs a preview can tell: those with the name of an input have its value, `kept` ones stay, the others are not
 * known. An optional output whose input was left out is left out.
 */
export function previewOutputs(
  outputs: ShapeSpec,
  inputShape: ShapeSpec,
  inputs: PropertyMap,
  kept: { readonly keys: readonly string[]; readonly from: PropertyMap },
): PropertyMap {
  const map = newMap();
  for (const [key, spec] of Object.entries(outputs)) {
    const value: PropertyValue | undefined = inputs[key];
    if (value !== undefined) map[key] = value;
    else if (kept.keys.includes(key) && kept.from[key] !== undefined) map[key] = kept.from[key];
    else if (!(Object.hasOwn(inputShape, key) && spec.presence === 'optional')) map[key] = UNKNOWN;
  }
  return map;
}
