import { isSecret, isUnknown, secret, UNKNOWN } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';

/**
 * Computes with values that may be secret or unknown: what comes of an unknown is unknown, what comes of a secret is
 * secret. `compute` gets plain values at the top level.
 */
export function lift(
  values: readonly PropertyValue[],
  compute: (plain: readonly PropertyValue[]) => PropertyValue,
): PropertyValue {
  const plain = values.map(bare);
  const result = plain.some((value) => isUnknown(value)) ? UNKNOWN : compute(plain);
  return values.some((value) => isSecret(value)) && !isSecret(result) ? secret(result) : result;
}

/** The same where computing takes time. */
export async function liftAsync(
  values: readonly PropertyValue[],
  compute: (plain: readonly PropertyValue[]) => Promise<PropertyValue>,
): Promise<PropertyValue> {
  const plain = values.map(bare);
  const result = plain.some((value) => isUnknown(value)) ? UNKNOWN : await compute(plain);
  return values.some((value) => isSecret(value)) && !isSecret(result) ? secret(result) : result;
}

/** The value without its mark. */
export function bare(value: PropertyValue): PropertyValue {
  return isSecret(value) ? bare(value.value) : value;
}
