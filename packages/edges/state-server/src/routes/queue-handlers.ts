import { PlaceRequest } from '@cairn/http-api';
import type { Queue } from '../calls/queue.js';
import { stackOf } from '../calls/stack-names.js';
import { NOTHING, parseBody } from './call.js';
import type { SomeHandlers } from './call.js';

/** Returns the handlers of the routes about queues. */
export function queueHandlers(queue: Queue) {
  return {
    keepPlace: async (call) => {
      const { ticket: id = '' } = call.names;
      const { wait } = parseBody(PlaceRequest, call);
      const ticket = { id, by: call.caller.name };
      const { before, current } = await queue.keep(stackOf(call.names), ticket, wait * 1000);
      return { json: { before, current } };
    },
    leaveQueue: async ({ names }) => {
      await queue.leave(stackOf(names), names['ticket'] ?? '');
      return NOTHING;
    },
  } satisfies SomeHandlers;
}
