import { referencesIn } from '@cairn/backends';
import type { SentRecord } from '@cairn/backends';
import type { RecordTexts } from './change-store.js';

/** Text of a record that was stored. */
interface StoredText {
  readonly text: string;
  readonly value: unknown;
}

/** Returns records with the texts of the entries that they refer to, which `find` returns by their sequence ids. */
export async function recordTexts(
  records: readonly StoredText[],
  find: (sequences: ReadonlySet<number>) => Promise<readonly string[]>,
): Promise<RecordTexts> {
  const sequences = new Set(records.flatMap(({ value }) => referencesIn(value as SentRecord)));
  return {
    records: records.map(({ text }) => text),
    entries: sequences.size === 0 ? [] : await find(sequences),
  };
}
