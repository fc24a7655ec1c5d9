import type { Clock } from './clock.js';
import { soon } from './soon.js';

/** Who sees to it that passes run. */
export interface PassDriver {
  /** Whether a pass is about to run. */
  readonly pending: boolean;
  /** Asks for a pass within `ms` milliseconds. */
  ensureBefore(ms: number): void;
  /** Runs no pass any more. */
  stop(): void;
}

/** Passes are run by somebody else, e.g. an ensure loop, who is told when one is wanted. */
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

/**
 * Runs passes when they are asked for: soon (the next turn), or at a time; a later request never delays an earlier one.
 */
export class Driver implements PassDriver {
  #soon = false;
  #timer: { readonly at: number; readonly callOff: () => void } | undefined;
  #stopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly pass: () => void,
  ) {}

  /** Whether a pass is about to run. */
  get pending(): boolean {
    return this.#soon;
  }

  /** Asks for a pass within `ms` milliseconds. */
  ensureBefore(ms: number): void {
    if (this.#stopped || this.#soon) return;
    if (ms <= 0) {
      this.#soon = true;
      soon(() => this.#run());
      return;
    }
    const at = this.clock.now().getTime() + ms;
    if (this.#timer !== undefined && this.#timer.at <= at) return;
    this.#timer?.callOff();
    this.#timer = { at, callOff: this.clock.after(ms, () => this.#ring()) };
  }

  /** Runs no pass any more. */
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
    this.pass();
  }
}
