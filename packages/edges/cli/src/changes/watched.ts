import { statusWord } from '@cairn/backends/words';
import type { ChangeRecord, TaskProgress, Status } from '@cairn/changes';
import { urnName, urnType, isUrn } from '@cairn/addresses';
import type { Json } from '@cairn/state';
import { formatDuration } from '../terminal/duration.js';
import { visibleName } from '../terminal/controls.js';
import { firstLine, stripEscapes } from '../terminal/paint.js';

/** State of a task according to its records so far. */
interface WatchedTask {
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
  readonly urn: string | undefined;
  readonly status: Status;
  /** Reason why it waits, holds or failed. */
  readonly reason: string | undefined;
  readonly progress: TaskProgress | undefined;
  /** RFC 3339 time of the last change of its status. */
  readonly at: string;
  /** Duration of the last handler in milliseconds. Undefined while a handler runs and before the first one. */
  readonly ms: number | undefined;
}

/** Tasks of a change, updated as its records arrive. The cost of a record does not depend on the size of the change. */
export class WatchedTasks {
  readonly all = new Map<string, WatchedTask>();
  /** Ids of the tasks that a handler works on. */
  readonly running = new Set<string>();
  /** Number of tasks that have ended. */
  ended = 0;

  /** Applies records. Returns, in order, the state of each task after a record that deserves a line. */
  take(records: readonly ChangeRecord[]): readonly WatchedTask[] {
    return records.flatMap((record) => this.#apply(record) ?? []);
  }

  #apply(record: ChangeRecord): WatchedTask | undefined {
    switch (record.record) {
      case 'task': {
        const { id, kind, summary, data } = record;
        const urn = typeof data?.['urn'] === 'string' ? data['urn'] : undefined;
        const status = record.status ?? 'do';
        this.#put({
          id,
          kind,
          summary,
          urn,
          status,
          reason: undefined,
          progress: undefined,
          at: record.at,
          ms: undefined,
        });
        return undefined;
      }
      case 'intent':
        return this.#change(record.task, {
          status: record.status,
          at: record.at,
          ms: undefined,
          reason: undefined,
        });
      case 'outcome': {
        const { status, reason, progress, at, ms } = record;
        return this.#change(record.task, { status, reason, progress, at, ms });
      }
      case 'status':
        if (record.task === undefined || record.status === null) return undefined;
        return this.#change(record.task, { status: record.status, reason: record.reason, at: record.at });
      default:
        return undefined;
    }
  }

  #change(id: string, more: Partial<WatchedTask>): WatchedTask | undefined {
    const before = this.all.get(id);
    if (before === undefined) return undefined;
    const task = { ...before, ...more };
    this.#put(task);
    return task;
  }

  #put(task: WatchedTask): void {
    const before = this.all.get(task.id);
    if (before !== undefined && ENDS.has(before.status)) this.ended -= 1;
    if (ENDS.has(task.status)) this.ended += 1;
    if (WORKS.has(task.status) && task.ms === undefined) this.running.add(task.id);
    else this.running.delete(task.id);
    this.all.set(task.id, task);
  }
}

const ENDS: ReadonlySet<Status> = new Set<Status>(['done', 'undone', 'hold', 'error']);
const WORKS: ReadonlySet<Status> = new Set<Status>(['doing', 'undoing', 'abort']);

/** Returns the resource of a task, or its summary if it has none. */
export function taskTitle({ kind, urn, summary }: WatchedTask): string {
  if (urn === undefined || !isUrn(urn)) return stripEscapes(summary);
  return visibleName(`${kind} ${urnName(urn)} (${urnType(urn)})`);
}

/** Returns a line such as `Done     create page (aws:s3:Object)  1.2s`. */
export function watchedLine(task: WatchedTask): string {
  const { status, reason, ms } = task;
  const took = ms === undefined || ms < 1 ? '' : `  ${formatDuration(ms)}`;
  const why = reason === undefined ? '' : `  ${firstLine(reason)}`;
  return `${statusWord(status).padEnd(8)} ${taskTitle(task)}${took}${why}`;
}

/** Returns a task as a line of `watch --json`. */
export function watchedJson(task: WatchedTask, change: number): Readonly<Record<string, Json>> {
  const { id, kind, summary, urn, status, reason, progress, at, ms } = task;
  return {
    task: `${change}/${id}`,
    kind,
    summary,
    ...(urn === undefined ? {} : { urn }),
    status: statusWord(status),
    ...(reason === undefined ? {} : { reason }),
    ...(progress === undefined ? {} : { progress: { ...progress } }),
    time: new Date(at).toISOString(),
    ...(ms === undefined ? {} : { ms: Math.round(ms) }),
  };
}
