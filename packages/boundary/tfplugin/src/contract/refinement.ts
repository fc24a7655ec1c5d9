import type { Bound, Refinement, TfValue } from '../values/index.js';
import { compareNumbers, isNumber, isWhollyKnown, TfUnknown } from '../values/index.js';

/** Checks if a value agrees with the refinement of an unknown value [TFC-18]. */
export function satisfies(value: TfValue, refinement: Refinement | undefined): boolean {
  if (refinement === undefined) return true;
  if (value instanceof TfUnknown) return true;
  // A prefix, bound or length does not exclude null; only `notNull` does.
  if (value === null) return refinement.notNull !== true;
  if (typeof value === 'string') return value.startsWith(refinement.prefix ?? '');
  if (isNumber(value)) {
    const { min, max } = refinement;
    return beyond(value, min, 1) && beyond(value, max, -1);
  }
  const most = sizeOf(value);
  if (most === undefined) return true;
  const { lengthMin = 0, lengthMax = Infinity } = refinement;
  const fewest = isWhollyKnown(value) ? most : Math.min(most, 1);
  return most >= lengthMin && fewest <= lengthMax;
}

function beyond(
  value: Parameters<typeof compareNumbers>[0],
  bound: Bound | undefined,
  side: 1 | -1,
): boolean {
  if (bound === undefined) return true;
  const order = compareNumbers(value, bound.value) * side;
  return order > 0 || (order === 0 && bound.inclusive);
}

function sizeOf(value: TfValue): number | undefined {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}
