import { defineResource, s } from '@cairn/provider-sdk';
import { shuffled } from '../sampling/uniform.js';
import { HIDDEN_ID, keepers } from './keepers.js';

const inputs = {
  keepers,
  inputs: s.array(s.string()).describe('The texts to put in random order.'),
  resultCount: s
    .integer({ min: 0, max: 65_536 })
    .optional()
    .describe('Number of texts to return; a larger number repeats them. Default: all.'),
};

/** Texts in random order, or a random choice of them. Import is not supported. */
export const shuffleResource = defineResource({
  description: 'Texts in random order, or some of them.',
  inputs,
  outputs: { ...inputs, results: s.array(s.string()).describe('The texts in their order.') },
  check: ({ inputs: texts, resultCount = 0 }) =>
    texts.length === 0 && resultCount > 0
      ? [{ property: 'inputs', reason: 'must not be empty if texts are drawn' }]
      : [],
  create: async (given) => ({
    id: HIDDEN_ID,
    outputs: { ...given, results: draw(given.inputs, given.resultCount) },
  }),
});

/** Draws whole rounds of all texts, each in an order of its own, cut to the count. */
function draw(texts: readonly string[], count = texts.length): readonly string[] {
  const results: string[] = [];
  while (results.length < count) results.push(...shuffled(texts));
  return results.slice(0, count);
}
