/** Runs work one after the other where it has the same key. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` after everything with one of these keys that came before. Only its caller receives a failure. */
  run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    // In one order for everyone, so that no two wait for each other.
    const ordered = [...new Set(keys)].sort();
    return ordered.reduceRight<() => Promise<T>>((inner, key) => () => this.#one(key, inner), work)();
  }

  async #one<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const turn = before.then(work);
    const settled = turn.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
