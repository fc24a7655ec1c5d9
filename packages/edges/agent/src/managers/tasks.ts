/** Work that managers have begun and that they do not wait for, by name. */
export class Tasks {
  readonly #running = new Map<string, Promise<void>>();
  readonly #places: number;
  readonly #onEnd: () => void;
  readonly #onError: (error: unknown, name: string) => void;

  /** `places` limits work of runs. `onEnd` is called after each end. */
  constructor(places: number, onEnd: () => void, onError: (error: unknown, name: string) => void) {
    this.#places = places;
    this.#onEnd = onEnd;
    this.#onError = onError;
  }

  /** Number of runs that may still begin. */
  get free(): number {
    return this.#places - [...this.#running.keys()].filter((name) => name.startsWith(RUN)).length;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Begins work, unless work of this name runs. Errors are reported, never thrown. */
  start(name: string, work: () => Promise<void>): void {
    if (this.#running.has(name)) return;
    const ended = work()
      .catch((error: unknown) => this.#onError(error, name))
      .finally(() => {
        this.#running.delete(name);
        this.#onEnd();
      });
    this.#running.set(name, ended);
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }
}

const RUN = 'run ';

/** Returns the name of the work of a run. */
export const taskOfRun = (id: string): string => `${RUN}${id}`;
