import { withResourceTexts } from '@cairn/state';
import type { SerializedDeployment, SerializedJournalEntry } from '@cairn/state';
import type { StateText } from '@cairn/backends';
import { OrderedFold } from './fold.js';
import type { FoldFacts } from './fold.js';
import type { ReadEntry } from './journal-acceptance.js';

/** Bytes of states and entries that a process keeps of running updates: those of 30 with 1,000 resources each. */
export const MOST_FOLDED = 32 * 1024 * 1024;

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
 * up where entries come out of order, the base cannot be read, or the budget is spent: then the stored journal is
 * replayed.
 */
export class LiveFold {
  readonly #base: StateText;
  readonly #before: () => SerializedDeployment;
  readonly #budget: FoldBudget;
  #fold: OrderedFold | undefined;
  #isKept: boolean;
  #bytes = 0;

  /** `before` returns the deployment of `base`, with its texts. It is called with the first entry. */
  constructor(base: StateText, before: () => SerializedDeployment, budget: FoldBudget) {
    this.#base = base;
    this.#before = before;
    this.#budget = budget;
    this.#isKept = this.#take(base.deployment.length);
  }

  /** False once it has given up. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Number of entries that were added. */
  get entryCount(): number {
    return this.#fold?.entryCount ?? 0;
  }

  /** Adds the entries of an accepted batch. */
  add(entries: readonly ReadEntry[]): void {
    for (const { text, entry } of entries) {
      if (!this.#isKept) return;
      const fold = this.#opened();
      // A new base was read with its texts.
      const kept = entry.newSnapshot === undefined ? withResourceTexts(withoutValues(entry), text) : entry;
      if (fold === undefined || !this.#take(text.length) || !fold.add(kept)) this.release();
    }
  }

  /** Returns the state so far, or undefined if it gave up. Without entries it is the base. Fails as a replay does. */
  document(facts: FoldFacts): StateText | undefined {
    if (!this.#isKept) return undefined;
    return this.#fold === undefined ? this.#base : this.#fold.document(facts);
  }

  /** Forgets the state. */
  release(): void {
    this.#isKept = false;
    this.#fold = undefined;
    this.#budget.release(this.#bytes);
    this.#bytes = 0;
  }

  /** Returns the fold, or undefined if its base cannot be read: the replay says why. */
  #opened(): OrderedFold | undefined {
    try {
      return (this.#fold ??= new OrderedFold(this.#before()));
    } catch {
      return undefined;
    }
  }

  #take(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false;
    this.#bytes += bytes;
    return true;
  }
}

/**
 * Returns an entry whose resources have no inputs and outputs: a replay reads none, the state is written with the texts
 * of the entries, and these values would be kept until then.
 */
function withoutValues(entry: SerializedJournalEntry): SerializedJournalEntry {
  const { state, operation } = entry;
  if (state !== undefined) return { ...entry, state: { ...state, ...NO_VALUES } };
  if (operation === undefined) return entry;
  return { ...entry, operation: { ...operation, resource: { ...operation.resource, ...NO_VALUES } } };
}

const NO_VALUES = { inputs: undefined, outputs: undefined } as const;
