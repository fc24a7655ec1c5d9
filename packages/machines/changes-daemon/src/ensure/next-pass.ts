import type { Clock } from '@cairn/changes';

/** When the next pass is due. A request only ever brings it forward [CHG-30]. */
export class NextPass {
  #at = Infinity;
  #callOff: (() => void) | undefined;
  #ring: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  /** Milliseconds since 1970; Infinity before the first {@link reset}. */
  get at(): number {
    return this.#at;
  }

  /** The next pass is due in `ms`, whatever was asked for before. */
  reset(ms: number): void {
    this.#set(ms);
  }

  /** Within `ms`. A time that is already past (the machine slept) means at once. */
  ensureBefore(ms: number): void {
    const now = this.clock.now().getTime();
    if (this.#at <= now) this.#set(0);
    else if (now + ms < this.#at) this.#set(Math.max(0, ms));
  }

  /** Resolves when the time has come, and never in the same turn: other work comes in between. */
  due(): Promise<void> {
    return new Promise((resolve) => {
      this.#ring = resolve;
      if (this.#at <= this.clock.now().getTime()) this.#set(0);
    });
  }

  /** Nothing is due any more. */
  stop(): void {
    this.#callOff?.();
    this.#at = Infinity;
    this.#ring = undefined;
  }

  #set(ms: number): void {
    this.#callOff?.();
    this.#at = this.clock.now().getTime() + ms;
    this.#callOff = this.clock.after(ms, () => this.#fire());
  }

  #fire(): void {
    const ring = this.#ring;
    this.#ring = undefined;
    ring?.();
  }
}
