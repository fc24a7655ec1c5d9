/** Limits the pieces of work that run at a time; the others wait in order. */
export class Limiter {
  #free: number;
  readonly #queue: (() => void)[] = [];
  #next = 0;

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Number of pieces that wait for a running one to end. */
  get waiting(): number {
    return this.#queue.length - this.#next;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #release(): void {
    const next = this.#queue[this.#next];
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#next += 1;
    if (this.#next === this.#queue.length) {
      this.#queue.length = 0;
      this.#next = 0;
    }
    next();
  }
}

/** Returns the limit of parallel work. 0 and less mean no limit. */
export function atATime(parallel: number): number {
  return parallel > 0 ? parallel : Infinity;
}
