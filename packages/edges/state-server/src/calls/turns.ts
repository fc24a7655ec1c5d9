/** Runs work one after the other where it has the same key. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` after everything with this key that came before. A failure concerns its caller only. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
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
