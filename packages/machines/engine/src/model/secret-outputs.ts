import type { ResourceEntry } from '@cairn/state';
import { containsSecret, getProperty, isMap, kindOf, newMap, secret } from '@cairn/values';
import type { MutablePropertyMap, PropertyMap, PropertyValue } from '@cairn/values';

/**
 * Returns the outputs with the necessary marks [REG-8]. A property is secret if its same-named input is secret, or if
 * the entry lists it. `id` is never secret. Maps on both sides are compared property by property. Any other input that
 * contains a secret makes the whole output secret, unless the provider has marked the secrets in it. Returns the same
 * map if every mark is there.
 */
export function markSecretOutputs(
  outputs: PropertyMap,
  { inputs, additionalSecretOutputs }: Pick<ResourceEntry, 'inputs' | 'additionalSecretOutputs'>,
): PropertyMap {
  const like = markLike(outputs, inputs);
  const hidden = additionalSecretOutputs.filter(
    (key) =>
      key !== 'id' && Object.hasOwn(outputs, key) && kindOf(outputs[key] as PropertyValue) !== 'secret',
  );
  if (hidden.length === 0) return like;
  const marked = Object.assign(newMap(), like);
  for (const key of hidden) marked[key] = secret(outputs[key] as PropertyValue);
  return marked;
}

function markLike(outputs: PropertyMap, inputs: PropertyMap): PropertyMap {
  let marked: MutablePropertyMap | undefined;
  for (const key in outputs) {
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
