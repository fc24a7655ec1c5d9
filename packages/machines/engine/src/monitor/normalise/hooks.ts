import { storedHooks } from '../../model/hook-moments.js';
import type { Pass } from './draft.js';

/** Takes the names of hooks by moment. Their existence is checked when they are needed [HOOK-2]. */
export const hooks: Pass = ({ request }) =>
  request.hooks === undefined ? undefined : { goal: { resourceHooks: storedHooks(request.hooks) } };
