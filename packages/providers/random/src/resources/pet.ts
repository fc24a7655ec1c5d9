import { defineResource, s } from '@cairn/provider-sdk';
import type { ValuesOf } from '@cairn/provider-sdk';
import { ADJECTIVES, ADVERBS, ANIMALS } from '../sampling/pet-words.js';
import { pick } from '../sampling/uniform.js';
import { keepers } from './keepers.js';

const inputs = {
  keepers,
  length: s.integer({ min: 1, max: 16 }).default(2).describe('Number of words.'),
  separator: s.string().default('-').describe('Text between the words.'),
  prefix: s.string().optional().describe('A word put before the others.'),
};

/** A pronounceable name. Its id is the name, and an import takes it. */
export const petResource = defineResource({
  description: 'A random pronounceable name, such as `brave-otter`.',
  inputs,
  outputs: { ...inputs, result: s.string().describe('The name.') },
  create: async (given) => {
    const result = name(given);
    return { id: result, outputs: { ...given, result } };
  },
  read: async (id, known) => {
    if (known !== undefined) return { id, ...known };
    const found = { length: 2, separator: '-' };
    return { id, inputs: found, outputs: { ...found, result: id } };
  },
});

function name({ length, separator, prefix }: ValuesOf<typeof inputs>): string {
  const words = [pick(ANIMALS)];
  if (length > 1) words.unshift(pick(ADJECTIVES));
  while (words.length < length) words.unshift(pick(ADVERBS));
  return (prefix === undefined || prefix === '' ? words : [prefix, ...words]).join(separator);
}
