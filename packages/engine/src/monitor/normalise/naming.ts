import { isProviderType } from '@cairn/addresses';
import type { Pass } from './draft.js';

/** How the provider is to name the object (A22). Components and provider resources have none. */
export const naming: Pass = ({ goal }, world) => {
  if (!goal.custom || isProviderType(goal.type)) return undefined;
  const found = world.naming(goal.type);
  return found && { goal: { naming: found } };
};
