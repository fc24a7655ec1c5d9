import { Decimal } from '../values/decimal.js';
import type { TfNumber } from '../values/decimal.js';

const LEAST_INT64 = -(1n << 63n);
const MOST_INT64 = (1n << 63n) - 1n;

/**
 * Converts a number to the form that the msgpack library accepts [TFV-7]. A number that is neither an int64 nor a
 * double becomes its decimal text.
 */
export function numberTree(value: TfNumber): number | bigint | string {
  if (typeof value === 'number') {
    // The library writes larger integers as doubles unless they are bigints.
    const wide = value > 0xffff_ffff || value < -0x8000_0000;
    return wide && Number.isInteger(value) ? BigInt(value) : value;
  }
  if (value instanceof Decimal) return value.text;
  return value >= LEAST_INT64 && value <= MOST_INT64 ? value : String(value);
}
