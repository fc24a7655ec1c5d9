import type { Claim, Status } from '@cairn/changes';
import type { Json } from '@cairn/state';
import type { ChangeResult } from './change-result.js';
import type { Continues, TaskCounts } from './change-row.js';
import type { ChangeKind, UpdateKind } from './operation-kind.js';

/** Description of an operation without what its place gives it: its name, its lock and its base. */
export interface ChangeDescription {
  readonly pid: number;
  readonly hostname: string;
  readonly kind: UpdateKind;
  readonly message: string;
  /** Seconds since 1970. */
  readonly startTime: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, Json>>;
  /** Requested operation. Missing in journals of older versions, where `kind` says it. */
  readonly operation?: ChangeKind;
  /** Change that this one continues. */
  readonly continues?: Continues;
  /** Options of the request that a later process needs to continue the operation. */
  readonly options?: Json;
  /** Key of the digests of goals, sealed. */
  readonly goalKey?: string;
  /**
   * Claims of an operation that may run beside others. Without them it holds the whole stack, and all journals are
   * closed.
   */
  readonly claims?: readonly Claim[];
  /** Set with claims: number up to which every journal was closed before it began. Undefined if not known. */
  readonly closed?: number;
}

/**
 * End of an operation, with the fields of a listing, so that it needs no records. All but the result are missing in
 * journals of older versions.
 */
export interface JournalEnd {
  readonly result: ChangeResult;
  readonly status?: Status;
  readonly tasks?: TaskCounts;
  /** Set if the journal was set aside: its records are not part of any state, and it cannot be continued. */
  readonly setAside?: true;
  /** RFC 3339 time when it ended, or when it was taken over if it died. */
  readonly ended?: string;
}
