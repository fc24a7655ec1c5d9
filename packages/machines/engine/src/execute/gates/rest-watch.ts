/** Dependencies of {@link RestWatch}. */
interface RestWatchParts {
  /** Calls `run` after a number of milliseconds. Returns a function that cancels the call. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** Returns true if a task waits for a person. Cheap. */
  readonly waits: () => boolean;
  /** Returns true if a question is open, or a task of the change runs or will start on its own. */
  readonly busy: () => boolean;
  /** Called once, when everything that is possible without that person is done. */
  readonly onRest: () => void;
}

/**
 * Quiet time, in milliseconds, after which an operation that waits for approval is at rest. Cairn cannot know what a
 * computing program is going to register. Later registrations are processed when the operation continues.
 */
export const QUIET_MS = 1_000;

/**
 * Notices that only waiting for approvals remains: nothing runs, no question is open, and no activity of the program
 * was noted for {@link QUIET_MS}. Costs nothing while no gate waits.
 */
export class RestWatch {
  #news = 0;
  #open = 0;
  #callOff: (() => void) | undefined;
  #over = false;

  readonly #parts: RestWatchParts;

  constructor(parts: RestWatchParts) {
    this.#parts = parts;
  }

  /** Notes an activity, which restarts the quiet time. */
  noteActivity(): void {
    this.#news += 1;
    if (this.#over || this.#callOff !== undefined || !this.#parts.waits()) return;
    this.#arm();
  }

  /** Runs work outside of the change. Nothing rests in the meantime. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#open += 1;
    try {
      return await work();
    } finally {
      this.#open -= 1;
      this.noteActivity();
    }
  }

  /** Stops watching. */
  close(): void {
    this.#over = true;
    this.#callOff?.();
  }

  #arm(): void {
    const news = this.#news;
    this.#callOff = this.#parts.after(QUIET_MS, () => {
      this.#callOff = undefined;
      if (this.#over || !this.#parts.waits()) return;
      if (news !== this.#news || this.#open > 0 || this.#parts.busy()) return this.#arm();
      this.close();
      this.#parts.onRest();
    });
  }
}
