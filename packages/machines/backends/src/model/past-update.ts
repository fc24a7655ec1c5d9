import type { SerializedDeployment } from '@cairn/state';
import type { HistoryEntry } from './history-entry.js';

/**
 * Update of the past. `state` is the one that it left, if that is known. `order` is its place among the updates of the
 * same second.
 */
export interface PastUpdate {
  readonly entry: HistoryEntry;
  readonly state: SerializedDeployment | undefined;
  readonly order: number;
}
