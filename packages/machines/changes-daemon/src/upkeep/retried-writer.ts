import type { Clock } from '@cairn/changes';
import { messageOf } from '@cairn/diagnostics';

/** Interval and total time of retries of a failing write. Milliseconds. */
export interface WriteSchedule {
  readonly everyMs: number;
  readonly limitMs: number;
  /** Returns true for a failure that no retry mends. Defaults to none. */
  readonly isFinal?: (cause: unknown) => boolean;
}

/** Retries every three seconds, for five minutes. */
export const PATIENCE: WriteSchedule = { everyMs: 3_000, limitMs: 300_000 };

/**
 * Writes after changes, one write at a time. Changes during a write go together into the next. A failing write is
 * retried. If that fails too, everything fails with the cause.
 */
export class RetriedWriter {
  #modified: boolean;
  #writing: Promise<void> | undefined;
  #failure: Error | undefined;
  readonly #clock: Clock;
  readonly #take: () => () => Promise<void>;
  readonly #patience: WriteSchedule;

  /**
   * `take` returns a write of everything that has changed since its last call. The write may be called several times.
   * With `isNew`, the first checkpoint writes even without a change.
   */
  constructor(
    take: () => () => Promise<void>,
    clock: Clock,
    isNew: boolean,
    patience: WriteSchedule = PATIENCE,
  ) {
    this.#clock = clock;
    this.#take = take;
    this.#patience = patience;
    this.#modified = isNew;
  }

  get modified(): boolean {
    return this.#modified;
  }

  /** Throws if writing has failed for good: nothing more should be accepted. */
  refuseWhenBroken(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Notes that there is something to write. */
  touch(): void {
    this.#modified = true;
  }

  /** Writes if there is anything to write. Resolves when all changes so far are durable. */
  async checkpoint(): Promise<void> {
    while (this.#modified || this.#writing !== undefined) {
      if (this.#failure !== undefined) throw this.#failure;
      this.#writing ??= this.#write();
      await this.#writing;
    }
  }

  async #write(): Promise<void> {
    // Changes of one turn are written together, such as the end of a run and its notice.
    await Promise.resolve();
    this.#modified = false;
    try {
      await this.#patiently(this.#take());
    } catch (cause) {
      this.#failure = cause as Error;
      throw cause;
    } finally {
      this.#writing = undefined;
    }
  }

  async #patiently(write: () => Promise<void>): Promise<void> {
    const { everyMs, limitMs, isFinal } = this.#patience;
    for (let waitedMs = 0; ; waitedMs += everyMs) {
      try {
        return await write();
      } catch (cause) {
        if (isFinal?.(cause) === true) throw cause;
        if (waitedMs + everyMs > limitMs) {
          throw new Error(
            `cannot checkpoint even after ${limitMs} ms of retries every ${everyMs} ms: ${messageOf(cause)}`,
            { cause },
          );
        }
      }
      await new Promise<void>((resolve) => this.#clock.after(everyMs, resolve));
    }
  }
}
