import { isProviderType } from '@cairn/addresses';
import { importStep, replace } from '../model/make-step.js';
import { noDiff } from '../model/step.js';
import type { Facts } from './facts.js';
import type { Verdict } from './verdict.js';

/**
 * Takes over an existing object before anything else [IMP-1]. Applies to a custom resource with an import id that has
 * no prior entry, an external one, or one with another id. The rules continue with the imported entry as prior.
 */
export function importFirst(facts: Facts): Verdict | undefined {
  const { goal, prior, cell, answers } = facts;
  if (!goal.custom || goal.importId === '' || answers.imported !== undefined || isProviderType(goal.type))
    return undefined;
  if (
    prior !== undefined &&
    !prior.external &&
    goal.importId === (prior.importId === '' ? prior.id : prior.importId)
  ) {
    return undefined;
  }
  const step = importStep(goal, cell, prior, facts.oldUrn);
  const chain = prior === undefined ? [step] : [step, replace(prior, step.new, noDiff, step.reason)];
  return { t: 'do', chain, condemned: [], notes: [], then: 'resume' };
}
