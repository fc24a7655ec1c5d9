import type { OperationEvent } from './events.js';

/**
 * How an operation is asked to end. `finish`: no further step starts, and running ones come to their end; `stop`: the
 * providers are asked to end running steps as well; `leave`: nobody waits for those, and they are left in doubt. Asking
 * again without a word goes one stage further.
 */
export type CancelHow = 'finish' | 'stop' | 'leave';

const STAGES: readonly CancelHow[] = ['finish', 'stop', 'leave'];

/** Whoever runs an operation: tells events, and hears how it is asked to end. */
export interface Running {
  event(event: OperationEvent): void;
  /** Calls back whenever it is asked to end, at once when it was already. Returns the way to stop listening. */
  onCancel(listener: (how: CancelHow) => void): () => void;
}

/**
 * An operation that runs: it has begun when the method returns that gives it. It is a promise of its result, and an
 * iterable of its events:
 *
 * ```ts
 * const operation = stack.up();
 * for await (const event of operation) console.log(event.type);
 * const { outputs } = await operation;
 * ```
 *
 * An operation that fails ends the loop with its error, and rejects. Who wants every event iterates before awaiting;
 * leaving the loop early does not end the operation. Disposed of with `await using`, it is cancelled and waited for.
 */
export class Operation<Result>
  implements PromiseLike<Result>, AsyncIterable<OperationEvent>, AsyncDisposable
{
  readonly #done: Promise<Result>;
  readonly #listeners = new Set<(how: CancelHow) => void>();
  readonly #readers = new Set<Reader>();
  readonly #ends: (() => void)[] = [];
  /** Events that nobody was there for; undefined once somebody reads, or only waits for the result. */
  #early: OperationEvent[] | undefined = [];
  #asked: CancelHow | undefined;
  #over = false;

  /** @internal */
  constructor(run: (running: Running) => Promise<Result>, signal?: AbortSignal | undefined) {
    const abort = (): void => this.cancel('finish');
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    this.#done = run({
      event: (event) => this.#tell(event),
      onCancel: (listener) => this.#onCancel(listener),
    }).finally(() => {
      this.#over = true;
      signal?.removeEventListener('abort', abort);
      for (const reader of this.#readers) reader.end();
      for (const listener of this.#ends) listener();
    });
  }

  /** @internal Calls back when it has ended. */
  onEnd(listener: () => void): void {
    this.#ends.push(listener);
  }

  /** Asks it to end; see {@link CancelHow}. Its result says what became of it. */
  cancel(how?: CancelHow): void {
    const next = STAGES[STAGES.indexOf(this.#asked as CancelHow) + 1] ?? 'leave';
    this.#asked = how ?? next;
    for (const listener of this.#listeners) listener(this.#asked);
  }

  /** Awaits the result. */
  then<A = Result, B = never>(
    onResult?: ((result: Result) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#early = undefined;
    return this.#done.then(onResult, onError);
  }

  /** Awaits the result, and handles its error. */
  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Result | B> {
    return this.then(undefined, onError);
  }

  /** Calls back when it has ended, well or not. */
  finally(onEnd?: (() => void) | null): Promise<Result> {
    return this.then().finally(onEnd);
  }

  /** Its events from now on; those before too, for whoever is the first to ask. */
  [Symbol.asyncIterator](): AsyncIterator<OperationEvent, undefined> {
    // Who iterates hears of the failure at the end of the loop.
    this.#done.catch(() => undefined);
    const reader = new Reader(this.#early ?? []);
    this.#early = undefined;
    this.#readers.add(reader);
    if (this.#over) reader.end();
    return {
      next: async () => {
        const value = await reader.next();
        if (value !== undefined) return { done: false, value };
        await this.#done;
        return { done: true, value: undefined };
      },
      return: () => {
        this.#readers.delete(reader);
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  /** Cancels it and waits until it has ended; its error is not thrown again. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#over) this.cancel('finish');
    await this.catch(() => undefined);
  }

  #tell(event: OperationEvent): void {
    this.#early?.push(event);
    for (const reader of this.#readers) reader.push(event);
  }

  #onCancel(listener: (how: CancelHow) => void): () => void {
    this.#listeners.add(listener);
    if (this.#asked !== undefined) listener(this.#asked);
    return () => void this.#listeners.delete(listener);
  }
}

/** What one loop has not read yet. */
class Reader {
  #wake: (() => void) | undefined;
  #ended = false;

  constructor(private events: OperationEvent[]) {}

  push(event: OperationEvent): void {
    this.events.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Undefined: there is no more. */
  async next(): Promise<OperationEvent | undefined> {
    while (this.events.length === 0 && !this.#ended)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.events.shift();
  }
}
