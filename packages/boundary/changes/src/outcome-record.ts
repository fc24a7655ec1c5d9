import { EntryMaker } from './kinds.js';
import type { CallOutcome } from './kinds.js';
import type { OutcomeRecord } from './records.js';
import type { Routine } from './routine.js';
import type { Settlement } from './settle.js';

/** Settlement of a handler that declares success before it returns; the caller sets the status. */
export const FINISHED: Settlement = {
  result: 'ok',
  status: 'done',
  waited: undefined,
  reason: undefined,
  afterMs: undefined,
  failed: false,
};

/** Times of an outcome record. */
interface Timing {
  /** Milliseconds that the handler has run since its last record. */
  readonly ms: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Delay of a retry without one of its own, in milliseconds. */
  readonly retryMs: number;
}

/**
 * Builds the record of a settled outcome. Undefined members are left for JSON to drop, because this object is created
 * for every task.
 */
export function outcomeRecord(
  routine: Routine,
  settlement: Settlement,
  entry: unknown,
  timing: Timing,
): OutcomeRecord {
  const { task, mode } = routine;
  return {
    record: 'outcome',
    task: task.id,
    direction: mode === 'undo' ? 'undo' : 'do',
    result: settlement.result,
    status: settlement.status,
    ms: Math.round(timing.ms * 1000) / 1000,
    waited: settlement.waited,
    reason: settlement.reason,
    notBefore: notBefore(settlement, timing),
    progress: task.ownProgress,
    entry,
  };
}

/** Returns the time of the next attempt, for a task that will be retried. */
function notBefore({ result, status, afterMs }: Settlement, timing: Timing): string | undefined {
  if (result !== 'retry' || status === 'hold' || status === 'undo') return undefined;
  const delay = afterMs ?? timing.retryMs;
  return delay > 0 ? new Date(timing.now + delay).toISOString() : undefined;
}

/** Returns the entry of an outcome. Called once, when the outcome is recorded. */
export function entryOf(outcome: CallOutcome): unknown {
  const entry = 'entry' in outcome ? outcome.entry : undefined;
  return entry instanceof EntryMaker ? entry.make() : entry;
}
