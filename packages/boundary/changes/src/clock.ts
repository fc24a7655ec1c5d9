/** Time as the machine sees it. */
export interface Clock {
  now(): Date;
  /** Milliseconds from any fixed start; never goes back. */
  monotonicMs(): number;
  /** Calls `run` once, not before `ms` milliseconds from now. Returns a function that calls it off. */
  after(ms: number, run: () => void): () => void;
}

/** Longest delay that Node's timers take, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** The machine's own clock. Its timers keep the process alive. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, Math.ceil(ms)), LONGEST));
    return () => clearTimeout(timer);
  },
};

/** A clock that stands still until it is moved. For tests. */
export class FakeClock implements Clock {
  #now: number;
  readonly #start: number;
  #slept = 0;
  readonly #timers = new Set<{ due: number; readonly run: () => void }>();

  /** `start` in milliseconds since 1970. */
  constructor(start = Date.UTC(2030, 0, 1)) {
    this.#now = start;
    this.#start = start;
  }

  now(): Date {
    return new Date(this.#now);
  }

  monotonicMs(): number {
    return this.#now - this.#start - this.#slept;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { due: this.#now + Math.max(0, ms), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Moves on by `ms` and runs what is due on the way, earliest first. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (let next = this.#earliest(until); next !== undefined; next = this.#earliest(until)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.run();
    }
    this.#now = until;
  }

  /** The machine sleeps: time passes, and timers stay as far away as they were. */
  sleep(ms: number): void {
    this.#now += ms;
    this.#slept += ms;
    const timers = [...this.#timers];
    for (const timer of timers) timer.due += ms;
  }

  /** Milliseconds until the next timer, or undefined when there is none. */
  nextIn(): number | undefined {
    const next = this.#earliest(Infinity);
    return next === undefined ? undefined : next.due - this.#now;
  }

  #earliest(until: number): { due: number; run: () => void } | undefined {
    let found: { due: number; run: () => void } | undefined;
    for (const timer of this.#timers) {
      if (timer.due <= until && (found === undefined || timer.due < found.due)) found = timer;
    }
    return found;
  }
}
