import { EntryMaker } from './kinds.js';
import type { Outcome } from './kinds.js';
import type { OutcomeRecord } from './records.js';
import type { Routine } from './routine.js';
import type { Settlement } from './settle.js';

/** How a handler that declares success before it returns is settled; the status is the caller's. */
export const FINISHED: Settlement = {
  result: 'ok',
  status: 'done',
  waited: undefined,
  reason: undefined,
  afterMs: undefined,
  failed: false,
};

/** When an outcome is recorded. */
interface Timing {
  /** Milliseconds that the handler has run since its last record. */
  readonly ms: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Delay of a retry that names none. Milliseconds. */
  readonly retryMs: number;
}

/**
 * The record of a settled outcome. Absent members are left to JSON, which drops what is undefined: this object is made
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

/** Only a task that will be tried again has a time for it. */
function notBefore({ result, status, afterMs }: Settlement, timing: Timing): string | undefined {
  if (result !== 'retry' || status === 'hold' || status === 'undo') return undefined;
  const delay = afterMs ?? timing.retryMs;
  return delay > 0 ? new Date(timing.now + delay).toISOString() : undefined;
}

/** The entry that an outcome brings along. Called once, when the outcome is recorded. */
export function entryOf(outcome: Outcome): unknown {
  const entry = 'entry' in outcome ? outcome.entry : undefined;
  return entry instanceof EntryMaker ? entry.make() : entry;
}
