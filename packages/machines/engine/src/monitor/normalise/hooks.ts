import { storedHooks } from '../../model/hook-moments.js';
import type { Pass } from './draft.js';

/** Names of hooks by moment. Whether there are such hooks is asked when they are needed [HOOK-2]. */
export const hooks: Pass = ({ request }) =>
  request.hooks === undefined ? undefined : { goal: { resourceHooks: storedHooks(request.hooks) } };
