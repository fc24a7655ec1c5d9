import { isSecret, isUnknown, secret, UNKNOWN } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';

/**
 * Computes with values that may be secret or unknown. The result is unknown if any value is unknown, and secret if any
 * value is secret. `compute` receives plain values at the top level.
 */
export function lift(
  values: readonly PropertyValue[],
  compute: (plain: readonly PropertyValue[]) => PropertyValue,
): PropertyValue {
  const plain = values.map(bare);
  const result = plain.some((value) => isUnknown(value)) ? UNKNOWN : compute(plain);
  return values.some((value) => isSecret(value)) && !isSecret(result) ? secret(result) : result;
}

/** As {@link lift}, for an asynchronous `compute`. */
export async function liftAsync(
  values: readonly PropertyValue[],
  compute: (plain: readonly PropertyValue[]) => Promise<PropertyValue>,
): Promise<PropertyValue> {
  const plain = values.map(bare);
  const result = plain.some((value) => isUnknown(value)) ? UNKNOWN : await compute(plain);
  return values.some((value) => isSecret(value)) && !isSecret(result) ? secret(result) : result;
}

/** Returns the value without its secret mark. */
export function bare(value: PropertyValue): PropertyValue {
  return isSecret(value) ? bare(value.value) : value;
}
