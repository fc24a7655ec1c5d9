import { Refusal } from './refusal.js';

/** Status of an update. */
export type UpdateStatus = 'created' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** Call about an update. `write` is a checkpoint or a journal batch; `expire` is the end of its lease. */
export type UpdateCall = 'start' | 'renew' | 'write' | 'events' | 'succeed' | 'fail' | 'cancel' | 'expire';

/** Answer to a call: the next status, `stay` to do it, `repeat` if it was done before, or the reason of a 409. */
type Answer = { readonly to: UpdateStatus } | 'stay' | 'repeat' | { readonly refused: string };

const STARTED = { refused: 'Update was started already.' } as const;
const NOT_STARTED = { refused: 'Update was not started.' } as const;
const ENDED = { refused: 'Update has ended.' } as const;
const CANCELLED = { refused: 'Update was cancelled.' } as const;

/** The update machine: every status with the answer to every call. */
export const UPDATE_MACHINE = {
  created: {
    start: { to: 'running' },
    renew: NOT_STARTED,
    write: NOT_STARTED,
    events: NOT_STARTED,
    succeed: NOT_STARTED,
    fail: NOT_STARTED,
    cancel: { to: 'cancelled' },
    expire: 'repeat',
  },
  running: {
    start: STARTED,
    renew: 'stay',
    write: 'stay',
    events: 'stay',
    succeed: { to: 'succeeded' },
    fail: { to: 'failed' },
    cancel: { to: 'cancelled' },
    expire: { to: 'failed' },
  },
  succeeded: {
    start: ENDED,
    renew: ENDED,
    write: ENDED,
    events: ENDED,
    succeed: 'repeat',
    fail: ENDED,
    cancel: 'repeat',
    expire: 'repeat',
  },
  failed: {
    start: ENDED,
    renew: ENDED,
    write: ENDED,
    events: ENDED,
    succeed: ENDED,
    fail: 'repeat',
    cancel: 'repeat',
    expire: 'repeat',
  },
  cancelled: {
    start: CANCELLED,
    renew: CANCELLED,
    write: CANCELLED,
    events: CANCELLED,
    succeed: CANCELLED,
    fail: CANCELLED,
    cancel: 'repeat',
    expire: 'repeat',
  },
} as const satisfies Record<UpdateStatus, Record<UpdateCall, Answer>>;

/** Calls that the holder of a lease makes. Once the lease has expired, they are answered with 403. */
const NEEDS_LEASE: ReadonlySet<UpdateCall> = new Set(['renew', 'write', 'events', 'succeed', 'fail']);

/**
 * Returns the status after a call, or `repeat` if the call was done before and changes nothing. Throws a
 * {@link Refusal}: 403 if the lease of the update has expired, else 409.
 */
export function nextStatus(
  { status, expired }: { readonly status: UpdateStatus; readonly expired?: boolean },
  call: UpdateCall,
): UpdateStatus | 'repeat' {
  if (expired === true && NEEDS_LEASE.has(call)) throw leaseExpired();
  const answer: Answer = UPDATE_MACHINE[status][call];
  if (answer === 'repeat') return 'repeat';
  if (answer === 'stay') return status;
  if ('to' in answer) return answer.to;
  throw new Refusal(409, answer.refused);
}

/** Refusal of a call whose update has lost its lease. Clients take 403 as the end. */
export class LeaseExpired extends Refusal {}

/** Returns the refusal of a call whose update has lost its lease. */
export function leaseExpired(): LeaseExpired {
  return new LeaseExpired(403, 'The lease of the update has expired.');
}
