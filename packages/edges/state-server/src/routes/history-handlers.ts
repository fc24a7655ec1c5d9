import { latestPreviews } from '../calls/previews.js';
import { stackOf } from '../calls/stack-names.js';
import type { Stacks } from '../calls/stacks.js';
import { Refusal } from '../domain/refusal.js';
import type { StackStore } from '../store/service-store.js';
import { numberIn } from './call.js';
import type { SomeHandlers } from './call.js';

/** Calls behind the routes of the history. */
interface HistoryCalls {
  readonly store: StackStore;
  readonly stacks: Stacks;
}

/** Returns the handlers of the routes for updates that ended, and for previews. */
export function historyHandlers(ports: HistoryCalls) {
  const { stacks } = ports;
  return {
    listUpdates: async ({ names, query }) => {
      const size = numberIn(query, 'pageSize');
      const page = numberIn(query, 'page');
      const found = await stacks.history(stackOf(names), { ...(size && { size }), ...(page && { page }) });
      return { json: { updates: found } };
    },
    latestUpdate: async ({ names }) => {
      const [info] = await stacks.history(stackOf(names), { size: 1 });
      if (info === undefined) throw new Refusal(404, 'The stack has no updates.');
      return { json: { info } };
    },
    latestPreviews: async ({ names, query }) => {
      const oldestFirst = query.get('asc') === 'true';
      // Page 0 asks for all previews.
      const page = query.get('page') === '0' ? 0 : (numberIn(query, 'page') ?? 1);
      const size = page === 0 ? undefined : numberIn(query, 'pageSize');
      const asked = { size, page: page || 1, oldestFirst };
      return { json: await latestPreviews(ports, stackOf(names), asked) };
    },
  } satisfies SomeHandlers;
}
