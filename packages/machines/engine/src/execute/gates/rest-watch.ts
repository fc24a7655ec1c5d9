/** What tells whether an operation rests. */
interface RestWatchParts {
  /** Calls after so many milliseconds; returns what calls it off. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** Whether something waits for a person. Cheap. */
  readonly waits: () => boolean;
  /** Whether a question is open, or a task of the change runs or will start by itself. */
  readonly busy: () => boolean;
  /** Everything that can be done without that person is done. Called once. */
  readonly onRest: () => void;
}

/**
 * How long nothing may happen before an operation that waits for approval counts as being at rest. Nobody can know what
 * a program that computes by itself is going to register; what it registers later is done when the operation goes on.
 */
export const QUIET_MS = 1_000;

/**
 * Notices that nothing goes on any more but waiting for approvals: nothing runs, no question is open, and nothing has
 * been heard of the program for {@link QUIET_MS}. Costs nothing while no gate waits.
 */
export class RestWatch {
  #news = 0;
  #open = 0;
  #callOff: (() => void) | undefined;
  #over = false;

  constructor(private readonly parts: RestWatchParts) {}

  /** Something has happened: the quiet begins anew. */
  noteActivity(): void {
    this.#news += 1;
    if (this.#over || this.#callOff !== undefined || !this.parts.waits()) return;
    this.#arm();
  }

  /** Work that is not the change's own; while it goes on nothing rests. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#open += 1;
    try {
      return await work();
    } finally {
      this.#open -= 1;
      this.noteActivity();
    }
  }

  /** Watches no longer. */
  close(): void {
    this.#over = true;
    this.#callOff?.();
  }

  #arm(): void {
    const news = this.#news;
    this.#callOff = this.parts.after(QUIET_MS, () => {
      this.#callOff = undefined;
      if (this.#over || !this.parts.waits()) return;
      if (news !== this.#news || this.#open > 0 || this.parts.busy()) return this.#arm();
      this.close();
      this.parts.onRest();
    });
  }
}
