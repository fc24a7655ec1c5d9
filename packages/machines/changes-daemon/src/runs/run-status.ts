import { BugError } from '@cairn/diagnostics';

/**
 * Status of a run. `planning`: its preview is being made. `waiting`: for approvals. `ready`: may be applied.
 * `applying`: its operation runs. `lost`: the process of its operation ended without a result. `recovering`: that
 * operation is resumed or rolled back. `held`: a person has to act. The others are ends.
 */
export type RunStatus =
  | 'planning'
  | 'waiting'
  | 'ready'
  | 'applying'
  | 'lost'
  | 'recovering'
  | 'held'
  | 'succeeded'
  | 'failed'
  | 'rolled-back'
  | 'refused'
  | 'denied'
  | 'expired'
  | 'superseded';

/**
 * Event of a run. `nothing`, `allow`, `ask`, `refuse`: results of planning and policy. `approve`: the last approval
 * that was needed. `expire`: the plan, the state or the commit has moved. `lose`: the process ended without a result.
 * `retry`: the lost operation had not begun. `recover`, `hold`: the policy for lost operations.
 */
export type RunCall =
  | 'nothing'
  | 'allow'
  | 'ask'
  | 'refuse'
  | 'approve'
  | 'deny'
  | 'expire'
  | 'supersede'
  | 'begin'
  | 'succeed'
  | 'fail'
  | 'lose'
  | 'retry'
  | 'recover'
  | 'hold'
  | 'roll-back';

/** The one transition table of runs [AGT-1]. An event without a row is a bug. */
export const RUN_TRANSITIONS = {
  planning: {
    nothing: 'succeeded',
    allow: 'ready',
    ask: 'waiting',
    refuse: 'refused',
    fail: 'failed',
    // A preview has no effect, so it is made again.
    lose: 'planning',
    supersede: 'superseded',
  },
  waiting: { approve: 'ready', deny: 'denied', expire: 'expired', lose: 'waiting', supersede: 'superseded' },
  ready: { begin: 'applying', deny: 'denied', expire: 'expired', fail: 'failed', lose: 'ready' },
  applying: { succeed: 'succeeded', fail: 'failed', expire: 'expired', lose: 'lost' },
  lost: {
    retry: 'ready',
    recover: 'recovering',
    hold: 'held',
    succeed: 'succeeded',
    fail: 'failed',
    lose: 'lost',
  },
  recovering: {
    succeed: 'succeeded',
    fail: 'failed',
    'roll-back': 'rolled-back',
    hold: 'held',
    lose: 'lost',
  },
  held: {
    succeed: 'succeeded',
    fail: 'failed',
    'roll-back': 'rolled-back',
    recover: 'recovering',
    lose: 'held',
  },
  succeeded: {},
  failed: {},
  'rolled-back': {},
  refused: {},
  denied: {},
  expired: {},
  superseded: {},
} as const satisfies Record<RunStatus, Partial<Readonly<Record<RunCall, RunStatus>>>>;

/** Returns the status after an event, or `undefined` if the event cannot happen in this status. */
export function nextRunStatus(status: RunStatus, event: RunCall): RunStatus | undefined {
  const row: Partial<Readonly<Record<RunCall, RunStatus>>> = RUN_TRANSITIONS[status];
  return row[event];
}

/** Returns the status after an event. Throws BugError if the table has no such transition. */
export function runTransition(status: RunStatus, event: RunCall): RunStatus {
  const next = nextRunStatus(status, event);
  if (next === undefined) throw new BugError(`a run cannot ${event} while it is ${status}`);
  return next;
}

/** Tells if a run has ended. */
export function hasRunEnded(status: RunStatus): boolean {
  return Object.keys(RUN_TRANSITIONS[status]).length === 0;
}

/**
 * Tells if no other run of the stack may begin. A run that waits for approvals keeps no other one from running: its
 * plan becomes invalid when the state moves.
 */
export function occupiesStack(status: RunStatus): boolean {
  return !hasRunEnded(status) && status !== 'waiting';
}

/** Recognises the name of a status. */
export function isRunStatus(value: unknown): value is RunStatus {
  return typeof value === 'string' && Object.hasOwn(RUN_TRANSITIONS, value);
}

/** Tells if one event, or none, leads from a status to another one. */
export function isRunReachable(from: RunStatus, to: RunStatus): boolean {
  return from === to || Object.values<RunStatus>(RUN_TRANSITIONS[from]).includes(to);
}
