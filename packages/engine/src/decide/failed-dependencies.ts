import { goalReferences } from './goal-references.js';
import type { Facts } from './facts.js';
import type { Verdict } from './verdict.js';

/** A resource that needs a failed or skipped one is skipped (engine-behaviours-1.md A21); only met with continue-on-error. */
export function skipDependents(facts: Facts): Verdict | undefined {
  for (const urn of goalReferences(facts.goal)) {
    const progress = facts.view.progress(urn);
    if (progress === 'failed' || progress === 'skipped') return { t: 'skip' };
  }
  return undefined;
}
