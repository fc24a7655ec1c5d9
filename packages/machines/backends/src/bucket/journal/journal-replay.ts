import type { BlobStore } from '@cairn/blobs';
import type { ChangeRecord, DecodedSegment } from '@cairn/changes';
import type { SerializedDeployment, SerializedJournalEntry } from '@cairn/state';
import { loadEdited } from '../records/base-copy.js';
import { journalRecords } from './journal-records.js';

/** Content of a journal. `torn` is its unfinished end, if it has one. */
export interface JournalContent {
  /** Key of the segment, for messages. */
  readonly source: string;
  readonly records: readonly ChangeRecord[];
  readonly entries: readonly SerializedJournalEntry[];
  readonly torn: DecodedSegment['torn'];
}

/**
 * Reads the entries of the journal in a directory. Fails with `CAIRN-JOURNAL-CORRUPT` when it is damaged before its
 * end.
 */
export async function readEntries(store: BlobStore, directory: string): Promise<JournalContent> {
  const { source, records, torn, ...read } = await journalRecords(store, directory);
  const entries = await withEdited(store, directory, records, read.entries());
  return { source, records, entries, torn };
}

/** Returns the state that an edit wanted, if the entries are an edit. It is stored as it is, with all pending steps. */
export function editedIn(entries: readonly SerializedJournalEntry[]): SerializedDeployment | undefined {
  const [only] = entries;
  return entries.length === 1 && only?.kind === 'write' ? only.newSnapshot : undefined;
}

/**
 * Adds the new state of an edit that was too large for a record and is beside the records. It counts once its outcome
 * is recorded.
 */
async function withEdited(
  store: BlobStore,
  directory: string,
  records: readonly ChangeRecord[],
  entries: readonly SerializedJournalEntry[],
): Promise<readonly SerializedJournalEntry[]> {
  const [change] = records;
  const isEdit = change?.record === 'change' && change.kind === 'edit';
  if (!isEdit || entries.length > 0 || !records.some(({ record }) => record === 'outcome')) return entries;
  const newSnapshot = await loadEdited(store, directory);
  if (newSnapshot === undefined) return entries;
  return [{ kind: 'write', sequenceId: 1, operationId: 0, newSnapshot }];
}
