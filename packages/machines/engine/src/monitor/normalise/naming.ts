import { isProviderType } from '@cairn/addresses';
import { namesCollide } from '../../model/naming.js';
import type { NormalisePass } from './draft.js';

/**
 * Tells the provider how to name the object [REG-15]. Components have no naming. Objects that would get the same name
 * cannot exist side by side. This is part of the goal and overrides the program, so that plans and policies see it.
 * Provider resources get no names, but follow the same order, so that the resources they manage have one order too.
 */
export const naming: NormalisePass = ({ goal }, context) => {
  if (!goal.custom) return undefined;
  const found = context.naming(goal.type);
  if (found === undefined) return undefined;
  return {
    goal: {
      ...(!isProviderType(goal.type) && { naming: found }),
      ...(namesCollide(found) && { deleteBeforeReplace: true }),
    },
  };
};
