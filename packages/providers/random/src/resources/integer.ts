import { ProviderError, defineResource, s } from '@cairn/provider-sdk';
import { uniformInteger } from '../sampling/uniform.js';
import { keepers } from './keepers.js';

const safe = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };
const inputs = {
  keepers,
  min: s.integer(safe).describe('Minimum.'),
  max: s.integer(safe).describe('Maximum.'),
};

/** A number in a range. Its id is the number. An import takes `result,min,max`. */
export const integerResource = defineResource({
  description: 'A random integer in a range.',
  inputs,
  outputs: { ...inputs, result: s.integer().describe('The number.') },
  check: ({ min, max }) =>
    min > max ? [{ property: 'max', reason: `must be at least min, which is ${min}` }] : [],
  create: async (given) => {
    const result = uniformInteger(given.min, given.max);
    return { id: String(result), outputs: { ...given, result } };
  },
  read: async (id, known) => {
    if (known !== undefined) return { id, ...known };
    const [result, min, max, ...rest] = id.split(',').map(Number);
    const isRange =
      result !== undefined &&
      min !== undefined &&
      max !== undefined &&
      rest.length === 0 &&
      min <= result &&
      result <= max;
    if (!isRange || ![result, min, max].every(Number.isSafeInteger)) {
      throw new ProviderError(
        'INVALID_ARGUMENT',
        'the id to import must be result,min,max with min <= result <= max',
      );
    }
    return { id: String(result), inputs: { min, max }, outputs: { min, max, result } };
  },
});
