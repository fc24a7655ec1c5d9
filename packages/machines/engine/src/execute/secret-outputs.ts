import { containsSecret, getProperty, isMap, kindOf, newMap, secret } from '@cairn/values';
import type { MutablePropertyMap, PropertyMap, PropertyValue } from '@cairn/values';

/**
 * Outputs with the marks they must have [REG-8]: a property whose same-named input is secret, or that is listed, is
 * secret. `id` can never be. Maps on both sides are gone through property by property; any other input with a secret in
 * it makes the whole output secret, unless the provider has marked what is secret in it.
 */
export function markSecretOutputs(
  outputs: PropertyMap,
  inputs: PropertyMap,
  listed: readonly string[],
): PropertyMap {
  const like = markLike(outputs, inputs);
  const hidden = listed.filter((key) => key !== 'id' && Object.hasOwn(outputs, key));
  if (hidden.length === 0) return like;
  const marked = Object.assign(newMap(), like);
  for (const key of hidden) marked[key] = secret(outputs[key] as PropertyValue);
  return marked;
}

function markLike(outputs: PropertyMap, inputs: PropertyMap): PropertyMap {
  let marked: MutablePropertyMap | undefined;
  for (const key of Object.keys(outputs)) {
    const value = outputs[key] as PropertyValue;
    const input = getProperty(inputs, key);
    const right = input === undefined ? value : marks(value, input);
    if (right === value) continue;
    marked ??= Object.assign(newMap(), outputs);
    marked[key] = right;
  }
  return marked ?? outputs;
}

function marks(value: PropertyValue, input: PropertyValue): PropertyValue {
  if (typeof input !== 'object' || input === null || !containsSecret(input)) return value;
  if (isMap(input) && isMap(value)) return markLike(value, input);
  return kindOf(input) !== 'secret' && containsSecret(value) ? value : secret(value);
}
