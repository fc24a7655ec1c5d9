import type { ChangeLog } from './change-log.js';
import type { Change } from './change.js';
import type { RecordBody, RecordName } from './records.js';

/** Records that may wait for the next write: losing them in a crash loses nothing that anything relied on. */
const LAZY = {
  change: false,
  task: true,
  intent: false,
  'progress-id': false,
  outcome: false,
  status: false,
  lanes: true,
  schedule: true,
  data: true,
  claim: false,
  cleaned: true,
  log: true,
  entry: false,
  complete: true,
  seal: false,
} as const satisfies Record<RecordName, boolean>;

/** Only writer of a running change: applies each record to the change in memory and adds it to the log. */
export class ChangeWriter {
  constructor(
    readonly change: Change,
    readonly log: ChangeLog,
  ) {}

  /** Applies and adds one record. Returns the number of the record that must be durable for it to count. */
  commit(body: RecordBody): number {
    const at = this.log.now();
    const seq = this.log.add(body, at, LAZY[body.record] || isRetry(body));
    // Callbacks that run while it is applied wait for this record.
    if ('task' in body && body.task !== undefined) this.change.task(body.task).lastSeq = seq;
    this.change.apply(body, at);
    if (body.record === 'task') this.change.task(body.id).lastSeq = seq;
    return seq;
  }

  /** Makes the records that `run` commits one transaction. */
  transaction<R>(run: () => R): R {
    return this.log.transaction(run);
  }
}

function isRetry(body: RecordBody): boolean {
  return body.record === 'outcome' && body.result === 'retry' && body.entry === undefined;
}
