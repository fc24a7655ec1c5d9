import type { OperationDiagnostic } from './diagnostic.js';
import type { Outputs, PreviewOutputs } from './outputs.js';
import type { OperationKind, OperationStepKind } from './events.js';

/** Outcome of an operation. */
export interface OperationResult {
  readonly kind: OperationKind;
  readonly preview: boolean;
  /**
   * With `rolled-back`, the operation failed and everything it had done is undone. With `waiting`, it continues once
   * its tasks are answered. With `unexpected-changes`, it succeeded although `expectNoChanges` was set.
   */
  readonly status: 'succeeded' | 'failed' | 'cancelled' | 'rolled-back' | 'waiting' | 'unexpected-changes';
  /** Number of the change in the history of the stack. Undefined for previews. */
  readonly change: number | undefined;
  /** Number of steps by kind, including resources that remain unchanged. */
  readonly changes: Readonly<Partial<Record<OperationStepKind, number>>>;
  readonly durationMs: number;
  /** Warnings, errors and notes, in the order of their arrival. */
  readonly diagnostics: readonly OperationDiagnostic[];
  /** Resources whose step failed. */
  readonly failures: readonly ResourceFailure[];
  /** Steps that began and whose outcome is unknown. Report their outcome with `stack.resolve`. */
  readonly inDoubt: readonly InDoubt[];
  /** Tasks that the operation waits for. */
  readonly waiting: readonly Waiting[];
}

/** A resource whose step failed. */
export interface ResourceFailure {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly step: OperationStepKind;
  /** True if it is unknown whether the step took effect. */
  readonly inDoubt: boolean;
  /** Reasons, as far as they were reported. */
  readonly diagnostics: readonly OperationDiagnostic[];
}

/** A step that may or may not have happened. */
export interface InDoubt {
  readonly urn: string;
  readonly step: OperationStepKind;
  /** Id of the object concerned; empty for a create. */
  readonly id: string;
  /** Reason why the outcome is unknown. */
  readonly cause: string;
}

/** A task that an operation waits for. */
export interface Waiting {
  /** Name of the task, for `stack.approve` and `stack.resolve`. */
  readonly task: string;
  readonly urn: string;
  readonly kind: 'in-doubt' | 'gate' | 'consent';
  /** Description of the task, for people. */
  readonly why: string;
}

/** Result of an `up`. */
export interface UpResult<Returned = unknown> extends OperationResult {
  readonly outputs: Outputs<Returned>;
}

/** Result of a preview. */
export interface PreviewResult<Returned = unknown> extends OperationResult {
  readonly outputs: PreviewOutputs<Returned>;
  /** Plan document for `up({ plan })`, with secrets sealed. Undefined unless `plan: true` was set. */
  readonly plan: string | undefined;
}
