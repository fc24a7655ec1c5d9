import { pieceOf, piecePartsOf } from '@cairn/backends';
import type { PieceLog, StateText } from '@cairn/backends';
import { acceptParts, noParts, noteParts, readBatchParts } from '../../domain/batch-acceptance.js';
import { freshEntries, noEntries, noteBatch, repeatedEntries } from '../../domain/journal-acceptance.js';
import type { BatchFacts, BatchItems, ReadParts } from '../../domain/batch-acceptance.js';
import { UPDATE, readDocument } from '../../domain/fold.js';
import { LiveFold } from '../../domain/live-fold.js';
import type { FoldBudget } from '../../domain/live-fold.js';
import type { UpdateRecord } from '../../domain/update-record.js';

/** Log of an update: its journal batches, or its batches of events. */
export type LogName = 'journal' | 'events';

/** Logs of one update in the bucket. */
interface LogFiles {
  open(name: LogName): Promise<PieceLog>;
  read(name: LogName): Promise<readonly Buffer[]>;
  base(): Promise<StateText>;
}

interface OpenJournal {
  readonly log: PieceLog;
  readonly facts: BatchFacts;
  readonly fold: LiveFold;
  /** The newest append. A batch that is stored already is acknowledged after it. */
  last: Promise<void>;
}

/** Open logs of an update. Its methods run in its stack's turn, and their results are awaited outside. */
export class UpdateLogs {
  #journal: OpenJournal | undefined;
  #events: PieceLog | undefined;
  #acknowledged = 0;
  /** Journal that was closed. */
  #closed: Pick<OpenJournal, 'log' | 'fold'> | undefined;
  readonly #files: LogFiles;
  readonly #budget: FoldBudget;

  constructor(files: LogFiles, budget: FoldBudget) {
    this.#files = files;
    this.#budget = budget;
  }

  /**
   * Accepts a journal batch, and resolves with the promise that it is durable. Throws a refusal if it is not accepted.
   * After a failed append the journal is read again, because a part of it may be stored.
   */
  async addEntries(record: UpdateRecord, items: BatchItems): Promise<{ readonly durable: Promise<void> }> {
    const batch = readBatchParts(items);
    const journal = (this.#journal ??= await this.#openJournal(record));
    const repeated = repeatedEntries(journal.facts.journal, batch.entries);
    if (repeated.length > 0) {
      await this.#refuseContradictions(journal, batch, repeated);
      // An append that failed meanwhile may have stored a part: the journal is read again.
      if (this.#journal !== journal) return this.addEntries(record, items);
    }
    const fresh = acceptParts(journal.facts, batch, record);
    if (sizeOf(fresh) > 0) {
      noteParts(journal.facts, fresh);
      journal.fold.add(fresh.entries);
      // Without repeats, the text that came is stored: writing it again would copy it twice.
      const { whole } = items;
      journal.last = journal.log.append(
        whole !== undefined && sizeOf(fresh) === sizeOf(batch) ? whole : pieceOf(fresh),
      );
    }
    const durable = journal.last.catch((thrown: unknown) => {
      this.#leave(journal);
      throw thrown;
    });
    return { durable };
  }

  /**
   * Compares entries that are stored with those that repeat them. Their texts are in the journal only: repeats are
   * rare.
   */
  async #refuseContradictions(
    journal: OpenJournal,
    batch: ReadParts,
    repeated: readonly number[],
  ): Promise<void> {
    await journal.last.catch(() => this.#leave(journal));
    if (this.#journal !== journal) return;
    const ids = new Set(repeated);
    const facts = noEntries(0, true);
    for (const piece of await this.#files.read('journal')) {
      const stored = readBatchParts(piecePartsOf(piece)).entries;
      noteBatch(
        facts,
        stored.filter(({ entry }) => ids.has(entry.sequenceId)),
      );
    }
    freshEntries(facts, batch.entries);
  }

  #leave(journal: OpenJournal): void {
    if (this.#journal === journal) this.#journal = undefined;
    journal.fold.release();
    void journal.log.close().catch(() => undefined);
  }

  /** Stores a batch of events, and resolves with the promise that it is durable. */
  async addEvents(batch: Uint8Array): Promise<{ readonly durable: Promise<void> }> {
    const log = (this.#events ??= await this.#files.open('events'));
    const durable = log.append(batch).catch((thrown: unknown) => {
      if (this.#events === log) this.#events = undefined;
      void log.close().catch(() => undefined);
      throw thrown;
    });
    return { durable };
  }

  /** Waits for everything that is being stored. */
  async close(): Promise<void> {
    const journal = this.#journal;
    const logs = [journal?.log, this.#events];
    this.#journal = undefined;
    this.#events = undefined;
    await Promise.all(logs.map((log) => log?.close()));
    // After a failed append it is not known how many there are.
    if (journal === undefined) return;
    if (await isStored(journal)) {
      this.#acknowledged = journal.facts.journal.entries.size;
      this.#closed = journal;
    } else journal.fold.release();
  }

  /**
   * Returns the fold of the journal, once everything that it has is durable. Undefined if the journal was not opened
   * here, or if another process may have more entries.
   */
  async fold(): Promise<LiveFold | undefined> {
    const open = this.#journal;
    if (open !== undefined && !(await isStored(open))) return undefined;
    const journal = open ?? this.#closed;
    return journal === undefined || (await journal.log.isReplaced()) ? undefined : journal.fold;
  }

  /** Forgets what was folded. */
  forget(): void {
    this.#journal?.fold.release();
    this.#closed?.fold.release();
  }

  /** Number of entries of a journal that was closed, as far as it is known: the bucket has acknowledged as many. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  async #openJournal(record: UpdateRecord): Promise<OpenJournal> {
    const log = await this.#files.open('journal');
    const base = await this.#files.base();
    const before = readDocument(base, UPDATE);
    const facts = noParts(before.resources.length, { keepsTexts: false });
    this.#closed?.fold.release();
    this.#closed = undefined;
    const fold = new LiveFold(base, () => before, this.#budget);
    try {
      for (const piece of await this.#files.read('journal')) {
        const fresh = acceptParts(facts, readBatchParts(piecePartsOf(piece)), record);
        noteParts(facts, fresh);
        fold.add(fresh.entries);
      }
    } catch (thrown) {
      fold.release();
      throw thrown;
    }
    return { log, facts, fold, last: Promise.resolve() };
  }
}

function sizeOf({ entries, records }: ReadParts): number {
  return entries.length + records.length;
}

function isStored({ last }: OpenJournal): Promise<boolean> {
  return last.then(
    () => true,
    () => false,
  );
}
