import type { StackId, StateDocument } from '@cairn/backends';
import { itemTexts } from '@cairn/state';
import { readDocument } from '../domain/fold.js';
import { acceptBatch, noEntries, noteBatch } from '../domain/journal-acceptance.js';
import type { JournalFacts } from '../domain/journal-acceptance.js';
import type { UpdateRecord } from '../domain/update-record.js';
import type { LogName, PieceLog, ServiceStore } from '../store/service-store.js';

interface OpenJournal {
  readonly log: PieceLog;
  readonly facts: JournalFacts;
  /** The newest append. A batch that is stored already is acknowledged after it. */
  last: Promise<void>;
}

/** Update that runs, with its open logs. Its methods run in its stack's turn, and their results are awaited outside. */
export class LiveUpdate {
  /** End of its lease on the monotonic clock, in milliseconds. */
  deadline: number;
  record: UpdateRecord;
  #journal: OpenJournal | undefined;
  #events: PieceLog | undefined;
  readonly #store: ServiceStore;

  constructor(
    store: ServiceStore,
    readonly stack: StackId,
    record: UpdateRecord,
    deadline: number,
  ) {
    this.#store = store;
    this.record = record;
    this.deadline = deadline;
  }

  /**
   * Accepts a journal batch, and resolves with the promise that it is durable. Throws a refusal if it is not accepted.
   * After a failed append the journal is read again, because a part of it may be stored.
   */
  async addEntries(texts: readonly string[]): Promise<{ readonly durable: Promise<void> }> {
    const journal = (this.#journal ??= await this.#openJournal());
    const fresh = acceptBatch(journal.facts, texts);
    if (fresh.length > 0) {
      noteBatch(journal.facts, fresh);
      journal.last = journal.log.append(Buffer.from(`[${fresh.map(({ text }) => text).join(',')}]`));
    }
    const durable = journal.last.catch((thrown: unknown) => {
      if (this.#journal === journal) this.#journal = undefined;
      void journal.log.close().catch(() => undefined);
      throw thrown;
    });
    return { durable };
  }

  /** Stores a batch of events, and resolves with the promise that it is durable. */
  async addEvents(batch: Uint8Array): Promise<{ readonly durable: Promise<void> }> {
    const log = (this.#events ??= await this.#open('events'));
    const durable = log.append(batch).catch((thrown: unknown) => {
      if (this.#events === log) this.#events = undefined;
      void log.close().catch(() => undefined);
      throw thrown;
    });
    return { durable };
  }

  /** Waits for everything that is being stored. */
  async close(): Promise<void> {
    const logs = [this.#journal?.log, this.#events];
    this.#journal = undefined;
    this.#events = undefined;
    await Promise.all(logs.map((log) => log?.close()));
  }

  #open(name: LogName): Promise<PieceLog> {
    return this.#store.openLog(this.record.stackId, this.record.id, name);
  }

  async #openJournal(): Promise<OpenJournal> {
    const { stackId, id } = this.record;
    const log = await this.#open('journal');
    const base = await this.#store.base(stackId, id);
    const facts = noEntries(readDocument(base, 'of the update').resources.length);
    for (const piece of await this.#store.readLog(stackId, id, 'journal'))
      noteBatch(facts, acceptBatch(facts, itemTexts(piece, 'the journal')));
    return { log, facts, last: Promise.resolve() };
  }
}

/** Returns the base and the entries of an update that keeps a journal. */
export async function journalOf(
  store: ServiceStore,
  { stackId, id }: UpdateRecord,
): Promise<{ readonly base: StateDocument; readonly entries: readonly string[] }> {
  const base = await store.base(stackId, id);
  const pieces = await store.readLog(stackId, id, 'journal');
  return { base, entries: pieces.flatMap((piece) => itemTexts(piece, 'the journal')) };
}
