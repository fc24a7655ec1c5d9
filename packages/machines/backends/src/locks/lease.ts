import { isJsonObject } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';

/**
 * Whose locks may be taken over that nobody renews. `unattended`: those of processes that nobody watches, by processes
 * that nobody watches (CI), and one's own after a restart of the machine. `always`: every one of Cairn's. `never`:
 * none.
 */
export type Takeover = 'unattended' | 'always' | 'never';

/** How this process holds locks, and when it takes others over. */
export interface LeaseSettings {
  /** A lock that is not renewed for so long may be taken over. */
  readonly termMs: number;
  /** How often one's own is renewed. */
  readonly renewalMs: number;
  readonly takeover: Takeover;
}

/**
 * What a lock file says of its lease. Locks of other tools and of older versions have none, and are never taken over
 * for want of it.
 */
export interface Lease {
  readonly termMs: number;
  /** Grows with every renewal: who watches compares it, and no clocks. */
  readonly renewals: number;
  /** A person watches the process: when it pauses (a laptop sleeps), a person decides. */
  readonly attended: boolean;
}

const LONGEST_SECONDS = 7 * 24 * 3600;

/** As it stands in a lock file. */
export function leaseFields({ termMs, renewals, attended }: Lease): JsonObject {
  return { term: termMs / 1000, renewals, ...(attended ? { attended } : {}) };
}

/** Reads {@link leaseFields}; undefined when it is none. */
export function takeLease(value: Json | undefined): Lease | undefined {
  if (!isJsonObject(value)) return undefined;
  const { term, renewals, attended } = value;
  if (typeof term !== 'number' || !(term > 0) || term > LONGEST_SECONDS) return undefined;
  return typeof renewals === 'number'
    ? { termMs: term * 1000, renewals, attended: attended === true }
    : undefined;
}
