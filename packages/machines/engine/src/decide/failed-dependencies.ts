import type { Urn } from '@cairn/addresses';
import type { RunView } from '../ledger/queries.js';
import type { Facts, ReadFacts } from './facts.js';
import { goalReferences } from './goal-references.js';
import type { GoalReferences } from './goal-references.js';
import type { Verdict } from './verdict.js';

/** Skips a resource that needs a failed or skipped one [REG-14]. Only occurs with continue-on-error. */
export function skipDependents({ goal, view }: Facts | ReadFacts): Verdict | undefined {
  const because = failedReference(goal, view);
  return because && { t: 'skip', because };
}

/** Returns the first reference of a goal to a resource that failed or was skipped in this run. */
function failedReference(goal: GoalReferences, view: RunView): Urn | undefined {
  const references = goalReferences(goal);
  for (let at = 0; at < references.length; at++) {
    const progress = view.progress(references[at] as Urn);
    if (progress === 'failed' || progress === 'skipped') return references[at];
  }
  return undefined;
}
