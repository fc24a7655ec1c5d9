/**
 * Handles messages one at a time and to the end, in the order of arrival. A message that arrives in the meantime waits
 * its turn.
 */
export class Inbox<M> {
  readonly #waiting: M[] = [];
  #handling = false;
  readonly #handle: (message: M) => void;
  readonly #onBug: (thrown: unknown) => void;
  readonly #onEmpty: () => void;

  /**
   * `onBug`: called if handling a message throws; later messages are dropped. `onEmpty`: called when all messages have
   * been handled.
   */
  constructor(handle: (message: M) => void, onBug: (thrown: unknown) => void, onEmpty: () => void) {
    this.#handle = handle;
    this.#onBug = onBug;
    this.#onEmpty = onEmpty;
  }

  put(message: M): void {
    this.#waiting.push(message);
    if (this.#handling) return;
    this.#handling = true;
    try {
      for (let at = 0; at < this.#waiting.length; at += 1) this.#handle(this.#waiting[at] as M);
    } catch (thrown) {
      this.#onBug(thrown);
    } finally {
      this.#waiting.length = 0;
      this.#handling = false;
    }
    this.#onEmpty();
  }
}
