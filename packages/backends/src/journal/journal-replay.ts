import type { ChangeRecord } from '@cairn/changes';
import { takeJournalEntry } from '@cairn/state';
import type { Replayer, SerializedJournalEntry } from '@cairn/state';

/**
 * The journal entries that records carry, in order: an intent has the begin entry, an outcome the end, and some belong to no task (DESIGN
 * D3). A record may carry one entry or a list. Fails with `CAIRN-JOURNAL-CORRUPT` for an entry that breaks the format.
 */
export function entriesOf(records: readonly ChangeRecord[], source: string): readonly SerializedJournalEntry[] {
  const entries: SerializedJournalEntry[] = [];
  for (const record of records) {
    if (record.record !== 'intent' && record.record !== 'outcome' && record.record !== 'entry') continue;
    const { entry } = record;
    if (entry === undefined || entry === null) continue;
    for (const one of Array.isArray(entry) ? (entry as readonly unknown[]) : [entry]) entries.push(takeJournalEntry(one, source));
  }
  return entries;
}

/** Feeds a replayer with the entries of records. */
export function replayInto(replayer: Replayer, records: readonly ChangeRecord[], source: string): void {
  for (const entry of entriesOf(records, source)) replayer.add(entry);
}
