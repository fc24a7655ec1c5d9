import { urnName } from '@cairn/addresses';
import { cairnError } from '@cairn/diagnostics';
import { answerFits, chosenDoubt } from '@cairn/engine';
import type { NamedDoubt, DoubtResolution } from '@cairn/engine';
import { withManager } from '../operation/state-of-stack.js';
import { withLease } from '../operation/leased.js';
import type { RunOptions, Ended } from '../operation/operation.js';
import type { Prepared } from '../operation/prepared.js';
import { runRecorded } from '../operation/run-recorded.js';
import { continuationOf } from '../operation/continuation.js';

/**
 * Records a person's answer about one step in doubt, and nothing else. `key` is any name of it. Throws
 * CAIRN-CHANGE-ENDED when no such step is in doubt. Throws CAIRN-USAGE when several match, or when the answer is to
 * another question.
 */
export function resolveDoubt(
  prepared: Prepared,
  key: string,
  answer: DoubtResolution,
  runOptions: RunOptions = {},
): Promise<Ended> {
  return withLease(prepared, async (lease, listening) => {
    const lineage = lease.unfinished;
    const all = await continuationOf(prepared, lease, lineage, lineage === undefined ? undefined : 'resolve');
    const chosen = chosenDoubt(all.doubts, key);
    refuseMisfit(chosen, answer);
    const { name, task } = chosen;
    const engine = { ...all.engine, inDoubt: [task], resolutions: new Map([[name, answer]]) };
    const purpose = { t: 'resolve', doubt: name, urn: task.urn } as const;
    return runRecorded(listening, { kind: 'resolve', options: {} }, runOptions, purpose, lease, {
      base: withManager(prepared, lease.snapshot),
      continuation: { ...all, engine },
    });
  });
}

/** Refuses an answer that does not fit the question: nothing is recorded because of it. */
function refuseMisfit({ name, doubt }: NamedDoubt, answer: DoubtResolution): void {
  const { type, resource } = doubt;
  const what = `${type} "${urnName(resource.urn)}" (${resource.type})`;
  const fitting = type === 'creating' ? ['--created ID', '--not-created'] : ['--done', '--not-done'];
  if (!answerFits(type, answer))
    throw cairnError('CAIRN-USAGE', `the answer does not fit ${name}: the step in doubt is ${what}`, {
      hint: `Run \`cairn change resolve ${name} ${fitting[0]}\` or \`cairn change resolve ${name} ${fitting[1]}\`.`,
    });
  if (type === 'deleting' && typeof answer === 'object' && answer.outputs !== undefined)
    throw cairnError('CAIRN-USAGE', `--outputs does not fit ${name}: the step in doubt is ${what}`, {
      hint: 'Leave --outputs out: a deleted object has no outputs.',
    });
  if (typeof answer === 'object' && 'created' in answer && answer.created === 'ID')
    throw cairnError('CAIRN-USAGE', `ID is a placeholder for the id of the object of ${what}`, {
      hint: `Look for the object, then run, for example, \`cairn change resolve ${name} --created i-0abc\`.`,
    });
}
