import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { PendingOperationType, ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { PreviewClaims } from './claims.js';
import type { OperationSummary } from './events.js';
import type { SettledDigests } from './request.js';
import type { SavedPlan } from './saved-plan.js';
import type { StepKind } from './step-kinds.js';

/**
 * Result of an operation. Never thrown: a failed operation is a result with `summary.result` other than `succeeded`.
 */
export interface EngineResult {
  readonly summary: OperationSummary;
  /** Every diagnostic of the operation, in order of emission. */
  readonly diagnostics: readonly Diagnostic[];
  /** Steps that were begun and whose end is unknown. Their begin entries stay open in the journal. */
  readonly inDoubt: readonly InDoubtStep[];
  /** Tasks that wait for an answer when the result is `waiting`. Other results may have some as well. */
  readonly waiting: readonly WaitingTask[];
  /** Outputs of the root stack as stored [REG-13], with secrets marked. Undefined when there is no root stack. */
  readonly stackOutputs: PropertyMap | undefined;
  /**
   * Order of the entries in the stored state, as positions in the result of the journal. Entries with a step come
   * first, in the order of the ends [STATE-8]. Undefined if they already have this order, and for previews.
   */
  readonly order: readonly number[] | undefined;
  /** Requested plan. Undefined if none was requested, or when the operation did not succeed. */
  readonly plan: SavedPlan | undefined;
  /** Digests to keep for the next operation. Undefined if they are still those of the request. */
  readonly digests: SettledDigests | undefined;
  /** Claims of providers in a preview, for {@link OperationRequest.claims}. Undefined for real operations. */
  readonly claims: PreviewClaims | undefined;
}

/** Step that may or may not have happened. */
export interface InDoubtStep {
  readonly urn: Urn;
  readonly kind: StepKind;
  /** Id of the affected object. Empty for a create. */
  readonly id: string;
  /** Reason why the end is unknown. */
  readonly cause: string;
}

/** Task that waits for a person. */
export interface WaitingTask {
  /**
   * Name in commands. For a step in doubt its `doubtName`. For any other task the number of the change and the id of
   * the task, `7/3`. A task of this very operation has no number: `3`.
   */
  readonly task: string;
  readonly urn: Urn;
  /** Cause of the wait: a step in doubt, an approval, or the consent to a rollback that must replace. */
  readonly kind: 'in-doubt' | 'gate' | 'consent';
  /** Text for users about the cause of the wait. */
  readonly why: string;
  /** Operation whose end is unknown, for a step in doubt. */
  readonly doubt?: PendingOperationType | undefined;
  /** Outputs to supply with the answer that the step was done, for a step in doubt. By default none. */
  readonly outputs?: OutputsToTell | undefined;
}

/**
 * Outputs of an object that a person must supply. `names` is empty if they are not known. `unless-read`: its provider
 * may be able to read them, which is unknown before the answer. If it cannot, the answer is refused.
 */
export interface OutputsToTell {
  readonly names: readonly string[];
  readonly needed: 'always' | 'unless-read';
}

/** Operation in progress. `done` never rejects, except with a BugError. */
export interface RunningOperation {
  readonly done: Promise<EngineResult>;
  /**
   * Entries as recorded so far, in snapshot order. After the end they equal a replay of the journal. O(stack) per
   * access.
   */
  readonly entries: readonly ResourceEntry[];
  /**
   * Starts no further step, and steps in flight finish. With `rollback` everything that was done is rolled back then,
   * and the result is `rolled-back` once all of it is. Idempotent. A later {@link cancel} ends the rollback as well.
   * Steps that still run 60 s later are ended as by {@link cancelRunning}, and nothing is rolled back then. Returns
   * false if the call comes too late: everything was already done.
   */
  abort(how: { readonly rollback: boolean }): boolean;
  /**
   * Approves the task with this id. Returns false if it is not a waiting gate. `by` is the approver, for the record.
   * The first approval counts.
   */
  approve(task: string, by?: string): boolean;
  /** Starts no further step. Steps in flight finish and are stored. The result is `cancelled`. Idempotent. */
  cancel(): void;
  /**
   * Cancels, and asks the providers to end the steps in flight. Steps without a definite answer within `cancelGraceMs`
   * are left in doubt, and the result names them. Idempotent.
   */
  cancelRunning(): void;
  /** Abandons the steps in flight as well: they are left in doubt, and the result names them. Idempotent. */
  kill(): void;
}
