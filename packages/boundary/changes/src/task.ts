import type { DataMap, Direction, TaskProgress } from './records.js';
import type { Status, WaitedStatus } from './status.js';

/** Public view of one unit of work [CHG-3]. Live: it changes as the change runs. */
export interface TaskView {
  /** Decimal string, unique in the change, counting from "1" in the order of creation. */
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
  readonly status: Status;
  /** Status that a wait leads to; kept after the wait is over. */
  readonly waited: WaitedStatus | undefined;
  /** Reason why it waits, holds or failed. */
  readonly reason: string | undefined;
  /** Tasks that must be done first. */
  readonly waits: readonly TaskView[];
  /** Tasks that wait for this one: the exact mirror of `waits`. */
  readonly halts: readonly TaskView[];
  /** Lanes in order of joining; never empty, `[0]` if the task joined none. */
  readonly lanes: readonly number[];
  /** Smaller starts first. */
  readonly priority: number;
  readonly data: DataMap;
  /** At most the 50 newest lines: RFC 3339 time, `INFO` or `ERROR`, text. */
  readonly log: readonly string[];
  /** Progress that was set. Defaults to 0 of 1 in `do` and to 1 of 1 in any other status. */
  readonly progress: TaskProgress;
  /** Name that the provider gave, see `note`. */
  readonly progressId: string | undefined;
  /** RFC 3339. */
  readonly spawned: string;
  /** RFC 3339 time of its last end, kept when its undo has begun since. Undefined before its first end. */
  readonly ended: string | undefined;
  /** Milliseconds spent in handlers. */
  readonly doingMs: number;
  readonly undoingMs: number;
  /** Milliseconds since 1970 before which it must not start. */
  readonly notBefore: number | undefined;
  /** Number of starts in the present direction without a result. */
  readonly attempts: number;
  /** Number of definite failures so far. */
  readonly generation: number;
  readonly clean: boolean;
}

/** Lanes of a task that joined none. */
export const LANE_ZERO: readonly number[] = Object.freeze([0]);
const NO_TASKS: Task[] = [];
const NO_LINES: readonly string[] = Object.freeze([]);
/** Data of a task that has none. */
export const NO_DATA: DataMap = Object.freeze({});
const NOT_BEGUN: TaskProgress = Object.freeze({ label: '', done: 0, total: 1 });
const ENDED: TaskProgress = Object.freeze({ label: '', done: 1, total: 1 });

/** A list of fewer tasks is copied to add one: V8 gives a list that grows from nothing room for 17 items. */
const FEW = 8;
/** Maximum number of lines in a task's log [CHG-25]. */
const LOG_LINES = 50;

/** Task of a change. Only `change.ts` writes it, except for the last group, which belongs to the runner. */
export class Task implements TaskView {
  status: Status = 'do';
  waited: WaitedStatus | undefined;
  reason: string | undefined;
  waits: Task[] = NO_TASKS;
  halts: Task[] = NO_TASKS;
  lanes: readonly number[] = LANE_ZERO;
  data: DataMap = NO_DATA;
  log: readonly string[] = NO_LINES;
  progressId: string | undefined;
  ended: string | undefined;
  doingMs = 0;
  undoingMs = 0;
  notBefore: number | undefined;
  attempts = 0;
  generation = 0;
  clean = false;
  /** True if its do handler has succeeded, or may have. */
  effect = false;
  /** Handler that was started and has no outcome, or an unknown one. */
  doubt: Direction | undefined;
  #progress: TaskProgress | undefined;

  /** Numbers of `waits` that are not done and of `halts` that are not ready. The next start waits for them. */
  unmetWaits = 0;
  unmetHalts = 0;

  /** State of the runner: the place on the agenda; the number of the last record; the payload. */
  queued: 'decide' | 'start' | undefined;
  lastSeq = 0;
  payload: unknown;

  constructor(
    readonly id: string,
    /** Order of creation, from 1. */
    readonly order: number,
    readonly kind: string,
    readonly summary: string,
    readonly priority: number,
    readonly spawned: string,
  ) {}

  get inDoubt(): boolean {
    return this.doubt !== undefined;
  }

  get progress(): TaskProgress {
    return this.#progress ?? (this.status === 'do' ? NOT_BEGUN : ENDED);
  }

  /** Progress that was set, without the defaults. */
  get ownProgress(): TaskProgress | undefined {
    return this.#progress;
  }

  /**
   * Sets progress. An invalid value of a handler is dropped: `total` must be finite and positive, and `done` between 0
   * and `total`.
   */
  setProgress(progress: TaskProgress): void {
    const { label, total, done } = progress;
    const sound = Number.isFinite(total) && total > 0 && done >= 0 && done <= total;
    this.#progress = sound ? { label: typeof label === 'string' ? label : '', done, total } : undefined;
  }

  addLines(lines: readonly string[]): void {
    this.log = [...this.log, ...lines].slice(-LOG_LINES);
  }

  /** Adds the edge in both directions. It must be a new one: a task may wait for every other. */
  waitFor(other: Task): void {
    this.waits = withTask(this.waits, other);
    other.halts = withTask(other.halts, this);
  }
}

function withTask(tasks: Task[], added: Task): Task[] {
  if (tasks.length < FEW) return tasks.concat([added]);
  tasks.push(added);
  return tasks;
}
