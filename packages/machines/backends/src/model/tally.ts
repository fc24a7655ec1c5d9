import { STATUSES } from '@cairn/changes';
import type { ChangeRecord, Status } from '@cairn/changes';
import type { TaskCounts } from './change-row.js';

/**
 * Counts the tasks of a change from its records as they come. A record costs the same whatever the size of the change.
 * A step is in doubt from its intent (which leaves a pending operation) to an outcome that is known.
 */
export class Tally {
  readonly #statuses = new Map<string, Status>();
  readonly #doubts = new Set<string>();

  add(record: ChangeRecord): void {
    switch (record.record) {
      case 'task':
        this.#statuses.set(record.id, record.status ?? 'do');
        return;
      case 'intent':
        this.#statuses.set(record.task, record.status);
        if (record.entry !== undefined) this.#doubts.add(record.task);
        return;
      case 'outcome':
        this.#statuses.set(record.task, record.status);
        if (isKnown(record)) this.#doubts.delete(record.task);
        return;
      case 'status':
        if (record.task === undefined || record.status === null) return;
        this.#statuses.set(record.task, record.status);
        if (SETTLED.has(record.status)) this.#doubts.delete(record.task);
        return;
      default:
        return;
    }
  }

  /** Returns ids of the tasks whose end is unknown, in order of their beginning. */
  inDoubt(): readonly string[] {
    return [...this.#doubts];
  }

  counts(): TaskCounts {
    const known: Partial<Record<Status, number>> = {};
    for (const [task, status] of this.#statuses)
      if (!this.#doubts.has(task)) known[status] = (known[status] ?? 0) + 1;
    return {
      total: this.#statuses.size,
      done: known.done ?? 0,
      undone: known.undone ?? 0,
      failed: known.error ?? 0,
      held: known.hold ?? 0,
      waiting: known.wait ?? 0,
      doubt: this.#doubts.size,
    };
  }

  /**
   * Returns the status of the change when none of its tasks runs: `wait` when a task waits, else the first that some
   * task has [CHG-9].
   */
  status(): Status {
    const present = new Set(this.#statuses.values());
    const under = (['abort', 'undoing', 'doing'] as const).some((status) => present.has(status));
    if (present.has('wait') && !under) return 'wait';
    return STATUSES.find((status) => present.has(status)) ?? 'hold';
  }
}

/**
 * Returns true if an outcome is known. An attempt to find out about a step that waits for an answer has found out
 * nothing, and records no entry.
 */
function isKnown({ result, entry }: Extract<ChangeRecord, { readonly record: 'outcome' }>): boolean {
  return result !== 'unknown' && !(result === 'wait' && entry === undefined);
}

/** Ends that are known. A hold is none: it says that nothing more is done about the step. */
const SETTLED: ReadonlySet<Status> = new Set<Status>(['done', 'undone']);

/** Counts of a change without tasks. */
export const NO_TASKS: TaskCounts = {
  total: 0,
  done: 0,
  undone: 0,
  failed: 0,
  held: 0,
  waiting: 0,
  doubt: 0,
};

/** Returns the tally of a complete list of records. */
export function tallyOf(records: readonly ChangeRecord[]): Tally {
  const tally = new Tally();
  for (const record of records) tally.add(record);
  return tally;
}
