import type { Clock } from '@cairn/changes';

/** Time at which the next pass is due. A request can only bring it forward [CHG-30]. */
export class NextPass {
  #at = Infinity;
  #callOff: (() => void) | undefined;
  #ring: (() => void) | undefined;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since 1970; Infinity before the first {@link reset}. */
  get at(): number {
    return this.#at;
  }

  /** Sets the next pass to be due in `ms`, whatever was requested earlier. */
  reset(ms: number): void {
    this.#set(ms);
  }

  /** Requests a pass within `ms`. If the planned time is already past (the machine slept), the pass is due at once. */
  ensureBefore(ms: number): void {
    const now = this.#clock.now().getTime();
    if (this.#at <= now) this.#set(0);
    else if (now + ms < this.#at) this.#set(Math.max(0, ms));
  }

  /** Resolves when the pass is due, and never in the same turn, so that other work can run in between. */
  due(): Promise<void> {
    return new Promise((resolve) => {
      this.#ring = resolve;
      if (this.#at <= this.#clock.now().getTime()) this.#set(0);
    });
  }

  /** Cancels the pass. */
  stop(): void {
    this.#callOff?.();
    this.#at = Infinity;
    this.#ring = undefined;
  }

  #set(ms: number): void {
    this.#callOff?.();
    this.#at = this.#clock.now().getTime() + ms;
    this.#callOff = this.#clock.after(ms, () => this.#fire());
  }

  #fire(): void {
    const ring = this.#ring;
    this.#ring = undefined;
    ring?.();
  }
}
