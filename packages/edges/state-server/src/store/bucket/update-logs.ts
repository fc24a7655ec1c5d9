import { pieceOf, piecePartsOf } from '@cairn/backends';
import type { PieceLog, StateText } from '@cairn/backends';
import { acceptParts, noParts, noteParts, readBatchParts } from '../../domain/batch-acceptance.js';
import { freshEntries, noEntries, noteBatch, repeatedEntries } from '../../domain/journal-acceptance.js';
import type { BatchFacts, BatchItems, ReadParts } from '../../domain/batch-acceptance.js';
import { readDocument } from '../../domain/fold.js';
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
  /** The newest append. A batch that is stored already is acknowledged after it. */
  last: Promise<void>;
}

/** Open logs of an update. Its methods run in its stack's turn, and their results are awaited outside. */
export class UpdateLogs {
  #journal: OpenJournal | undefined;
  #events: PieceLog | undefined;
  readonly #files: LogFiles;

  constructor(files: LogFiles) {
    this.#files = files;
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
    if (fresh.entries.length + fresh.records.length > 0) {
      noteParts(journal.facts, fresh);
      journal.last = journal.log.append(pieceOf(fresh));
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
    const logs = [this.#journal?.log, this.#events];
    this.#journal = undefined;
    this.#events = undefined;
    await Promise.all(logs.map((log) => log?.close()));
  }

  async #openJournal(record: UpdateRecord): Promise<OpenJournal> {
    const log = await this.#files.open('journal');
    const { resources } = readDocument(await this.#files.base(), 'of the update');
    const facts = noParts(resources.length, { keepsTexts: false });
    for (const piece of await this.#files.read('journal'))
      noteParts(facts, acceptParts(facts, readBatchParts(piecePartsOf(piece)), record));
    return { log, facts, last: Promise.resolve() };
  }
}
