import { isJsonObject } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import type { Lease } from '../../model/lock-holder.js';

/**
 * Rule for taking over locks that are not renewed. `unattended`: processes that no person watches (CI) take over locks
 * of such processes. A process also takes over its own after a restart of the machine. `always`: every lock of Cairn.
 * `never`: none.
 */
export type Takeover = 'unattended' | 'always' | 'never';

/** Settings for holding locks and for taking over those of others. */
export interface LeaseSettings {
  /** Time without renewal after which a lock may be taken over. */
  readonly termMs: number;
  /** Interval at which this process renews its own lock. */
  readonly renewalMs: number;
  readonly takeover: Takeover;
}

const LONGEST_SECONDS = 7 * 24 * 3600;

/** Returns the fields of a lease as they are in a lock file. */
export function leaseFields({ termMs, renewals, attended }: Lease): JsonObject {
  return { term: termMs / 1000, renewals, ...(attended ? { attended } : {}) };
}

/** Reads {@link leaseFields}. Returns undefined if the value is none. */
export function takeLease(value: Json | undefined): Lease | undefined {
  if (!isJsonObject(value)) return undefined;
  const { term, renewals, attended } = value;
  if (typeof term !== 'number' || !(term > 0) || term > LONGEST_SECONDS) return undefined;
  return typeof renewals === 'number'
    ? { termMs: term * 1000, renewals, attended: attended === true }
    : undefined;
}
