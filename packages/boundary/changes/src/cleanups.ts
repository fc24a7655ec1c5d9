import type { Clock } from './clock.js';
import type { ChangePolicies } from './policies.js';
import type { Task } from './task.js';
import type { ChangeWriter } from './writer.js';

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 5 * 60_000;

interface Attempt {
  failures: number;
  /** Milliseconds since 1970; Infinity while its handler runs. */
  dueAt: number;
}

/**
 * Cleanups that are not done yet [CHG-16] [CHG-24]. They begin once the change is ready. A task without a cleanup
 * handler is clean at once. A failed cleanup runs again: by itself with the policy, otherwise with any later pass.
 */
export class Cleanups {
  /** Number of failures that causes a warning. */
  static readonly WARN_AFTER = 3;
  #begun = false;
  #listed = false;
  readonly #attempts = new Map<Task, Attempt>();
  readonly #writer: ChangeWriter;
  readonly #clock: Clock;
  readonly #hasCleanup: (kind: string) => boolean;
  readonly #policies: ChangePolicies;

  constructor(
    writer: ChangeWriter,
    clock: Clock,
    hasCleanup: (kind: string) => boolean,
    policies: ChangePolicies,
  ) {
    this.#writer = writer;
    this.#clock = clock;
    this.#hasCleanup = hasCleanup;
    this.#policies = policies;
  }

  /** True if no cleanup will run soon: all are clean, or the remaining ones have failed often enough for a warning. */
  get settled(): boolean {
    if (this.#begun && !this.#listed) return false;
    for (const attempt of this.#attempts.values()) if (attempt.failures < Cleanups.WARN_AFTER) return false;
    return true;
  }

  /** Begins the cleanups once the change is ready. */
  begin(): void {
    this.#begun = true;
  }

  /** Returns the cleanups to start now. */
  take(now: number): readonly Task[] {
    if (!this.#begun) return [];
    if (!this.#listed) this.#list(now);
    const due: Task[] = [];
    for (const [task, attempt] of this.#attempts) {
      if (attempt.dueAt > now) continue;
      attempt.dueAt = Infinity;
      due.push(task);
    }
    return due;
  }

  /** Records the end of a cleanup. Returns the number of its failures so far. */
  ended(task: Task, ok: boolean): number {
    const attempt = this.#attempts.get(task);
    if (attempt === undefined) return 0;
    if (ok) {
      this.#attempts.delete(task);
      this.#writer.commit({ record: 'cleaned', task: task.id });
      return 0;
    }
    attempt.failures += 1;
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt.failures - 1));
    attempt.dueAt = this.#clock.now().getTime() + (this.#policies.cleanupBackOff ? delay : 0);
    return attempt.failures;
  }

  /** Returns when the next one runs by itself, in milliseconds since 1970. */
  nextDue(): number | undefined {
    if (!this.#policies.cleanupBackOff) return undefined;
    let next = Infinity;
    for (const attempt of this.#attempts.values()) next = Math.min(next, attempt.dueAt);
    return next === Infinity ? undefined : next;
  }

  #list(now: number): void {
    this.#listed = true;
    const { change } = this.#writer;
    for (const task of change.tasks.values()) {
      if (!task.clean && this.#hasCleanup(task.kind)) this.#attempts.set(task, { failures: 0, dueAt: now });
    }
    if (change.clean) return;
    const except = [...this.#attempts.keys()].map((task) => task.id);
    this.#writer.commit({ record: 'cleaned', ...(except.length > 0 && { except }) });
  }
}
