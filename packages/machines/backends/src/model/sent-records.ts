import { isRecordName, recordProblem } from '@cairn/changes';
import type { ChangeRecord, Status } from '@cairn/changes';
import type { ChangeResult } from './change-result.js';
import type { TaskCounts } from './change-row.js';
import { tallyOf } from './tally.js';

/**
 * Record of a change as it is sent beside the journal entries of its update. An entry that the journal has is its
 * sequence id here; a list of entries is a list.
 */
export type SentRecord = ChangeRecord;

/** Returns a record that was sent. Returns the reason as a text if it is none. */
export function takeSentRecord(value: unknown): SentRecord | string {
  if (typeof value !== 'object' || value === null) return 'it is not an object';
  const record = value as Readonly<Record<string, unknown>>;
  if (!isRecordName(record['record'])) return 'it is of an unknown kind';
  return recordProblem(record) ?? (value as SentRecord);
}

/** Returns the sequence ids of the journal entries that a record refers to. */
export function referencesIn(record: SentRecord): readonly number[] {
  const entries = [entryOf(record)].flat();
  return entries.filter((entry) => typeof entry === 'number');
}

/** Returns a record with each of its entries replaced by what a function makes of it. */
export function withEntries(record: ChangeRecord, replaced: (entry: unknown) => unknown): ChangeRecord {
  const entry = entryOf(record);
  if (entry === undefined || entry === null) return record;
  return { ...record, entry: Array.isArray(entry) ? entry.map(replaced) : replaced(entry) } as ChangeRecord;
}

function entryOf(record: ChangeRecord): unknown {
  return record.record === 'intent' || record.record === 'outcome' || record.record === 'entry'
    ? record.entry
    : undefined;
}

/** End of a change whose process did not say how it ended. */
interface InterruptedEnd {
  readonly result: Extract<ChangeResult, 'interrupted' | 'nothing'>;
  readonly status: Status;
  readonly tasks: TaskCounts;
}

/** Returns the end of a change whose process died, from its records. Without a task or an entry it did nothing. */
export function interruptedEnd(records: readonly SentRecord[]): InterruptedEnd {
  const tally = tallyOf(records);
  const begun = records.some((record) => record.record === 'task' || entryOf(record) !== undefined);
  return {
    result: begun ? 'interrupted' : 'nothing',
    status: tally.status(),
    tasks: tally.counts(),
  };
}
