import { isSecret, newMap, secret, some } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { ShapeSpec } from './property.js';

/** Inputs that each output reveals, by output name. */
type Reveals = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * Marks values as secret: those that the schema marks, and those with the name of a secret input or that reveal one.
 */
export function markSecrets(
  map: PropertyMap,
  schema: ShapeSpec,
  inputs: PropertyMap = {},
  reveals: Reveals = {},
): PropertyMap {
  const marked = newMap();
  for (const key of Object.keys(map)) {
    const value = map[key] as PropertyValue;
    const isMarked =
      schema[key]?.secret === true ||
      [key, ...(reveals[key] ?? [])].some((name) => holdsSecret(inputs, name));
    marked[key] = isMarked ? secret(value) : value;
  }
  return marked;
}

function holdsSecret(inputs: PropertyMap, name: string): boolean {
  const input = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  return input !== undefined && some(input, isSecret);
}
