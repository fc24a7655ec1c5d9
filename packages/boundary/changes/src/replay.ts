import { cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import { Change } from './change.js';
import { recordProblem } from './record-shape.js';
import type { ChangeRecord } from './records.js';
import type { Status } from './status.js';
import { isReady } from './status.js';

/**
 * Reads a change back from its records, in order; `name` is the log's, for messages. Fails only with
 * CAIRN-JOURNAL-CORRUPT, if a change cannot have written them. Nothing is applied then.
 */
export function replayChange(records: readonly ChangeRecord[], name = 'of the change'): Change {
  let at = 0;
  try {
    const first = refuseOdd(records[0]);
    const change = new Change(first, first.at);
    for (at = 1; at < records.length; at += 1) {
      const record = refuseOdd(records[at]);
      refuseMisfit(change, record);
      change.apply(record, record.at);
    }
    change.loaded(records[records.length - 1]?.at ?? first.at);
    return change;
  } catch (cause) {
    if (isCairnError(cause)) throw cause;
    throw cairnError(
      'CAIRN-JOURNAL-CORRUPT',
      `the change log ${name} is damaged at record ${at + 1}`,
      {
        causes: [messageOf(cause)],
        hint: 'Nothing was changed. Restore the log from a backup, or run `cairn state repair` to continue without what it recorded.',
      },
      cause,
    );
  }
}

/** Refuses a record of a wrong form, because its store may not have checked it. */
function refuseOdd(record: ChangeRecord | undefined): ChangeRecord {
  if (record === undefined) throw new Error('a change log without records');
  const problem = recordProblem(record as unknown as Readonly<Record<string, unknown>>);
  if (problem !== undefined) throw new Error(problem);
  return record;
}

/**
 * Refuses records that the machine never writes: a start of a task that cannot start, or an outcome of one that does
 * not run.
 */
function refuseMisfit(change: Change, record: ChangeRecord): void {
  if (record.record !== 'intent' && record.record !== 'outcome') return;
  const { status } = change.task(record.task);
  const fits = record.record === 'outcome' ? RUNS.has(status) : !isReady(status) && status !== 'wait';
  if (!fits) throw new Error(`${record.record} of task ${record.task}, which is ${status}`);
}

const RUNS: ReadonlySet<Status> = new Set<Status>(['doing', 'undoing', 'abort']);
