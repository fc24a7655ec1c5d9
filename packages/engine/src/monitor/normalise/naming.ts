import { isProviderType } from '@cairn/addresses';
import { namesCollide } from '../../model/naming.js';
import type { Pass } from './draft.js';

/**
 * How the provider is to name the object [REG-15]. Components and provider resources have none. Objects that would have
 * the same name cannot be side by side: that is part of the goal, over what the program says, for plans and policies to
 * see.
 */
export const naming: Pass = ({ goal }, world) => {
  if (!goal.custom || isProviderType(goal.type)) return undefined;
  const found = world.naming(goal.type);
  if (found === undefined) return undefined;
  return { goal: { naming: found, ...(namesCollide(found) && { deleteBeforeReplace: true }) } };
};
