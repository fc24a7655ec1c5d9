import { parseProviderReference } from '@cairn/addresses';
import type { ProviderReference } from '@cairn/addresses';
import { goalReferences } from '../decide/goal-references.js';
import type { Referring } from '../decide/goal-references.js';
import type { MonitorWorld } from './world.js';

/*
 * Creates that this run leaves out: a program that is run for a refresh or a destroy makes no objects
 * [REF-5] [DEL-7]. Plugins are not asked about what would need them.
 */

/** Whether a component is not to be constructed: nothing is made in this run of what it needs. */
export function staysUnconstructed(goal: Referring, { appliesGoals, resources }: MonitorWorld): boolean {
  if (appliesGoals) return false;
  for (const urn of goalReferences(goal)) if (resources.get(urn)?.leftOut === true) return true;
  return false;
}

/** Whether there is no provider behind a reference because its resource was left out. */
export function isProviderLeftOut(reference: ProviderReference, { resources }: MonitorWorld): boolean {
  return resources.get(parseProviderReference(reference).urn)?.leftOut === true;
}
