/** One pending request of the program. */
export interface Wait {
  readonly kind: 'resource' | 'outputs' | 'call' | 'log';
  /** Name in messages: `<name> [<type>]`, or the requested function. */
  readonly what: string;
  readonly declaredAt: (() => string | undefined) | undefined;
  /** For a resource: fails it for everything that waits for it. */
  abandon?(reason: unknown): void;
}

/** Requests of the program without an answer. Those left when nothing can happen any more are stuck. */
export class Pending {
  readonly #waits = new Set<Wait>();
  #idle: (() => void)[] = [];
  #onFailure: ((wait: Wait, error: unknown) => void) | undefined;

  /** True if the program has ended: later requests do not count. */
  get over(): boolean {
    return this.#onFailure !== undefined;
  }

  /** Counts the promise until it settles. The caller handles a failure, since it gets the promise back. */
  track<T>(wait: Wait, promise: Promise<T>): Promise<T> {
    this.begin(wait);
    return promise.finally(() => this.end(wait));
  }

  /** Counts until {@link end}. */
  begin(wait: Wait): void {
    this.#waits.add(wait);
  }

  end(wait: Wait): void {
    this.#waits.delete(wait);
    if (this.#waits.size > 0) return;
    for (const tell of this.#idle.splice(0)) tell();
  }

  /** Resolves when nothing is pending. */
  whenIdle(): Promise<void> {
    return this.#waits.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Ends a wait with an error. */
  fail(wait: Wait, error: unknown): void {
    this.end(wait);
    this.#onFailure?.(wait, error);
  }

  /** Marks the program as ended. `onFailure` receives resources that fail from then on. */
  close(onFailure: (wait: Wait, error: unknown) => void): void {
    this.#onFailure = onFailure;
  }

  get size(): number {
    return this.#waits.size;
  }

  /** Returns the waits in the order of their requests. */
  list(): readonly Wait[] {
    return [...this.#waits];
  }
}
