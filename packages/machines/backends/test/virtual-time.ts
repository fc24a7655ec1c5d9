import type { Timer } from '../src/index.js';

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** Turns of the event loop in which everything comes to rest that waits for no timer. */
const TURNS = 12;

/** A timer whose time passes only when a test lets it. */
export class VirtualTimer implements Timer {
  #now = 0;
  readonly #due = new Set<Due>();

  /** Milliseconds since the beginning. */
  ticks(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const due = { at: this.#now + ms, run };
    this.#due.add(due);
    return () => void this.#due.delete(due);
  }

  inBackground(ms: number, run: () => void): () => void {
    return this.after(ms, run);
  }

  stopwatch(): () => number {
    const begun = this.#now;
    return () => this.#now - begun;
  }

  /** Lets so much time pass, and everything happen that is due in it. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await this.settle();
      const next = [...this.#due].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#due.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}
