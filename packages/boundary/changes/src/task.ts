import type { DataMap, Direction, Progress } from './records.js';
import type { Status, WaitedStatus } from './status.js';

/** One unit of work as everybody outside the machine sees it [CHG-3]. Live: it changes as the change runs. */
export interface TaskView {
  /** Decimal string, unique in the change, counting from "1" in the order of creation. */
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
  readonly status: Status;
  /** Where a wait leads; kept after the wait is over. */
  readonly waited: WaitedStatus | undefined;
  /** Why it waits, holds or failed. */
  readonly reason: string | undefined;
  /** Tasks that must be done first. */
  readonly waits: readonly TaskView[];
  /** Tasks that wait for this one: the exact mirror. */
  readonly halts: readonly TaskView[];
  /** In order of joining; never empty, `[0]` without lanes. */
  readonly lanes: readonly number[];
  /** Smaller starts first. */
  readonly priority: number;
  readonly data: DataMap;
  /** At most 50 lines, the newest win: RFC 3339 time, `INFO` or `ERROR`, text. */
  readonly log: readonly string[];
  /** As set, or 0 of 1 in `do` and 1 of 1 in any other status. */
  readonly progress: Progress;
  /** What the provider named, see `note`. */
  readonly progressId: string | undefined;
  /** RFC 3339. */
  readonly spawned: string;
  /** RFC 3339: when it last came to an end, also when it has begun to be undone since; undefined before that. */
  readonly ended: string | undefined;
  /** Milliseconds spent in handlers. */
  readonly doingMs: number;
  readonly undoingMs: number;
  /** Not to be started before; milliseconds since 1970. */
  readonly notBefore: number | undefined;
  /** Starts in the present direction without a result. */
  readonly attempts: number;
  /** Definite failures so far. */
  readonly generation: number;
  readonly clean: boolean;
}

/** Lanes of a task that joined none. */
export const LANE_ZERO: readonly number[] = Object.freeze([0]);
const NO_TASKS: Task[] = [];
const NO_LINES: readonly string[] = Object.freeze([]);
/** Data of a task that has none. */
export const NO_DATA: DataMap = Object.freeze({});
const NOT_BEGUN: Progress = Object.freeze({ label: '', done: 0, total: 1 });
const ENDED: Progress = Object.freeze({ label: '', done: 1, total: 1 });

/** Lines a task's log keeps [CHG-25]. */
const LOG_LINES = 50;

/** The task itself. Written by `change.ts` alone, except for the last group, which belongs to the runner. */
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
  /** Its do handler has succeeded, or may have. */
  effect = false;
  /** Which handler was started and has no outcome, or one that nobody knows. */
  doubt: Direction | undefined;
  #progress: Progress | undefined;

  /** How many of `waits` are not done, and how many of `halts` are not ready: what the next start waits for. */
  unmetWaits = 0;
  unmetHalts = 0;

  /** The runner's: where it stands on the agenda; its last record's number; whether it is in the change log. */
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

  get progress(): Progress {
    return this.#progress ?? (this.status === 'do' ? NOT_BEGUN : ENDED);
  }

  /** What was set, without the defaults. */
  get ownProgress(): Progress | undefined {
    return this.#progress;
  }

  /** What cannot be stored, or is not between nothing and all, is dropped: it comes from handlers. */
  setProgress(progress: Progress): void {
    const { label, total, done } = progress;
    const sound = Number.isFinite(total) && total > 0 && done >= 0 && done <= total;
    this.#progress = sound ? { label: typeof label === 'string' ? label : '', done, total } : undefined;
  }

  addLines(lines: readonly string[]): void {
    this.log = [...this.log, ...lines].slice(-LOG_LINES);
  }

  /** Adds the edge in both directions, once. */
  waitFor(other: Task): void {
    if (this.waits.includes(other)) return;
    if (this.waits === NO_TASKS) this.waits = [];
    if (other.halts === NO_TASKS) other.halts = [];
    this.waits.push(other);
    other.halts.push(this);
  }
}
