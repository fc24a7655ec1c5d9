/** Reads that callers share, by key. At most one read of a key runs, and at most one more waits for its end. */
export class SharedReads {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, Promise<unknown>>();

  /**
   * Returns what a read finds that begins now or later, so that a caller sees everything that was stored before its
   * call. Reads of one key have one type.
   */
  read<T>(key: string, make: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(key) as Promise<T> | undefined;
    if (waiting !== undefined) return waiting;
    const running = this.#running.get(key);
    if (running === undefined) return this.#begin(key, make);
    const begin = (): Promise<T> => {
      this.#waiting.delete(key);
      return this.#begin(key, make);
    };
    const next = running.then(begin, begin);
    this.#waiting.set(key, next);
    return next;
  }

  #begin<T>(key: string, make: () => Promise<T>): Promise<T> {
    const read = make().finally(() => {
      if (this.#running.get(key) === read) this.#running.delete(key);
    });
    this.#running.set(key, read);
    return read;
  }
}
