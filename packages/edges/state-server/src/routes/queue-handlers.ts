import type { Queue } from '../calls/queue.js';
import { stackOf } from '../calls/stack-names.js';
import { NOTHING } from './call.js';
import type { SomeHandlers } from './call.js';

/** Returns the handlers of the routes about queues. */
export function queueHandlers(queue: Queue) {
  return {
    keepPlace: async ({ names, caller }) => {
      const { ticket = '' } = names;
      const { before, current } = await queue.keep(stackOf(names), { id: ticket, by: caller.name });
      return { json: { before, current } };
    },
    leaveQueue: async ({ names }) => {
      await queue.leave(stackOf(names), names['ticket'] ?? '');
      return NOTHING;
    },
  } satisfies SomeHandlers;
}
