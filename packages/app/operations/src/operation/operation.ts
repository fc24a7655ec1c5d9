import type { Diagnostic } from '@cairn/diagnostics';
import type { OperationKind, OperationResult } from '@cairn/engine';
import type { ImportRequest } from '../imports/import-request.js';
import type { OperationOptions } from '../options/operation-options.js';
import type { OperationStatus } from '../pass-view.js';
import { resourceChanges } from './resource-changes.js';

/** An operation as it is asked for. */
export interface Operation {
  readonly kind: OperationKind;
  readonly options: OperationOptions;
  /** What an import takes over. */
  readonly imports?: ImportRequest | undefined;
  /**
   * Whether what the project file says about errors and failure domains counts where the options say nothing. Absent:
   * for an up and a destroy.
   */
  readonly projectPolicy?: boolean | undefined;
}

/** How an operation is carried out, which its record does not keep. */
export interface Conduct {
  /** Shows a preview first and asks whether to go on. Absent: nothing is shown first, and nobody is asked. */
  readonly preview?: boolean | undefined;
  /** The same for the rollback of a change that did not end, when that is chosen in its place. Absent: as `preview`. */
  readonly previewRollback?: boolean | undefined;
  /** Whoever asks for it has agreed to it already: it is not asked again. */
  readonly confirmed?: boolean | undefined;
  /** Leaves secrets in what programs and providers say. */
  readonly showSecrets?: boolean | undefined;
  /** Whether changes are a failure. */
  readonly expectNoChanges?: boolean | undefined;
  /** What is known of creates that earlier operations left in doubt. Absent: they are found out about. */
  readonly pendingCreates?: PendingCreates | undefined;
}

/** What is said beforehand about creates of which nobody knows the end. */
export interface PendingCreates {
  /** Ids of the objects that were made, by URN. */
  readonly made: ReadonlyMap<string, string>;
  /** Whether all others have made nothing. Absent: they are found out about as ever. */
  readonly clear?: boolean | undefined;
}

/** What an operation came to. */
export type Outcome = Ended | Previewed;

/** It ended, and its change is recorded. */
export interface Ended {
  readonly t: 'ended';
  readonly status: OperationStatus;
  readonly operation: Operation;
  readonly result: OperationResult;
  /** What storing the state has found. */
  readonly stored: readonly Diagnostic[];
  /** Id of its change. */
  readonly change: string;
}

/** Nothing was done: a preview is all that was wanted, or it failed, or there was nothing to do. */
export interface Previewed {
  readonly t: 'previewed';
  readonly status: OperationStatus;
  readonly result: OperationResult;
}

/** Whether all that was wanted is done, and the state that it left is consistent. */
export function endedWell({ status, stored }: Pick<Ended, 'status' | 'stored'>): boolean {
  return status === 'succeeded' && !stored.some(({ severity }) => severity === 'error');
}

/** A refresh changes something when what it found does; what a program only reads it does not change. */
const UNCHANGED: ReadonlySet<string> = new Set([
  'same',
  'refresh',
  'read',
  'read-replacement',
  'read-discard',
  'discard',
  'discard-replaced',
]);

/** How an operation with this result ended. */
export function statusOf(
  { summary }: Pick<OperationResult, 'summary'>,
  { expectNoChanges }: Pick<Conduct, 'expectNoChanges'>,
): OperationStatus {
  if (summary.result !== 'succeeded' || expectNoChanges !== true) return summary.result;
  const steps = { ...summary.changes, ...resourceChanges(summary) };
  const changed = Object.entries(steps).some(([kind, count]) => count > 0 && !UNCHANGED.has(kind));
  return changed ? 'unexpected-changes' : 'succeeded';
}
