import type { BlobStore } from '@cairn/blobs';
import { decodeSegment } from '@cairn/changes';
import type { ChangeRecord, DecodedSegment } from '@cairn/changes';
import type { SerializedJournalEntry } from '@cairn/state';
import { getJournalFile } from './journal-files.js';
import { entriesOf } from '../../model/record-entries.js';
import { JOURNAL_FILES } from '../layout.js';

/** Records of a journal and the entries that they carry. `torn` is its unfinished end, if it has one. */
interface JournalRecords {
  /** Key of the segment, for messages. */
  readonly source: string;
  readonly records: readonly ChangeRecord[];
  readonly torn: DecodedSegment['torn'];
  readonly entries: () => readonly SerializedJournalEntry[];
}

/**
 * Reads the records of a journal: those of its segment or, if that is empty, those that a state service keeps in
 * pieces, or those in the file that closed the journal of a change without steps. Fails with `CAIRN-JOURNAL-CORRUPT`
 * when they are damaged before their end.
 */
export async function journalRecords(store: BlobStore, directory: string): Promise<JournalRecords> {
  const source = directory + JOURNAL_FILES.segment;
  let bytes = (await store.get(source))?.bytes ?? new Uint8Array();
  if (bytes.length === 0) {
    const pieces = await store.list(directory + JOURNAL_FILES.pieces);
    if (pieces.length > 0) return servedRecords(store, directory);
    bytes = Buffer.from((await getJournalFile(store, directory, 'sealed'))?.records ?? '');
  }
  const { records, torn } = decodeSegment(bytes, { name: source });
  return { source, records, torn, entries: () => entriesOf(records, source) };
}

async function servedRecords(store: BlobStore, directory: string): Promise<JournalRecords> {
  const { readServedRecords } = await import('../served/served-records.js');
  const { entries, ...read } = await readServedRecords(store, directory);
  return { ...read, torn: undefined, entries: () => entries };
}
