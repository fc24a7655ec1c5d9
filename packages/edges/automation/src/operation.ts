import type { OperationEvent } from './events.js';

/**
 * Ways in which a caller asks an operation to end. With `finish`, no further step starts and running steps complete.
 * With `stop`, providers are asked to end running steps as well. With `leave`, running steps are abandoned and left in
 * doubt. A repeated request without an argument escalates by one stage.
 */
export type CancelHow = 'finish' | 'stop' | 'leave';

const STAGES: readonly CancelHow[] = ['finish', 'stop', 'leave'];

/** Runner's side of an operation: it sends events and receives requests to end. */
export interface Running {
  event(event: OperationEvent): void;
  /**
   * Calls the listener on every request to end, and at once if one was already made. Returns a function that removes
   * the listener.
   */
  onCancel(listener: (how: CancelHow) => void): () => void;
}

/**
 * A running operation. It has already begun when the method that returns it returns. It is a promise of its result, and
 * an iterable of its events:
 *
 * ```ts
 * const operation = stack.up();
 * for await (const event of operation) console.log(event.type);
 * const { outputs } = await operation;
 * ```
 *
 * If the operation fails, the loop throws its error and the promise rejects. To receive every event, iterate before you
 * await. Leaving the loop early does not end the operation. Disposal with `await using` cancels the operation and waits
 * for its end.
 */
export class Operation<Result>
  implements PromiseLike<Result>, AsyncIterable<OperationEvent>, AsyncDisposable
{
  readonly #done: Promise<Result>;
  readonly #listeners = new Set<(how: CancelHow) => void>();
  readonly #readers = new Set<Reader>();
  readonly #ends: (() => void)[] = [];
  /** Events that came before the first reader. Undefined after the first read, or after the result is awaited. */
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

  /** @internal Calls the listener when the operation has ended. */
  onEnd(listener: () => void): void {
    this.#ends.push(listener);
  }

  /** Asks the operation to end; see {@link CancelHow}. Its result reports the outcome. */
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

  /** Calls back when the operation has ended, successfully or not. */
  finally(onEnd?: (() => void) | null): Promise<Result> {
    return this.then().finally(onEnd);
  }

  /** Iterates over the operation's events. The first reader also receives the earlier ones. */
  [Symbol.asyncIterator](): AsyncIterator<OperationEvent, undefined> {
    // The reader receives the failure at the end of the loop.
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

  /** Cancels the operation and waits until it has ended. Its error is not thrown again. */
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

/** Events that one loop has not read yet. */
class Reader {
  #wake: (() => void) | undefined;
  #ended = false;
  #events: OperationEvent[];

  constructor(events: OperationEvent[]) {
    this.#events = events;
  }

  push(event: OperationEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Returns the next event, or undefined if there are no more. */
  async next(): Promise<OperationEvent | undefined> {
    while (this.#events.length === 0 && !this.#ended)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#events.shift();
  }
}
