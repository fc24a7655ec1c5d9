import { messageOf, unreachable } from '@cairn/diagnostics';
import type { CallOutcome } from './kinds.js';
import type { OutcomeResult } from './records.js';
import type { Status, StatusEvent, WaitedStatus } from './status.js';
import { transition } from './status.js';

/** End of a run for its task. */
export interface Settlement {
  readonly result: OutcomeResult;
  readonly status: Status;
  readonly waited: WaitedStatus | undefined;
  readonly reason: string | undefined;
  /** Milliseconds before a retry may start again. Undefined if the handler did not set it. */
  readonly afterMs: number | undefined;
  /** True if this is a failure that may affect other tasks. */
  readonly failed: boolean;
}

/** Conditions of a settlement besides the outcome. */
interface Circumstances {
  readonly hasUndo: boolean;
  /** True if the machine is stopping: an error means a retry in the next process [CHG-14]. */
  readonly stopping: boolean;
}

/**
 * Returns the effect of an outcome on a task in this status [CHG-14]. Pure. Undefined if the run leaves no record. Then
 * the handler had finished early, or the machine stops and only the next process can find out the effect.
 */
export function settle(status: Status, outcome: CallOutcome, around: Circumstances): Settlement | undefined {
  if (status !== 'doing' && status !== 'undoing' && status !== 'abort') return undefined;
  if (around.stopping && outcome.t === 'unknown') return undefined;
  if (around.stopping && outcome.t === 'error') {
    return retryOf(status, { t: 'retry', reason: messageOf(outcome.error) }, around);
  }
  switch (outcome.t) {
    case 'ok':
      return succeeded(transition(status, 'succeed'));
    case 'error':
      return {
        ...PLAIN,
        result: 'error',
        status: transition(status, 'fail'),
        reason: messageOf(outcome.error),
        failed: true,
      };
    case 'retry':
      return retryOf(status, outcome, around);
    case 'wait':
      if (status === 'abort') return { ...turnBack(around), result: 'wait', reason: outcome.reason };
      return {
        ...PLAIN,
        result: 'wait',
        status: transition(status, 'wait'),
        waited: outcome.then ?? 'done',
        reason: outcome.reason,
      };
    case 'hold':
      return { ...PLAIN, result: 'hold', status: transition(status, 'decline'), reason: outcome.reason };
    case 'unknown':
      return {
        ...PLAIN,
        result: 'unknown',
        status: transition(status, 'doubt'),
        waited: status === 'doing' ? 'do' : 'undo',
        reason: outcome.reason,
        failed: true,
      };
    default:
      return unreachable(outcome);
  }
}

/** Returns the end of most tasks, written out because a copy of a template takes three times the memory. */
function succeeded(status: Status): Settlement {
  return {
    result: 'ok',
    status,
    waited: undefined,
    reason: undefined,
    afterMs: undefined,
    failed: false,
  };
}

const PLAIN = { waited: undefined, reason: undefined, afterMs: undefined, failed: false } as const;

function retryOf(status: Status, outcome: CallOutcome & { t: 'retry' }, around: Circumstances): Settlement {
  if (status === 'abort') return { ...turnBack(around), result: 'retry', reason: outcome.reason };
  return {
    ...PLAIN,
    result: 'retry',
    status: transition(status, 'retry'),
    reason: outcome.reason,
    afterMs: outcome.afterMs,
  };
}

/** Settles an aborted task with nothing running: undone if there is an undo handler, otherwise held [CHG-13]. */
function turnBack(around: Circumstances): {
  status: Status;
  waited: undefined;
  afterMs: undefined;
  failed: false;
} {
  const event: StatusEvent = around.hasUndo ? 'turn-back' : 'give-up';
  return { status: transition('abort', event), waited: undefined, afterMs: undefined, failed: false };
}
