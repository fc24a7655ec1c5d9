import type { Json } from '@cairn/state';
import type { ChangeResult } from '../records/change-result.js';
import type { OperationKind, UpdateKind } from '../records/operation-kind.js';

/** How a run ended. */
type UpdateResult = 'succeeded' | 'failed' | 'in-progress';

/** What the format has no words for: what was asked for, and how it ended. */
export interface HistoryDetail {
  /** Number of the change. */
  readonly change: string;
  readonly kind: OperationKind;
  readonly result: ChangeResult;
}

/** What an entry says besides, where its own words say something else; undefined where they do not. */
export function historyDetail(
  change: number,
  kind: OperationKind,
  result: ChangeResult,
): HistoryDetail | undefined {
  const plain = kind !== 'rollback' && kind !== 'resolve' && (result === 'succeeded' || result === 'failed');
  return plain ? undefined : { change: String(change), kind, result };
}

/** One update of a stack. Times: seconds since 1970, UTC. `version` is 0 on this kind of backend. */
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
  /** Steps taken by kind; undefined when none were. */
  readonly resourceChanges: Readonly<Record<string, number>> | undefined;
  /** A member of our own, which other tools pass over. Absent: the entry says it all. */
  readonly cairn?: HistoryDetail | undefined;
}

/** `page` counts from 1. Without a size everything is one page. */
export interface HistoryPage {
  readonly size?: number;
  readonly page?: number;
}

/** An update as a listing shows it. `number`: 1 for the oldest that the history has. */
export interface HistoryRow extends HistoryEntry {
  readonly number: number;
}
