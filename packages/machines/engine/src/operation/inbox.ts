/**
 * Handles messages one at a time and to the end, in the order of arrival. A message that arrives meanwhile waits its
 * turn.
 */
export class Inbox<M> {
  readonly #waiting: M[] = [];
  #handling = false;

  /**
   * `onBug`: called if handling a message throws; later messages are dropped. `onEmpty`: called when all messages have
   * been handled.
   */
  constructor(
    private readonly handle: (message: M) => void,
    private readonly onBug: (thrown: unknown) => void,
    private readonly onEmpty: () => void,
  ) {}

  put(message: M): void {
    this.#waiting.push(message);
    if (this.#handling) return;
    this.#handling = true;
    try {
      for (let at = 0; at < this.#waiting.length; at += 1) this.handle(this.#waiting[at] as M);
    } catch (thrown) {
      this.onBug(thrown);
    } finally {
      this.#waiting.length = 0;
      this.#handling = false;
    }
    this.onEmpty();
  }
}
