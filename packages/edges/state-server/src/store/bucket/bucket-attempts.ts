import type { BlobStore } from '@cairn/blobs';
import type { AttemptStore } from '../attempt-store.js';
import { keys } from './documents.js';
import type { Documents } from './documents.js';

interface AttemptCount {
  readonly count: number;
  /** Length of the period, in seconds. */
  readonly period: number;
}

/** Counts of attempts in a bucket, which removes those whose period has ended. */
interface BucketAttempts extends AttemptStore {
  removeEnded(): Promise<void>;
}

/**
 * Counts of attempts in a bucket: a document for each key. The ends of periods are kept in memory: after a restart each
 * period runs for its time once more.
 */
export function bucketAttempts(
  blobs: BlobStore,
  documents: Documents,
  monotonic: () => number,
): BucketAttempts {
  const ends = new Map<string, number>();
  const leftOf = (place: string, period: number): number => {
    const end = ends.get(place) ?? monotonic() + period * 1000;
    ends.set(place, end);
    return Math.ceil((end - monotonic()) / 1000);
  };
  return {
    countAttempt: async (key, period) => {
      const place = keys.attempt(key);
      let found = { count: 1, seconds: period };
      await documents.edit<AttemptCount>(place, async (before) => {
        const seconds = before === undefined ? 0 : leftOf(place, before.period);
        if (before === undefined || seconds <= 0) {
          ends.set(place, monotonic() + period * 1000);
          found = { count: 1, seconds: period };
        } else found = { count: before.count + 1, seconds };
        return { count: found.count, period };
      });
      return found;
    },
    forgiveAttempts: async (key, count) =>
      void (await documents.edit<AttemptCount>(
        keys.attempt(key),
        async (before) => before && { ...before, count: Math.max(0, before.count - count) },
      )),
    removeEnded: async () => {
      for (const { key } of await blobs.list(keys.attempts)) {
        const before = await documents.get<AttemptCount>(key);
        if (before !== undefined && leftOf(key, before.period) > 0) continue;
        await documents.remove(key);
        ends.delete(key);
      }
    },
  };
}
