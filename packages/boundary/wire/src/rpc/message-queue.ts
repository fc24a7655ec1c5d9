/** Queue of a stream's messages between the receiver and the loop that reads them. */
export class MessageQueue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #ended: { readonly error: Error | undefined } | undefined;
  #wake: (() => void) | undefined;

  push(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Ends the queue. After the remaining messages the loop ends, or throws `error`. */
  end(error?: Error): void {
    this.#ended ??= { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift() as T;
      if (this.#ended !== undefined) {
        if (this.#ended.error !== undefined) throw this.#ended.error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
