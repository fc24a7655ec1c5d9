import { isSecret, kindOf, newMap, secret, some } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { deserialize } from '../../values/deserialize.js';
import { fromPlain } from '../../values/from-plain.js';
import type { Values } from './module.js';

/** Converts inputs or outputs for handlers: secrets bare, without the engine's own keys. */
export function plainValues(map: PropertyMap): Values {
  const own = Object.entries(map).filter(([key]) => !key.startsWith('__'));
  return Object.fromEntries(own.map(([key, value]) => [key, deserialize(value as PropertyValue).value]));
}

/**
 * Converts the outputs that a handler reported to properties. An output is secret if `secretKeys` lists it or the input
 * of that name is secret. Throws TypeError for a value that cannot be a property.
 */
export function reported(values: unknown, inputs: PropertyMap, secretKeys: readonly string[]): PropertyMap {
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new TypeError('the outputs are no object');
  const map = newMap();
  for (const [key, item] of Object.entries(values)) {
    const value = fromPlain(item, key);
    if (value === undefined) continue;
    const input = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
    const marked = secretKeys.includes(key) || (input !== undefined && some(input, isSecret));
    map[key] = marked && kindOf(value) !== 'secret' ? secret(value) : value;
  }
  return map;
}
