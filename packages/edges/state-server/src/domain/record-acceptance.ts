import { hash } from 'node:crypto';
import { takeSentRecord } from '@cairn/backends';
import type { SentRecord } from '@cairn/backends';
import type { TextItem } from '@cairn/state';
import { Refusal } from './refusal.js';

/** Facts about the records of a change that decide whether more are accepted. */
export interface RecordFacts {
  /** Digest of each stored record that a batch may repeat, by its number. */
  readonly records: Map<number, string>;
  /** Number of stored records. They are numbered from 1. */
  recorded: number;
}

/** Record of a batch with its text. */
export interface ReadRecord {
  readonly text: string;
  readonly digest: string;
  readonly seq: number;
}

/** Returns the facts about a change without records. */
export function noRecords(): RecordFacts {
  return { records: new Map(), recorded: 0 };
}

/** Reads the records of a batch. Refuses one that breaks the format (400). */
export function readRecords(items: readonly TextItem[]): readonly ReadRecord[] {
  return items.map(({ text, value }) => {
    const record: SentRecord | string = takeSentRecord(value);
    if (typeof record === 'string') throw new Refusal(400, `A record of the change is invalid: ${record}.`);
    return { text, digest: recordDigest(text), seq: record.seq };
  });
}

/**
 * Decides about the records of a batch, and returns those to store. A record that is stored is dropped silently. Throws
 * a {@link Refusal} (400) for one that contradicts a stored one, and for a gap: records only mean something in a row.
 */
export function acceptRecords(facts: RecordFacts, batch: readonly ReadRecord[]): readonly ReadRecord[] {
  const fresh = new Map<number, ReadRecord>();
  for (const record of batch) {
    const { seq, digest } = record;
    const stored = facts.records.get(seq) ?? fresh.get(seq)?.digest;
    if (stored !== undefined && stored !== digest)
      throw new Refusal(400, `Record ${seq} of the change contradicts the one that is stored.`);
    if (stored !== undefined) continue;
    if (seq !== facts.recorded + fresh.size + 1)
      throw new Refusal(
        400,
        `Record ${seq} of the change does not follow the ${facts.recorded} that are stored.`,
      );
    fresh.set(seq, record);
  }
  return [...fresh.values()];
}

/** Notes the records of an accepted batch. */
export function noteRecords(facts: RecordFacts, fresh: readonly ReadRecord[]): void {
  for (const { seq, digest } of fresh) facts.records.set(seq, digest);
  facts.recorded += fresh.length;
}

/** Returns the digest by which two records are compared. */
export function recordDigest(text: string): string {
  return hash('sha256', text, 'base64');
}
