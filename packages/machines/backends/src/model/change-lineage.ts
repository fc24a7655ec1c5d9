import type { Diagnostic } from '@cairn/diagnostics';
import type { SerializedDeployment, Snapshot } from '@cairn/state';
import type { StoredChange } from './change-row.js';
import type { LineageState } from './lineages.js';

/** Change with its successors, and all data needed to continue it or to undo it. */
export interface ChangeLineage {
  /** First and last change, as their journals' directories are named. */
  readonly origin: string;
  readonly latest: string;
  readonly state: LineageState;
  readonly unfinished: boolean;
  /** Oldest first. */
  readonly changes: readonly StoredChange[];
  /** State before the first of them began, as stored. */
  readonly before: SerializedDeployment;
  /** Decodes the same state. */
  readonly openBefore: () => Promise<Snapshot>;
  /** Description for the user of what happened and what can be done. */
  readonly note: Diagnostic;
}
