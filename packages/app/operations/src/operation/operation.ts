import type { Diagnostic } from '@cairn/diagnostics';
import type { OperationKind, EngineResult, SavedPlan } from '@cairn/engine';
import type { SerializedDeployment } from '@cairn/state';
import type { ImportRequest } from '../imports/import-request.js';
import type { OperationOptions } from '../options/operation-options.js';
import type { OperationStatus } from '../pass-view.js';
import { resourceChanges } from './resource-changes.js';

/** Request for an operation. */
export interface RequestedOperation {
  readonly kind: OperationKind;
  readonly options: OperationOptions;
  /** Resources to import. */
  readonly imports?: ImportRequest | undefined;
  /**
   * True if the project file's settings for errors and failure domains apply where the options set none. Defaults to
   * true for an up and a destroy.
   */
  readonly projectPolicy?: boolean | undefined;
}

/** Options of a run that its record does not keep. */
export interface RunOptions {
  /** Shows a preview first and asks whether to continue. Defaults to neither preview nor question. */
  readonly preview?: boolean | undefined;
  /** The same for the rollback of an unfinished change, if it is chosen instead. Defaults to `preview`. */
  readonly previewRollback?: boolean | undefined;
  /** True if the caller has already agreed: there is no further question. */
  readonly confirmed?: boolean | undefined;
  /** Shows secrets in texts of programs and providers. */
  readonly showSecrets?: boolean | undefined;
  /** Treats changes as a failure. */
  readonly expectNoChanges?: boolean | undefined;
  /** Known outcomes of creates that earlier operations left in doubt. Without them Cairn finds the outcomes itself. */
  readonly pendingCreates?: PendingCreates | undefined;
  /**
   * Receives the state from which an operation or its preview starts, as stored, before anything is shown or done.
   * An error that it throws ends the operation.
   */
  readonly onState?: ((state: SerializedDeployment | undefined) => Promise<void>) | undefined;
  /**
   * Receives the plan of a strict operation before the question about it. A service gets this preview as it gets those
   * without a question. An error that it throws ends the operation.
   */
  readonly onPlan?: ((plan: SavedPlan) => Promise<void>) | undefined;
}

/** Given outcomes of creates whose end is unknown. */
export interface PendingCreates {
  /** Ids of the objects that were made, by URN. */
  readonly made: ReadonlyMap<string, string>;
  /** True if no other create has made an object. Without it Cairn finds their outcomes as usual. */
  readonly clear?: boolean | undefined;
}

/** Outcome of an operation. */
export type Outcome = Ended | Previewed;

/** It ended, and its change is recorded. */
export interface Ended {
  readonly t: 'ended';
  readonly status: OperationStatus;
  readonly operation: RequestedOperation;
  readonly result: EngineResult;
  /** Findings when the state was stored. */
  readonly stored: readonly Diagnostic[];
  /** Id of its change. */
  readonly change: string;
}

/** Nothing was done: only a preview was requested, or it failed, or there was nothing to do. */
export interface Previewed {
  readonly t: 'previewed';
  readonly status: OperationStatus;
  readonly result: EngineResult;
}

/** Tells whether the whole request is done, and the state that it left is consistent. */
export function endedWell({ status, stored }: Pick<Ended, 'status' | 'stored'>): boolean {
  return status === 'succeeded' && !stored.some(({ severity }) => severity === 'error');
}

/**
 * Kinds of steps that change nothing. A refresh changes something if its findings do; a read of the program does not.
 */
const UNCHANGED: ReadonlySet<string> = new Set([
  'same',
  'refresh',
  'read',
  'read-replacement',
  'read-discard',
  'discard',
  'discard-replaced',
]);

/** Returns the status of an operation with this result. */
export function statusOf(
  { summary }: Pick<EngineResult, 'summary'>,
  { expectNoChanges }: Pick<RunOptions, 'expectNoChanges'>,
): OperationStatus {
  if (summary.result !== 'succeeded' || expectNoChanges !== true) return summary.result;
  const steps = { ...summary.changes, ...resourceChanges(summary) };
  const changed = Object.entries(steps).some(([kind, count]) => count > 0 && !UNCHANGED.has(kind));
  return changed ? 'unexpected-changes' : 'succeeded';
}
