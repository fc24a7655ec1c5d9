import { unavailable } from './refusal.js';

/** Calls of the program that wait for an answer. All of them end when the monitor shuts down. */
export class PendingCalls {
  readonly #refusals = new Set<(error: Error) => void>();
  #over = false;

  /** True if no further call is answered. */
  get over(): boolean {
    return this.#over;
  }

  /** Returns the answer, unless the monitor shuts down first. `failure` converts an error for the program. */
  answer<T>(work: () => Promise<T>, failure: (error: unknown) => Error): Promise<T> {
    if (this.#over) return Promise.reject(unavailable());
    return new Promise<T>((resolve, reject) => {
      this.#refusals.add(reject);
      void work()
        .then(resolve, (error: unknown) => reject(failure(error)))
        .finally(() => this.#refusals.delete(reject));
    });
  }

  /** Refuses every waiting and later call with UNAVAILABLE. */
  end(): void {
    this.#over = true;
    for (const refuse of this.#refusals) refuse(unavailable());
    this.#refusals.clear();
  }
}
