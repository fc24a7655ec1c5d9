import type { Timer } from '../src/index.js';

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** Turns of the event loop after which all work that waits for no timer has come to rest. */
const TURNS = 12;

/** Timer whose time passes only when a test lets it. */
export class VirtualTimer implements Timer {
  #now = 0;
  readonly #due = new Set<Due>();

  /** Returns milliseconds since the beginning. */
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

  /** Lets that much time pass, and runs everything that is due in it. */
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
