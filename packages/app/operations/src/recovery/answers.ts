import type { DoubtResolution } from '@cairn/engine';
import type { Ended } from '../operation/operation.js';
import type { Prepared } from '../operation/prepared.js';

/**
 * Returns a person's answers about steps in doubt, by name of the step. Empty if no person is present or nothing is in
 * doubt.
 */
export async function answersInDoubt(
  { ports: { interaction } }: Prepared,
  { result }: Pick<Ended, 'result'>,
): Promise<ReadonlyMap<string, DoubtResolution>> {
  const doubts = result.waiting.filter(({ kind }) => kind === 'in-doubt');
  return interaction.attended && doubts.length > 0 ? interaction.answerDoubts(doubts) : new Map();
}
