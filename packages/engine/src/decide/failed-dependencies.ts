import type { Urn } from '@cairn/addresses';
import type { RunView } from '../ledger/queries.js';
import { goalReferences } from './goal-references.js';
import type { Referring } from './goal-references.js';
import type { Facts } from './facts.js';
import type { Verdict } from './verdict.js';

/** A resource that needs a failed or skipped one is skipped [REG-14]; only met with continue-on-error. */
export function skipDependents(facts: Facts): Verdict | undefined {
  return failedReference(facts.goal, facts.view) === undefined ? undefined : { t: 'skip' };
}

/** The first thing a goal refers to that failed or was skipped in this run. */
export function failedReference(goal: Referring, view: RunView): Urn | undefined {
  for (const urn of goalReferences(goal)) {
    const progress = view.progress(urn);
    if (progress === 'failed' || progress === 'skipped') return urn;
  }
  return undefined;
}
