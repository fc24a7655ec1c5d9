import { defineResource, s } from '@cairn/provider-sdk';
import type { ValuesOf } from '@cairn/provider-sdk';
import { randomText, textProblems } from '../sampling/text.js';
import { HIDDEN_ID, keepers } from './keepers.js';

/** Inputs of strings and passwords. */
const textInputs = {
  keepers,
  length: s.integer({ min: 1, max: 65_536 }).describe('Number of characters.'),
  lower: s.boolean().default(true).describe('Use lower-case letters.'),
  upper: s.boolean().default(true).describe('Use upper-case letters.'),
  numeric: s.boolean().default(true).describe('Use digits.'),
  special: s.boolean().default(true).describe('Use special characters.'),
  minLower: s.integer({ min: 0 }).default(0).describe('At least so many lower-case letters.'),
  minUpper: s.integer({ min: 0 }).default(0).describe('At least so many upper-case letters.'),
  minNumeric: s.integer({ min: 0 }).default(0).describe('At least so many digits.'),
  minSpecial: s.integer({ min: 0 }).default(0).describe('At least so many special characters.'),
  overrideSpecial: s.string().optional().describe('The special characters to use.'),
};

/** A random text that may be shown. Its id is the text, and an import takes it. */
export const stringResource = defineResource({
  description: 'A random text.',
  inputs: textInputs,
  outputs: { ...textInputs, result: s.string().describe('The text.') },
  check: textProblems,
  create: async (inputs) => {
    const result = randomText(inputs);
    return { id: result, outputs: { ...inputs, result } };
  },
  read: async (id, known) => {
    const inputs = known?.inputs ?? importedRules(id);
    return { id, inputs, outputs: { ...inputs, result: known?.outputs.result ?? id } };
  },
});

/** A random text that is secret. An import takes the text, which is then not a part of the id. */
export const passwordResource = defineResource({
  description: 'A random text that is secret.',
  inputs: textInputs,
  outputs: { ...textInputs, result: s.string().secret().describe('The text.') },
  check: textProblems,
  create: async (inputs) => ({ id: HIDDEN_ID, outputs: { ...inputs, result: randomText(inputs) } }),
  read: async (id, known) => {
    const inputs = known?.inputs ?? importedRules(id);
    return { id: HIDDEN_ID, inputs, outputs: { ...inputs, result: known?.outputs.result ?? id } };
  },
});

/** Returns the rules of an imported text: its length, and otherwise the defaults. */
function importedRules(text: string): ValuesOf<typeof textInputs> {
  return {
    length: [...text].length,
    lower: true,
    upper: true,
    numeric: true,
    special: true,
    minLower: 0,
    minUpper: 0,
    minNumeric: 0,
    minSpecial: 0,
  };
}
