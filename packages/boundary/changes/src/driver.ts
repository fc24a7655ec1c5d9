import type { Clock } from './clock.js';
import { soon } from './soon.js';

/** Runs passes on request. */
export interface PassDriver {
  /** True if a pass is about to run. */
  readonly pending: boolean;
  /** Requests a pass within `ms` milliseconds. */
  ensureBefore(ms: number): void;
  /** Stops running passes. */
  stop(): void;
}

/** Returns a driver for passes that the caller runs, e.g. in an ensure loop. Calls `ensureBefore` for each request. */
export function outsideDriver(ensureBefore: (ms: number) => void): PassDriver {
  let stopped = false;
  return {
    pending: false,
    ensureBefore: (ms) => {
      if (!stopped) ensureBefore(ms);
    },
    stop: () => {
      stopped = true;
    },
  };
}

/** Runs passes on request: in the next turn, or at a time. A later request never delays an earlier one. */
export class Driver implements PassDriver {
  #soon = false;
  #timer: { readonly at: number; readonly callOff: () => void } | undefined;
  #stopped = false;
  readonly #clock: Clock;
  readonly #pass: () => void;

  constructor(clock: Clock, pass: () => void) {
    this.#clock = clock;
    this.#pass = pass;
  }

  /** True if a pass is about to run. */
  get pending(): boolean {
    return this.#soon;
  }

  /** Requests a pass within `ms` milliseconds. */
  ensureBefore(ms: number): void {
    if (this.#stopped || this.#soon) return;
    if (ms <= 0) {
      this.#soon = true;
      soon(() => this.#run());
      return;
    }
    const at = this.#clock.now().getTime() + ms;
    if (this.#timer !== undefined && this.#timer.at <= at) return;
    this.#timer?.callOff();
    this.#timer = { at, callOff: this.#clock.after(ms, () => this.#ring()) };
  }

  /** Stops running passes. */
  stop(): void {
    this.#stopped = true;
    this.#soon = false;
    this.#timer?.callOff();
    this.#timer = undefined;
  }

  #ring(): void {
    this.#timer = undefined;
    this.ensureBefore(0);
  }

  #run(): void {
    if (this.#stopped) return;
    this.#soon = false;
    this.#pass();
  }
}
