import { messageOf, unreachable } from '@cairn/diagnostics';
import type { Outcome } from './kinds.js';
import type { OutcomeResult } from './records.js';
import type { Status, StatusEvent, WaitedStatus } from './status.js';
import { transition } from './status.js';

/** How a run ends for its task. Undefined status: the run is forgotten and nothing is recorded. */
export interface Settlement {
  readonly result: OutcomeResult;
  readonly status: Status;
  readonly waited: WaitedStatus | undefined;
  readonly reason: string | undefined;
  /** Of a retry: milliseconds before it may start again; undefined: the handler did not say. */
  readonly afterMs: number | undefined;
  /** Whether this is a failure that may take other tasks with it. */
  readonly failed: boolean;
}

/** What the settlement depends on besides the outcome. */
interface Circumstances {
  readonly hasUndo: boolean;
  /** The machine is stopping: an error means "again, in the next process" [CHG-14]. */
  readonly stopping: boolean;
}

/**
 * What an outcome means for a task in this status [CHG-14]. Pure. Undefined: the run leaves no record, because
 * the handler had finished early, or because the machine stops and only the next process can find out what happened.
 */
export function settle(status: Status, outcome: Outcome, around: Circumstances): Settlement | undefined {
  if (status !== 'doing' && status !== 'undoing' && status !== 'abort') return undefined;
  if (around.stopping && outcome.t === 'unknown') return undefined;
  if (around.stopping && outcome.t === 'error') {
    return retryOf(status, { t: 'retry', reason: messageOf(outcome.error) }, around);
  }
  switch (outcome.t) {
    case 'ok':
      return { ...PLAIN, result: 'ok', status: transition(status, 'succeed') };
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

const PLAIN = { waited: undefined, reason: undefined, afterMs: undefined, failed: false } as const;

function retryOf(status: Status, outcome: Outcome & { t: 'retry' }, around: Circumstances): Settlement {
  if (status === 'abort') return { ...turnBack(around), result: 'retry', reason: outcome.reason };
  return {
    ...PLAIN,
    result: 'retry',
    status: transition(status, 'retry'),
    reason: outcome.reason,
    afterMs: outcome.afterMs,
  };
}

/** An aborted task with nothing running: undone when there is a way, else never mind [CHG-13]. */
function turnBack(around: Circumstances): {
  status: Status;
  waited: undefined;
  afterMs: undefined;
  failed: false;
} {
  const event: StatusEvent = around.hasUndo ? 'turn-back' : 'give-up';
  return { status: transition('abort', event), waited: undefined, afterMs: undefined, failed: false };
}
