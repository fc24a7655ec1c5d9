import { ServiceRefusal } from './service-refusal.js';

/** Texts of journal entries, and of the records of a change that belong to them. */
export interface JournalBatch {
  readonly entries: readonly string[];
  readonly records: readonly string[];
}

/** Sends a batch in one call. Resolves when it is durable. */
type SendBatch = (batch: JournalBatch) => Promise<void>;

/** Most texts and characters of one batch. A service that takes less answers with 413. */
const MOST_TEXTS = 100;
const MOST_CHARACTERS = 4_000_000;

/**
 * Gathers parts into batches: what comes while one batch is under way is the next one. Batches are sent one after the
 * other, in the order in which parts came, and a part is split only if the service finds it too large. After a failed
 * batch nothing more is sent, and everything fails with its cause.
 */
export class JournalBatches {
  readonly #send: SendBatch;
  #waiting: JournalBatch[] = [];
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(send: SendBatch) {
    this.#send = send;
  }

  /** Adds parts. Resolves when they, and all before them, are durable. */
  add(parts: readonly JournalBatch[]): Promise<void> {
    if (parts.every((part) => sizeOf(part) === 0)) return this.#next ?? this.#last;
    this.#waiting.push(...parts);
    this.#next ??= this.#last = this.#last.then(() => this.#flush());
    return this.#next;
  }

  /** Resolves when everything is durable. */
  flushed(): Promise<void> {
    return this.#last;
  }

  async #flush(): Promise<void> {
    const parts = this.#waiting;
    this.#waiting = [];
    this.#next = undefined;
    for (const batch of batchesOf(parts)) await this.#sendHalving(batch);
  }

  /** Sends parts, in halves if they are too large together. */
  async #sendHalving(parts: readonly JournalBatch[]): Promise<void> {
    const batch = joined(parts);
    try {
      await this.#send(batch);
    } catch (thrown) {
      const tooLarge = thrown instanceof ServiceRefusal && thrown.status === 413;
      const halves = tooLarge ? halved(parts) : [];
      if (halves.length < 2) throw thrown;
      for (const half of halves) await this.#sendHalving(half);
    }
  }
}

/** Returns two halves, or fewer if there is nothing to split. Entries come before the records that refer to them. */
function halved(parts: readonly JournalBatch[]): readonly (readonly JournalBatch[])[] {
  const [only] = parts;
  if (only === undefined || parts.length > 1) {
    const half = parts.length >> 1;
    return [parts.slice(0, half), parts.slice(half)];
  }
  const { entries, records } = only;
  const [entryHalf, recordHalf] = [(entries.length + 1) >> 1, records.length >> 1];
  const halves =
    entries.length > 1
      ? [
          { entries: entries.slice(0, entryHalf), records: [] },
          { entries: entries.slice(entryHalf), records },
        ]
      : [
          { entries, records: records.slice(0, recordHalf) },
          { entries: [], records: records.slice(recordHalf) },
        ];
  return halves.filter((half) => sizeOf(half) > 0).map((half) => [half]);
}

function sizeOf({ entries, records }: JournalBatch): number {
  return entries.length + records.length;
}

function joined(parts: readonly JournalBatch[]): JournalBatch {
  return {
    entries: parts.flatMap(({ entries }) => entries),
    records: parts.flatMap(({ records }) => records),
  };
}

function batchesOf(parts: readonly JournalBatch[]): readonly (readonly JournalBatch[])[] {
  const batches: JournalBatch[][] = [];
  let [texts, characters] = [Infinity, Infinity];
  for (const part of parts) {
    const length = [...part.entries, ...part.records].reduce((sum, text) => sum + text.length, 0);
    let batch = batches.at(-1);
    if (batch === undefined || texts + sizeOf(part) > MOST_TEXTS || characters + length > MOST_CHARACTERS) {
      batches.push((batch = []));
      [texts, characters] = [0, 0];
    }
    batch.push(part);
    texts += sizeOf(part);
    characters += length;
  }
  return batches;
}
