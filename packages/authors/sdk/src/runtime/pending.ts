/** One pending request of the program. */
export interface PendingRequest {
  readonly kind: 'resource' | 'outputs' | 'call' | 'log';
  /** Name in messages: `<name> [<type>]`, or the requested function. */
  readonly what: string;
  readonly declaredAt: (() => string | undefined) | undefined;
  /** For a resource: fails it for everything that waits for it. */
  abandon?(reason: unknown): void;
}

/** Requests of the program without an answer. Those left when nothing more can happen are stuck. */
export class PendingRequests {
  readonly #waits = new Set<PendingRequest>();
  #idle: (() => void)[] = [];
  #onFailure: ((wait: PendingRequest, error: unknown) => void) | undefined;

  /** True if the program has ended: later requests do not count. */
  get over(): boolean {
    return this.#onFailure !== undefined;
  }

  /** Counts the promise until it settles. Returns it, so that the caller handles a failure. */
  track<T>(wait: PendingRequest, promise: Promise<T>): Promise<T> {
    this.begin(wait);
    return promise.finally(() => this.end(wait));
  }

  /** Counts until {@link end}. */
  begin(wait: PendingRequest): void {
    this.#waits.add(wait);
  }

  end(wait: PendingRequest): void {
    this.#waits.delete(wait);
    if (this.#waits.size > 0) return;
    for (const tell of this.#idle.splice(0)) tell();
  }

  /** Resolves when nothing is pending. */
  whenIdle(): Promise<void> {
    return this.#waits.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Ends a wait with an error. */
  fail(wait: PendingRequest, error: unknown): void {
    this.end(wait);
    this.#onFailure?.(wait, error);
  }

  /** Marks the program as ended. `onFailure` receives resources that fail from then on. */
  close(onFailure: (wait: PendingRequest, error: unknown) => void): void {
    this.#onFailure = onFailure;
  }

  get size(): number {
    return this.#waits.size;
  }

  /** Returns the waits in the order of their requests. */
  list(): readonly PendingRequest[] {
    return [...this.#waits];
  }
}
