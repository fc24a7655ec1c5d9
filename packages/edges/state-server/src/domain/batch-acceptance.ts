import { MOST_ENTRIES } from '@cairn/http-api';
import type { TextItem } from '@cairn/state';
import { acceptBatch, noEntries, noteBatch, readBatch } from './journal-acceptance.js';
import type { JournalFacts, ReadEntry } from './journal-acceptance.js';
import { acceptRecords, noRecords, noteRecords, readRecords } from './record-acceptance.js';
import type { ReadRecord, RecordFacts } from './record-acceptance.js';
import { Refusal } from './refusal.js';
import type { UpdateRecord } from './update-record.js';

/** Items of a batch: journal entries, and the records of a change beside them. */
export interface BatchItems {
  readonly entries: readonly TextItem[];
  readonly records: readonly TextItem[];
  /** Text of both. A piece of a journal may be this text as it came. */
  readonly whole?: Uint8Array;
}

/** Batch that was read, or the part of one that is to be stored. */
export interface ReadParts {
  readonly entries: readonly ReadEntry[];
  readonly records: readonly ReadRecord[];
}

/** Facts about the journal of an update and the records of its change. {@link noteParts} alone changes them. */
export interface BatchFacts {
  readonly journal: JournalFacts;
  readonly change: RecordFacts;
}

/** Returns the facts about an update without entries and records. Where entries are many, their texts are not kept. */
export function noParts(baseSize: number, { keepsTexts }: Pick<JournalFacts, 'keepsTexts'>): BatchFacts {
  return { journal: noEntries(baseSize, keepsTexts), change: noRecords() };
}

/** Reads a batch. Refuses too many items (413), and one that breaks the format (400). */
export function readBatchParts({ entries, records }: BatchItems): ReadParts {
  if (entries.length + records.length > MOST_ENTRIES)
    throw new Refusal(413, `A batch has at most ${MOST_ENTRIES} entries and records.`);
  return { entries: readBatch(entries), records: readRecords(records) };
}

/**
 * Decides about a batch, and returns what is to be stored. It is accepted or refused whole. Throws a {@link Refusal}:
 * 409 for records of an update without a change, else 400. An update with a change is one of ours, whose journal may
 * replace the state at any time.
 */
export function acceptParts(facts: BatchFacts, parts: ReadParts, { change }: UpdateRecord): ReadParts {
  if (parts.records.length > 0 && change === undefined)
    throw new Refusal(409, 'The update keeps no records of a change.');
  const lateBase = change !== undefined;
  return {
    entries: acceptBatch(facts.journal, parts.entries, { lateBase }),
    records: acceptRecords(facts.change, parts.records),
  };
}

/** Notes an accepted batch. */
export function noteParts(facts: BatchFacts, fresh: ReadParts): void {
  noteBatch(facts.journal, fresh.entries);
  noteRecords(facts.change, fresh.records);
}
