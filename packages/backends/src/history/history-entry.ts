import type { Json } from '@cairn/state';

/** What a run was (state.md 5.6). */
export type UpdateKind =
  'update' | 'refresh' | 'destroy' | 'resource-import' | 'preview' | 'import' | 'rename';

/** How a run ended. */
export type UpdateResult = 'succeeded' | 'failed' | 'in-progress';

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
