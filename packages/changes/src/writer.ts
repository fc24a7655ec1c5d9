import type { ChangeLog } from './change-log.js';
import type { Change } from './change.js';
import { describeTask } from './describe-change.js';
import type { RecordBody, RecordName } from './records.js';
import type { Task } from './task.js';

/** Which records may wait for the next write: losing them in a crash loses nothing that anybody relied on. */
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

/**
 * The only writer of a running change: applies a record to the change in memory and adds it to the log. Tasks of elided
 * kinds stay out of the log until something that is written needs them.
 */
export class ChangeWriter {
  constructor(
    readonly change: Change,
    readonly log: ChangeLog,
    private readonly isElided: (kind: string) => boolean,
  ) {}

  /** Applies and adds one record. Returns the number of the record that must be durable for it to count; 0: none. */
  commit(body: RecordBody): number {
    const at = this.log.now();
    const task = this.#taskOf(body);
    if (body.record === 'task') return this.#addTask(body.id, body, at);
    if (task !== undefined && this.isElided(task.kind) && isQuiet(body)) {
      if (task.written) this.log.add(body, at, true);
      this.change.apply(body, at);
      return 0;
    }
    if (task !== undefined && !task.written) this.#write(task, at);
    const seq = this.log.add(body, at, LAZY[body.record] || isRetry(body));
    if (task !== undefined) task.lastSeq = seq;
    this.change.apply(body, at);
    return seq;
  }

  /** What `run` commits is one transaction. */
  transaction<R>(run: () => R): R {
    return this.log.transaction(run);
  }

  #addTask(id: string, body: RecordBody & { record: 'task' }, at: string): number {
    if (this.isElided(body.kind)) {
      this.change.apply(body, at);
      return 0;
    }
    for (const needed of body.waits ?? []) {
      const other = this.change.task(needed);
      if (!other.written) this.#write(other, at);
    }
    const seq = this.log.add(body, at, true);
    this.change.apply(body, at);
    const task = this.change.task(id);
    task.written = true;
    task.lastSeq = seq;
    return seq;
  }

  /** Adds an elided task to the log as it is now, after everything it waits for. */
  #write(task: Task, at: string): void {
    const path = [{ task, next: 0 }];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const needed = step.task.waits[step.next];
      if (needed !== undefined) {
        step.next += 1;
        if (!needed.written) path.push({ task: needed, next: 0 });
        continue;
      }
      path.pop();
      if (step.task.written) continue;
      step.task.written = true;
      this.log.add(describeTask(step.task), at, true);
    }
  }

  #taskOf(body: RecordBody): Task | undefined {
    return 'task' in body && body.task !== undefined ? this.change.task(body.task) : undefined;
  }
}

/** Whether a record of an elided task is not worth writing: nothing went wrong and nobody gave an entry. */
function isQuiet(body: RecordBody): boolean {
  if (body.record === 'progress-id') return false;
  if ('entry' in body && body.entry !== undefined) return false;
  return !('status' in body) || (body.status !== 'error' && body.status !== 'wait');
}

function isRetry(body: RecordBody): boolean {
  return body.record === 'outcome' && body.result === 'retry' && body.entry === undefined;
}
