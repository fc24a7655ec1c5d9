/** Work that waits for something to end. Waking runs it at once, in the order in which it came to wait. */
export class Waiters<K> {
  readonly #waiting = new Map<K, (() => void)[]>();

  /** Runs `go` when `key` is woken, or everything is. */
  wait(key: K, go: () => void): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, [go]);
    else waiting.push(go);
  }

  wake(key: K): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return;
    this.#waiting.delete(key);
    for (const go of waiting) go();
  }

  wakeAll(): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of all) for (const go of waiting) go();
  }
}
