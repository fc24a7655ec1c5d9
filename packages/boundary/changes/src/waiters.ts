import type { ChangeLog } from './change-log.js';
import type { CallOutcome } from './kinds.js';
import type { Status } from './status.js';
import { isReady } from './status.js';
import type { Task, TaskView } from './task.js';

/** State of a task at rest: an end, or a wait. */
export interface TaskResult {
  readonly task: TaskView;
  readonly status: Status;
  /** Outcome of its handler. Undefined if it was not called, or answered in an earlier process. */
  readonly outcome: CallOutcome | undefined;
}

/** State of a change, as far as waiting callers need it. */
interface Activity {
  /** Returns true if no handler runs. */
  quiet(): boolean;
  /** Returns true if nothing runs and nothing will start by itself. */
  idle(): boolean;
}

/**
 * Callers that wait for a running change. They wait for a task to come to rest, for no handler to run, or until nothing
 * starts by itself any more. Each is notified when its condition is durable, or when it can no longer happen, with the
 * cause.
 */
export class Waiters {
  readonly #ends = new Map<Task, End>();
  readonly #settling: Deferred<void>[] = [];
  readonly #quiet: Deferred<void>[] = [];
  #failure: { readonly cause: unknown } | undefined;
  readonly #log: ChangeLog;
  readonly #activity: Activity;

  constructor(log: ChangeLog, activity: Activity) {
    this.#log = log;
    this.#activity = activity;
  }

  /** Resolves when the task first comes to rest. */
  ended(task: Task): Promise<TaskResult> {
    const known = this.#ends.get(task);
    if (known !== undefined) return known.promise;
    const { promise, resolve, reject } = deferred<TaskResult>();
    const end: End = { promise, resolve, reject, outcome: undefined };
    if (this.#failure !== undefined) end.reject(this.#failure.cause);
    else {
      this.#ends.set(task, end);
      this.restedAt(task);
    }
    return end.promise;
  }

  /** Resolves when nothing will start by itself any more. {@link moved} is called at least once after this. */
  settled(): Promise<void> {
    return this.#joining(this.#settling);
  }

  /** Resolves when no handler runs. */
  quiet(): Promise<void> {
    if (this.#failure === undefined && this.#activity.quiet()) return this.#log.flush();
    return this.#joining(this.#quiet);
  }

  /** Records the answer of a task's handler. */
  answered(task: Task, outcome: CallOutcome): void {
    const end = this.#ends.get(task);
    if (end !== undefined) end.outcome = outcome;
  }

  /**
   * Handles a new status of a task. Waiting callers are notified in a later turn, when the outcome is known and
   * durable.
   */
  restedAt(task: Task): void {
    if (!isRest(task.status) || !this.#ends.has(task)) return;
    this.#log.after(task.lastSeq, () => {
      const end = this.#ends.get(task);
      if (end === undefined || !isRest(task.status)) return;
      this.#ends.delete(task);
      end.resolve({ task, status: task.status, outcome: end.outcome });
    });
  }

  /** Called when a task has started, ended or been added. */
  moved(): void {
    if (this.#quiet.length > 0 && this.#activity.quiet()) {
      const flushed = this.#log.flush();
      for (const one of this.#quiet.splice(0)) flushed.then(one.resolve, one.reject);
    }
    if (this.#settling.length === 0 || !this.#activity.idle()) return;
    const waiting = this.#settling.splice(0);
    this.#log.flush().then(
      () => {
        // Something may have been added meanwhile.
        if (this.#activity.idle()) for (const one of waiting) one.resolve();
        else this.#settling.push(...waiting);
      },
      (cause: unknown) => {
        for (const one of waiting) one.reject(cause);
      },
    );
  }

  /** Fails all present and future waits with this cause. */
  fail(cause: unknown): void {
    this.#failure = { cause };
    const waiting = [...this.#ends.values(), ...this.#settling.splice(0), ...this.#quiet.splice(0)];
    this.#ends.clear();
    for (const one of waiting) one.reject(cause);
  }

  #joining(waiting: Deferred<void>[]): Promise<void> {
    const one = deferred<void>();
    if (this.#failure !== undefined) one.reject(this.#failure.cause);
    else waiting.push(one);
    return one.promise;
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (cause: unknown) => void;
}

interface End extends Deferred<TaskResult> {
  outcome: CallOutcome | undefined;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (cause: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // The caller receives the failure; without a caller so far it must not end the process.
  promise.catch(ignore);
  return { promise, resolve, reject };
}

function ignore(): void {}

function isRest(status: Status): boolean {
  return isReady(status) || status === 'wait';
}
