import { isProviderType } from '@cairn/addresses';
import { namesCollide } from '../../model/naming.js';
import type { Pass } from './draft.js';

/**
 * How the provider is to name the object [REG-15]. Components have none. Objects that would have the
 * same name cannot be side by side: that is part of the goal, over what the program says, for plans
 * and policies to see. Provider resources are named by nobody, but go by the same order, so that
 * what they manage has one order too.
 */
export const naming: Pass = ({ goal }, world) => {
  if (!goal.custom) return undefined;
  const found = world.naming(goal.type);
  if (found === undefined) return undefined;
  return {
    goal: {
      ...(!isProviderType(goal.type) && { naming: found }),
      ...(namesCollide(found) && { deleteBeforeReplace: true }),
    },
  };
};
