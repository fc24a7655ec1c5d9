import type { StoreSignals } from '../store/service-store.js';

/**
 * Wakes those who wait for something new, in this process and, where the store has signals, in the others. A signal may
 * get lost, and times pass without one: those who wait look once a second as well.
 */
export class Wakening {
  readonly #signals: StoreSignals | undefined;
  readonly #waiting = new Set<() => void>();
  #count = 0;

  constructor(signals: StoreSignals | undefined) {
    this.#signals = signals;
    signals?.hear(() => this.#wakeHere());
  }

  /** Number of wakes so far. A caller reads it before it looks, so that {@link wait} misses none. */
  get count(): number {
    return this.#count;
  }

  /** Wakes everyone who waits. */
  wake(): void {
    this.#wakeHere();
    this.#signals?.send();
  }

  /** Waits for a wake after the first `since` ones, or for some time in milliseconds. */
  async wait(ms: number, since: number): Promise<void> {
    if (this.#count !== since) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#waiting.add(end);
    });
  }

  #wakeHere(): void {
    this.#count += 1;
    for (const each of this.#waiting) each();
  }
}
