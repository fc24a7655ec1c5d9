import type { BlobStore } from '@cairn/blobs';
import { decodeSegment, encodeRecords } from '@cairn/changes';
import type { ChangeRecord } from '@cairn/changes';
import { takeJournalEntry } from '@cairn/state';
import type { SerializedJournalEntry } from '@cairn/state';
import { takeSentRecord, withEntries } from '../../model/sent-records.js';
import { unreadable } from '../journal/journal-files.js';
import { JOURNAL_FILES } from '../layout.js';
import { piecePartsOf } from './piece-parts.js';
import { readPieces } from './pieces.js';

/** Content of the journal of a change that began through a state service. */
interface ServedRecords {
  readonly source: string;
  /** With their entries, as a segment has them. */
  readonly records: readonly ChangeRecord[];
  /** Entries in the order of their sequence. */
  readonly entries: readonly SerializedJournalEntry[];
}

/**
 * Reads the pieces of a journal that a state service wrote. A torn end was never acknowledged. Fails with
 * `CAIRN-JOURNAL-CORRUPT` for a record or an entry that breaks the format.
 */
export async function readServedRecords(store: BlobStore, directory: string): Promise<ServedRecords> {
  const source = directory + JOURNAL_FILES.pieces;
  const parts = (await readPieces(store, source, { whole: false })).map(piecePartsOf);
  const sent = parts.flatMap(({ entries }) => entries).map(({ value }) => value);
  const bySequence = new Map(sent.map((entry) => [(entry as { sequenceID?: unknown }).sequenceID, entry]));
  const whole = parts
    .flatMap((part) => part.records)
    .map(({ value }) => {
      const record = takeSentRecord(value);
      if (typeof record === 'string') throw unreadable(source, record);
      return withEntries(record, (entry) => (typeof entry === 'number' ? bySequence.get(entry) : entry));
    });
  const { records } = decodeSegment(encodeRecords(whole), { name: source });
  const entries = sent.map((entry) => takeJournalEntry(entry, source));
  return { source, records, entries: entries.sort((a, b) => a.sequenceId - b.sequenceId) };
}
