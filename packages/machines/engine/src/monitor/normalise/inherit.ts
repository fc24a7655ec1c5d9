import type { Goal } from '../../model/goal.js';
import { blankOf } from '../../model/options.js';
import type { Pass } from './draft.js';
import { INHERITED, taken } from './options.js';

/** Inherits options not set on the resource from its parent, as far as the table allows [REG-9]. */
export const inherit: Pass = ({ request, parent }) => {
  const found: Record<string, unknown> = {};
  for (const name of INHERITED) found[name] = taken(request, name) ?? parent?.[name] ?? blankOf(name);
  return { goal: found as Partial<Goal> };
};
