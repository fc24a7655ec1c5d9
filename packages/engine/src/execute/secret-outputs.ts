import { containsSecret, getProperty, newMap, secret } from '@cairn/values';
import type { MutablePropertyMap, PropertyMap, PropertyValue } from '@cairn/values';

/**
 * Outputs with the marks they must have (engine-behaviours-1.md A8): a property whose same-named input is secret, or that
 * is listed, is secret. `id` can never be.
 */
export function markSecretOutputs(
  outputs: PropertyMap,
  inputs: PropertyMap,
  listed: readonly string[],
): PropertyMap {
  let marked: MutablePropertyMap | undefined;
  for (const key of Object.keys(outputs)) {
    const value = outputs[key] as PropertyValue;
    const input = getProperty(inputs, key);
    const hide = (listed.includes(key) && key !== 'id') || (input !== undefined && hasSecret(input));
    if (!hide) continue;
    marked ??= Object.assign(newMap(), outputs);
    marked[key] = secret(value);
  }
  return marked ?? outputs;
}

function hasSecret(value: PropertyValue): boolean {
  return typeof value === 'object' && value !== null && containsSecret(value);
}
