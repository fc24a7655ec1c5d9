import { parseProviderReference } from '@cairn/addresses';
import type { ProviderReference } from '@cairn/addresses';
import { goalReferences } from '../decide/goal-references.js';
import type { GoalReferences } from '../decide/goal-references.js';
import type { MonitorContext } from './monitor-context.js';

/*
 * Creates that this run leaves out: a program that is run for a refresh or a destroy makes no objects
 * [REF-5] [DEL-7]. Plugins are not asked about resources that would need them.
 */

/** Tells whether a component must not be constructed, because something that it needs is not made in this run. */
export function staysUnconstructed(
  goal: GoalReferences,
  { appliesGoals, resources }: MonitorContext,
): boolean {
  if (appliesGoals) return false;
  for (const urn of goalReferences(goal)) if (resources.get(urn)?.leftOut === true) return true;
  return false;
}

/** Tells whether a reference has no provider because its resource was left out. */
export function isProviderLeftOut(reference: ProviderReference, { resources }: MonitorContext): boolean {
  return resources.get(parseProviderReference(reference).urn)?.leftOut === true;
}
