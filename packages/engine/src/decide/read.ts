import type { ResourceEntry } from '@cairn/state';
import type { ReadGoal } from '../monitor/registration.js';
import type { Slot } from '../prior/slot.js';
import { noDiff } from '../steps/step.js';
import type { Chain } from '../steps/step.js';
import { read, replace } from '../steps/make.js';

/**
 * The chain of a read (engine-behaviours-1.md A1): nothing, an external entry or a managed one with the same id are simply
 * read; a managed one with another id is replaced, and its object goes at the end.
 */
export function decideRead(goal: ReadGoal, slot: Slot | undefined, prior: ResourceEntry | undefined): Chain {
  const replaces =
    prior !== undefined && !prior.external && prior.id !== goal.id && !prior.pendingReplacement;
  const step = read(goal, slot, prior, replaces);
  return replaces ? [step, replace(prior, step.new, noDiff, step.reason)] : [step];
}
