import type { ChangeRecord } from '@cairn/changes';
import { takeJournalEntry } from '@cairn/state';
import type { SerializedJournalEntry } from '@cairn/state';

/**
 * Returns the journal entries that records carry, in order and as they are. An intent has the begin entry, an outcome
 * the end, and some entries belong to no task [JRN-8]. A record may carry one entry or a list.
 */
export function rawEntriesOf(records: readonly ChangeRecord[]): readonly unknown[] {
  return records.flatMap((record) => {
    if (record.record !== 'intent' && record.record !== 'outcome' && record.record !== 'entry') return [];
    const { entry } = record;
    return entry === undefined || entry === null ? [] : Array.isArray(entry) ? (entry as unknown[]) : [entry];
  });
}

/**
 * Returns the journal entries that records carry, taken over. `source` names the journal. Fails with
 * `CAIRN-JOURNAL-CORRUPT` for an entry that breaks the format.
 */
export function entriesOf(
  records: readonly ChangeRecord[],
  source: string,
): readonly SerializedJournalEntry[] {
  return rawEntriesOf(records).map((entry) => takeJournalEntry(entry, source));
}

/** Returns the URN of the resource that a record is about, for messages. Undefined if its entries have none. */
export function subjectOf(record: ChangeRecord): string | undefined {
  for (const entry of rawEntriesOf([record])) {
    const { state, operation } = entry as Partial<SerializedJournalEntry>;
    const urn = state?.urn ?? operation?.resource.urn;
    if (urn !== undefined) return urn;
  }
  return undefined;
}
