import * as v from 'valibot';
import type { Route } from './route.js';

/** Name of the capability of a service that keeps the order of those who wait for a stack. */
export const QUEUE_CAPABILITY = 'cairn-queue';

/** Time for which a place in the queue is kept after each call about it, in seconds. */
export const TICKET_SECONDS = 15;

/** Longest time for which a call about a place waits, in seconds. */
const LONGEST_WAIT_SECONDS = 5;

const TICKET = '/api/stacks/{org}/{project}/{stack}/queue/{ticket}';

/** Routes about the queue of a stack. A place has a name that its client chooses: a UUID. */
export const QUEUE_ROUTES = {
  keepPlace: { method: 'POST', path: TICKET, needs: 'writer', permission: 'stack:write', maxBody: 1 << 20 },
  leaveQueue: { method: 'DELETE', path: TICKET, needs: 'writer', permission: 'stack:write', maxBody: 0 },
} as const satisfies Readonly<Record<string, Route>>;

/** Request to keep a place. `wait` is in seconds: the answer comes when the place has changed, or then. */
export const PlaceRequest = v.object({
  wait: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_WAIT_SECONDS)), 0),
});

/**
 * Answer about a place in the queue: those before it, and the operation that runs on the stack. One of the kind `lock`
 * is a lock of another tool, or of a person.
 */
export const PlaceBody = v.object({
  before: v.array(v.object({ by: v.string() })),
  current: v.nullish(v.object({ kind: v.string(), author: v.string(), started: v.number() })),
});
