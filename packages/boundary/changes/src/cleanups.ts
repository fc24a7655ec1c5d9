import type { Clock } from './clock.js';
import type { Policies } from './policies.js';
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
 * Which cleanups are still to be done [CHG-16] [CHG-24]. They begin once the change is ready; a task without a
 * cleanup handler is clean at once; one that fails comes again, by itself with the policy, else with any later pass.
 */
export class Cleanups {
  /** Failures after which somebody should be told. */
  static readonly WARN_AFTER = 3;
  #begun = false;
  #listed = false;
  readonly #attempts = new Map<Task, Attempt>();

  constructor(
    private readonly writer: ChangeWriter,
    private readonly clock: Clock,
    private readonly hasCleanup: (kind: string) => boolean,
    private readonly policies: Policies,
  ) {}

  /** Whether nothing of it is going to happen soon: all clean, or what is left has failed often enough to be told. */
  get settled(): boolean {
    if (this.#begun && !this.#listed) return false;
    for (const attempt of this.#attempts.values()) if (attempt.failures < Cleanups.WARN_AFTER) return false;
    return true;
  }

  /** The change is ready. */
  begin(): void {
    this.#begun = true;
  }

  /** The cleanups to start now. */
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

  /** A cleanup is over. Returns how often it has failed so far. */
  ended(task: Task, ok: boolean): number {
    const attempt = this.#attempts.get(task);
    if (attempt === undefined) return 0;
    if (ok) {
      this.#attempts.delete(task);
      this.writer.commit({ record: 'cleaned', task: task.id });
      return 0;
    }
    attempt.failures += 1;
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt.failures - 1));
    attempt.dueAt = this.clock.now().getTime() + (this.policies.cleanupBackOff ? delay : 0);
    return attempt.failures;
  }

  /** When the next one comes by itself: milliseconds since 1970. */
  nextDue(): number | undefined {
    if (!this.policies.cleanupBackOff) return undefined;
    let next = Infinity;
    for (const attempt of this.#attempts.values()) next = Math.min(next, attempt.dueAt);
    return next === Infinity ? undefined : next;
  }

  #list(now: number): void {
    this.#listed = true;
    const { change } = this.writer;
    for (const task of change.tasks.values()) {
      if (!task.clean && this.hasCleanup(task.kind)) this.#attempts.set(task, { failures: 0, dueAt: now });
    }
    if (change.clean) return;
    const except = [...this.#attempts.keys()].map((task) => task.id);
    this.writer.commit({ record: 'cleaned', ...(except.length > 0 && { except }) });
  }
}
