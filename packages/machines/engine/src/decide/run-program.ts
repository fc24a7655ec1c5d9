import { isProviderType } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { Goal } from '../model/goal.js';
import { refreshStep, sameStep } from '../model/make-step.js';
import { deletedAhead } from './facts.js';
import type { Facts } from './facts.js';
import { isBelowItself, registeredPrior, withDeleteSettings } from './registered-prior.js';
import { isReadable } from './refresh.js';
import { leftOutReferences } from './left-out.js';
import { carryOut } from './verdict.js';
import type { Verdict } from './verdict.js';

/**
 * Refreshes a managed object that is in state and registered, regardless of the outcome of its dependencies. It changes
 * nothing: neither inputs nor dependencies of the program count, and the program receives the result [REF-5].
 */
export function lookUpOnly(facts: Facts): Verdict | undefined {
  const { goal, prior, cell } = facts;
  if (!isManaged(goal) || prior === undefined || cell === undefined) return undefined;
  if (!prior.custom || prior.pendingReplacement || isBelowItself(facts)) return undefined;
  const kept = registeredPrior(facts, prior);
  return kept.t === 'ask' ? kept : carryOut([refreshStep(cell, 'user', kept.entry)]);
}

/**
 * Leaves out resources that do not matter to a program run for a refresh or a destroy [REF-5] [DEL-7]. These are
 * managed objects that are not in state, resources that depend on one left out, and entries that do not fit the goal.
 * Entries that are left out are processed after the program. The program receives their stored outputs.
 */
export function leaveOutAbsent(facts: Facts): Verdict | undefined {
  const { goal, prior, view } = facts;
  if (leftOutReferences(goal, view).length > 0) return leaveOut(prior);
  if (!isManaged(goal) && prior === undefined) return undefined;
  if (prior === undefined || prior.custom !== goal.custom || isBelowItself(facts)) return leaveOut(prior);
  return isManaged(goal) && prior.pendingReplacement ? leaveOut(prior) : undefined;
}

/**
 * Looks up a registered object before any other decision about it [REF-4] [DEL-7]. The result replaces the prior entry.
 * If the object is gone, there is no longer a prior entry.
 */
export function lookUpFirst(facts: Facts): Verdict | undefined {
  const { goal, prior, cell, answers, policy } = facts;
  if (policy.lookUp === 'none' || answers.lookedUp === true || !isManaged(goal)) return undefined;
  if (prior === undefined || cell === undefined || !isReadable(prior) || deletedAhead(facts))
    return undefined;
  if (policy.lookUp === 'flagged' && !prior.refreshBeforeUpdate) return undefined;
  const kept = isBelowItself(facts) ? { t: 'kept' as const, entry: prior } : registeredPrior(facts, prior);
  if (kept.t === 'ask') return kept;
  const step = refreshStep(cell, policy.lookUp === 'flagged' ? 'before-update' : 'user', kept.entry, true);
  return { t: 'do', chain: [step], condemned: [], notes: [], then: 'looked-up' };
}

/** Keeps managed objects in a destroy until everything is deleted, with the program's settings for that [DEL-7]. */
export function keepUntilDeleted(facts: Facts): Verdict | undefined {
  const { goal, prior, cell } = facts;
  if (!isManaged(goal) || prior === undefined || cell === undefined) return undefined;
  const kept = registeredPrior(facts, prior);
  if (kept.t === 'ask') return kept;
  return carryOut([sameStep(cell, prior, withDeleteSettings(facts, kept.entry), { t: 'kept' })]);
}

/** Returns true for an object that a provider manages. Providers and components belong to the program. */
function isManaged(goal: Goal): boolean {
  return goal.custom && !isProviderType(goal.type);
}

function leaveOut(prior: ResourceEntry | undefined): Verdict {
  return { t: 'leave-out', stored: prior?.pendingReplacement === true ? undefined : prior };
}
