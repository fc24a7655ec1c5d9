/** One thing the program waits for. */
export interface Wait {
  readonly kind: 'resource' | 'outputs' | 'call' | 'log';
  /** What a message calls it: `<name> [<type>]`, or what is asked. */
  readonly what: string;
  readonly declaredAt: (() => string | undefined) | undefined;
}

/** What the program has asked for and not got yet; what is left when nothing can happen any more is stuck. */
export class Pending {
  private readonly waits = new Set<Wait>();

  /** Counts the promise until it settles. The promise comes back as it is. */
  track<T>(wait: Wait, promise: Promise<T>): Promise<T> {
    this.begin(wait);
    const done = (): void => this.end(wait);
    promise.then(done, done);
    return promise;
  }

  /** Counts until {@link end}. */
  begin(wait: Wait): void {
    this.waits.add(wait);
  }

  end(wait: Wait): void {
    this.waits.delete(wait);
  }

  get size(): number {
    return this.waits.size;
  }

  /** In the order they were asked for. */
  list(): readonly Wait[] {
    return [...this.waits];
  }
}
