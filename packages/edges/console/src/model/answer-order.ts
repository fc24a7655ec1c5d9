/**
 * Orders the answers to the calls of one view: an answer that comes late does not replace one to a call that began
 * after its own.
 */
export class AnswerOrder {
  #begun = 0;
  #taken = 0;

  /** Begins a call. Returns its number, for {@link take}. */
  begin(): number {
    this.#begun += 1;
    return this.#begun;
  }

  /** Takes an answer, or a failure. Returns false if a later call has one already. */
  take(call: number): boolean {
    if (call < this.#taken) return false;
    this.#taken = call;
    return true;
  }
}
