import { containsSecret, isMap, mapValues, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';

/**
 * Marks in a result what was secret in the inputs, for peers that were sent bare values [PROV-12]: by key,
 * maps in maps; anything else, lists included, is marked as a whole.
 */
export function annotateSecrets(result: PropertyMap, inputs: PropertyMap): PropertyMap {
  return mapValues(result, (value, key) => {
    const input = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
    if (input === undefined) return value;
    if (isMap(value) && isMap(input)) return annotateSecrets(value, input);
    return containsSecret(input) ? secret(value) : value;
  });
}

/** Marks every value of a result when anything in the inputs is secret. */
export function annotateAllSecret(result: PropertyMap, inputs: PropertyMap): PropertyMap {
  return containsSecret(inputs) ? mapValues(result, secret) : result;
}
