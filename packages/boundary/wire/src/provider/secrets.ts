import { containsSecret, isMap, mapValues, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';

/**
 * Marks values of a result that were secret in the inputs, for peers that received bare values [PROV-12]. Maps are
 * compared key by key. Any other value, such as a list, is marked as a whole.
 */
export function annotateSecrets(result: PropertyMap, inputs: PropertyMap): PropertyMap {
  return mapValues(result, (value, key) => {
    const input = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
    if (input === undefined) return value;
    if (isMap(value) && isMap(input)) return annotateSecrets(value, input);
    return containsSecret(input) ? secret(value) : value;
  });
}

/** Marks every value of a result if any input is secret. */
export function annotateAllSecret(result: PropertyMap, inputs: PropertyMap): PropertyMap {
  return containsSecret(inputs) ? mapValues(result, secret) : result;
}
