import { withResourceTexts } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type { StateText } from '@cairn/backends';
import { OrderedFold } from './fold.js';
import type { FoldFacts } from './fold.js';
import type { ReadEntry } from './journal-acceptance.js';

/** Bytes of states and entries that the folds of all running updates may hold in memory. */
export class FoldBudget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Takes bytes. Returns false, and takes none, if there are not enough. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  release(bytes: number): void {
    this.#left += bytes;
  }
}

/**
 * State of a running update, folded while its entries arrive, so that its end reads and checks no entry again. It gives
 * up where entries come out of order or the budget is spent: then the stored journal is replayed.
 */
export class LiveFold {
  readonly #base: StateText;
  readonly #budget: FoldBudget;
  #fold: OrderedFold | undefined;
  #bytes = 0;

  /** `before` is the deployment of `base`, with its texts. */
  constructor(base: StateText, before: SerializedDeployment, budget: FoldBudget) {
    this.#base = base;
    this.#budget = budget;
    if (this.#take(base.deployment.length)) this.#fold = new OrderedFold(before);
  }

  /** Adds the entries of an accepted batch. */
  add(entries: readonly ReadEntry[]): void {
    for (const { text, entry } of entries) {
      if (this.#fold === undefined) return;
      // A new base was read with its texts.
      const kept = entry.newSnapshot === undefined ? withResourceTexts(entry, text) : entry;
      if (!this.#take(text.length) || !this.#fold.add(kept)) this.release();
    }
  }

  /** Returns the state so far, or undefined if it gave up. Without entries it is the base. Fails as a replay does. */
  document(facts: FoldFacts): StateText | undefined {
    return this.#fold?.entryCount === 0 ? this.#base : this.#fold?.document(facts);
  }

  /** Forgets the state. */
  release(): void {
    this.#fold = undefined;
    this.#budget.release(this.#bytes);
    this.#bytes = 0;
  }

  #take(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false;
    this.#bytes += bytes;
    return true;
  }
}
