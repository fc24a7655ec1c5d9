import type { Json } from '@cairn/state';
import type { ChangeResult } from './change-result.js';
import type { ChangeKind, UpdateKind } from './operation-kind.js';

/** Result of a run. */
type UpdateResult = 'succeeded' | 'failed' | 'in-progress';

/** Details that the format cannot express: the requested operation, and its result. */
export interface HistoryDetail {
  /** Number of the change. */
  readonly change: string;
  readonly kind: ChangeKind;
  readonly result: ChangeResult;
}

/** Returns the additional details of an entry, or undefined if its own fields say it all. */
export function historyDetail(
  change: number,
  kind: ChangeKind,
  result: ChangeResult,
): HistoryDetail | undefined {
  const plain = kind !== 'rollback' && kind !== 'resolve' && (result === 'succeeded' || result === 'failed');
  return plain ? undefined : { change: String(change), kind, result };
}

/** One update of a stack. Times are in seconds since 1970, UTC. `version` is 0 on this kind of backend. */
export interface HistoryEntry {
  readonly kind: UpdateKind;
  readonly startTime: number;
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `namespace:name` to text, object, or `{"secure": ciphertext}`. */
  readonly config: Readonly<Record<string, Json>>;
  readonly version: number;
  readonly result: UpdateResult;
  readonly endTime: number;
  /** Steps taken by kind. Undefined if there were none. */
  readonly resourceChanges: Readonly<Record<string, number>> | undefined;
  /** Our own member, which other tools ignore. Undefined if the other fields say it all. */
  readonly cairn?: HistoryDetail | undefined;
}

/** Page of the history. `page` counts from 1. Without `size`, everything is one page. */
export interface HistoryPage {
  readonly size?: number;
  readonly page?: number;
}

/** Update as a listing shows it. `number` is 1 for the oldest in the history. */
export interface HistoryRow extends HistoryEntry {
  readonly number: number;
}
