import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { PendingOperationType, ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { PreviewClaims } from './claims.js';
import type { OperationSummary } from './events.js';
import type { SavedPlan } from './saved-plan.js';
import type { StepKind } from './step-kinds.js';

/**
 * How an operation ended. Never thrown: a failed operation is a result with `summary.result` other than `succeeded`.
 */
export interface OperationResult {
  readonly summary: OperationSummary;
  /** Every diagnostic of the operation, in the order in which it was emitted. */
  readonly diagnostics: readonly Diagnostic[];
  /** Steps that were begun and whose end nobody knows; their begin entries stay open in the journal. */
  readonly inDoubt: readonly InDoubtStep[];
  /** What the operation waits for, when its result is `waiting`; perhaps also beside another result. */
  readonly waiting: readonly WaitingTask[];
  /**
   * Outputs of the root stack as they are stored [REG-13]; secrets are marked. Undefined when there is no root stack.
   */
  readonly stackOutputs: PropertyMap | undefined;
  /**
   * How the entries are to stand in the stored state, as positions in what the journal gives: what had a step first, in
   * the order of the ends [STATE-8]. Undefined when they stand so already, and for previews.
   */
  readonly order: readonly number[] | undefined;
  /** The plan that was asked for; undefined when none was, or when the operation did not succeed. */
  readonly plan: SavedPlan | undefined;
  /** What providers claimed in a preview; for {@link OperationRequest.claims}. Undefined for real operations. */
  readonly claims: PreviewClaims | undefined;
}

/** A step that may or may not have happened. */
export interface InDoubtStep {
  readonly urn: Urn;
  readonly kind: StepKind;
  /** Id of the object concerned; empty for a create. */
  readonly id: string;
  /** Why the end is not known. */
  readonly cause: string;
}

/** A task that waits for somebody. */
export interface WaitingTask {
  /**
   * As commands name it. A step in doubt: its `doubtName`. Any other: number of the change and id of the task, `7/3`;
   * of this very operation without the number: `3`.
   */
  readonly task: string;
  readonly urn: Urn;
  /** A step in doubt, an approval, or the consent to a rollback that must replace. */
  readonly kind: 'in-doubt' | 'gate' | 'consent';
  /** What it waits for, for people. */
  readonly why: string;
  /** For a step in doubt: what nobody knows the end of. */
  readonly doubt?: PendingOperationType | undefined;
  /** For a step in doubt: outputs that are told with the answer that it was done. Absent: none. */
  readonly outputs?: OutputsToTell | undefined;
}

/**
 * Outputs that a person tells of an object, `names` empty where they are not known. `unless-read`: its provider may be
 * able to read them, which nobody knows before the answer; the answer is refused where it cannot.
 */
export interface OutputsToTell {
  readonly names: readonly string[];
  readonly needed: 'always' | 'unless-read';
}

/** An operation on its way. `done` never rejects, except with a BugError. */
export interface RunningOperation {
  readonly done: Promise<OperationResult>;
  /**
   * The entries as recorded so far, in snapshot order; after the end: what a replay of the journal gives. O(stack) a
   * look.
   */
  readonly entries: readonly ResourceEntry[];
  /**
   * Starts no further step; steps in flight finish, and with `rollback` everything that was done is rolled back then:
   * the result is `rolled-back` once all of it is. Idempotent; a later {@link cancel} ends the rollback as well.
   * What still runs 60 s later is ended as by {@link cancelRunning}, and nothing is rolled back then. False when it
   * comes too late: everything was done already.
   */
  abort(how: { readonly rollback: boolean }): boolean;
  /**
   * Approves what the task of this id waits for; false when it is no gate that waits. `by`: who says so, for the
   * record. The first approval counts.
   */
  approve(task: string, by?: string): boolean;
  /** Starts no further step; steps in flight finish and are stored. The result is `cancelled`. Idempotent. */
  cancel(): void;
  /**
   * Cancels, and asks the providers to end the steps in flight. What has not answered definitely within
   * `cancelGraceMs` is left in doubt, and the result names it. Idempotent.
   */
  cancelRunning(): void;
  /** Abandons the steps in flight as well: they are left in doubt, and the result names them. Idempotent. */
  kill(): void;
}
