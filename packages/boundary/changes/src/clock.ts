/** Source of time for the machine. */
export interface Clock {
  now(): Date;
  /** Returns milliseconds from any fixed start; never decreases. */
  monotonicMs(): number;
  /** Calls `run` once, not before `ms` milliseconds from now. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** Longest delay of Node's timers, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Clock of the system. Its timers keep the process alive. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, Math.ceil(ms)), LONGEST));
    return () => clearTimeout(timer);
  },
};

/** Clock that moves only on command. For tests. */
export class FakeClock implements Clock {
  #now: number;
  readonly #start: number;
  #slept = 0;
  readonly #timers = new Set<{ due: number; readonly run: () => void }>();

  /** `start` is in milliseconds since 1970. */
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

  /** Moves forward by `ms` and runs the timers that become due, earliest first. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (let next = this.#earliest(until); next !== undefined; next = this.#earliest(until)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.run();
    }
    this.#now = until;
  }

  /** Simulates a sleep of the system: time passes, but timers keep their remaining delay. */
  sleep(ms: number): void {
    this.#now += ms;
    this.#slept += ms;
    const timers = [...this.#timers];
    for (const timer of timers) timer.due += ms;
  }

  /** Returns milliseconds until the next timer, or undefined if there is none. */
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
