/** One thing the program waits for. */
export interface Wait {
  readonly kind: 'resource' | 'outputs' | 'call' | 'log';
  /** What a message calls it: `<name> [<type>]`, or what is asked. */
  readonly what: string;
  readonly declaredAt: (() => string | undefined) | undefined;
  /** For a resource: fails it for those who wait for it. */
  abandon?(reason: unknown): void;
}

/** What the program has asked for and not got yet; what is left when nothing can happen any more is stuck. */
export class Pending {
  private readonly waits = new Set<Wait>();
  private idle: (() => void)[] = [];
  private onFailure: ((wait: Wait, error: unknown) => void) | undefined;

  /** Nothing more is to come of the program: what it does from now on does not count. */
  get over(): boolean {
    return this.onFailure !== undefined;
  }

  /** Counts the promise until it settles. A failure is the caller's, who has the promise that comes back. */
  track<T>(wait: Wait, promise: Promise<T>): Promise<T> {
    this.begin(wait);
    return promise.finally(() => this.end(wait));
  }

  /** Counts until {@link end}. */
  begin(wait: Wait): void {
    this.waits.add(wait);
  }

  end(wait: Wait): void {
    this.waits.delete(wait);
    if (this.waits.size > 0) return;
    for (const tell of this.idle.splice(0)) tell();
  }

  /** Resolves when nothing is waited for. */
  whenIdle(): Promise<void> {
    return this.waits.size === 0 ? Promise.resolve() : new Promise((resolve) => this.idle.push(resolve));
  }

  /** It ended with an error. */
  fail(wait: Wait, error: unknown): void {
    this.end(wait);
    this.onFailure?.(wait, error);
  }

  /** Nothing more is to come of the program; `onFailure` is told of resources that fail from now on. */
  close(onFailure: (wait: Wait, error: unknown) => void): void {
    this.onFailure = onFailure;
  }

  get size(): number {
    return this.waits.size;
  }

  /** In the order they were asked for. */
  list(): readonly Wait[] {
    return [...this.waits];
  }
}
