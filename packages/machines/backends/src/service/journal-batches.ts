import { ServiceRefusal } from './service-refusal.js';

/** Sends entries in one call. Resolves when they are durable. */
type SendEntries = (entries: readonly string[]) => Promise<void>;

/** Most entries and characters of one batch. A service that takes less answers with 413. */
const MOST_ENTRIES = 100;
const MOST_CHARACTERS = 4_000_000;

/**
 * Gathers entries into batches: what comes while one batch is under way is the next one. Batches are sent one after the
 * other, in the order in which entries came. After a failed one nothing more is sent, and everything fails with its
 * cause.
 */
export class JournalBatches {
  readonly #send: SendEntries;
  #waiting: string[] = [];
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(send: SendEntries) {
    this.#send = send;
  }

  /** Adds entries. Resolves when they, and all before them, are durable. */
  add(entries: readonly string[]): Promise<void> {
    if (entries.length === 0) return this.#next ?? this.#last;
    this.#waiting.push(...entries);
    this.#next ??= this.#last = this.#last.then(() => this.#flush());
    return this.#next;
  }

  /** Resolves when everything is durable. */
  flushed(): Promise<void> {
    return this.#last;
  }

  async #flush(): Promise<void> {
    const entries = this.#waiting;
    this.#waiting = [];
    this.#next = undefined;
    for (const batch of batchesOf(entries)) await this.#sendHalving(batch);
  }

  /** Sends a batch, in halves if it is too large. */
  async #sendHalving(entries: readonly string[]): Promise<void> {
    try {
      await this.#send(entries);
    } catch (thrown) {
      const tooLarge = thrown instanceof ServiceRefusal && thrown.status === 413;
      if (!tooLarge || entries.length < 2) throw thrown;
      const half = entries.length >> 1;
      await this.#sendHalving(entries.slice(0, half));
      await this.#sendHalving(entries.slice(half));
    }
  }
}

function batchesOf(entries: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let size = Infinity;
  for (const entry of entries) {
    let batch = batches.at(-1);
    if (batch === undefined || batch.length === MOST_ENTRIES || size + entry.length > MOST_CHARACTERS) {
      batches.push((batch = []));
      size = 0;
    }
    batch.push(entry);
    size += entry.length;
  }
  return batches;
}
