import type { Diagnostic } from './diagnostic.js';
import type { Outputs, PreviewOutputs } from './outputs.js';
import type { OperationKind, StepKind } from './events.js';

/** How an operation ended. */
export interface OperationResult {
  readonly kind: OperationKind;
  readonly preview: boolean;
  /**
   * `rolled-back`: it failed, and everything it had done is undone; `waiting`: it goes on once somebody has answered;
   * `unexpected-changes`: it succeeded, and `expectNoChanges` was said.
   */
  readonly status: 'succeeded' | 'failed' | 'cancelled' | 'rolled-back' | 'waiting' | 'unexpected-changes';
  /** Number of the change in the history of the stack; undefined for previews. */
  readonly change: number | undefined;
  /** Steps taken by kind, resources that stay as they are among them. */
  readonly changes: Readonly<Partial<Record<StepKind, number>>>;
  readonly durationMs: number;
  /** Warnings, errors and notes, in the order in which they came. */
  readonly diagnostics: readonly Diagnostic[];
  /** Resources whose step failed. */
  readonly failures: readonly ResourceFailure[];
  /** Steps that were begun and whose end nobody knows: `stack.resolve` tells what became of them. */
  readonly inDoubt: readonly InDoubt[];
  /** What is waited for. */
  readonly waiting: readonly Waiting[];
}

/** A resource whose step failed. */
export interface ResourceFailure {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly step: StepKind;
  /** Nobody knows whether it took effect. */
  readonly inDoubt: boolean;
  /** Why, as far as somebody has said it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A step that may or may not have happened. */
export interface InDoubt {
  readonly urn: string;
  readonly step: StepKind;
  /** Id of the object concerned; empty for a create. */
  readonly id: string;
  /** Why the end is not known. */
  readonly cause: string;
}

/** What an operation waits for. */
export interface Waiting {
  /** Its name, for `stack.approve` and `stack.resolve`. */
  readonly task: string;
  readonly urn: string;
  readonly kind: 'in-doubt' | 'gate' | 'consent';
  /** What it waits for, for people. */
  readonly why: string;
}

/** What an `up` has come to. */
export interface UpResult<Returned = unknown> extends OperationResult {
  readonly outputs: Outputs<Returned>;
}

/** What a preview has found. */
export interface PreviewResult<Returned = unknown> extends OperationResult {
  readonly outputs: PreviewOutputs<Returned>;
  /** A document that `up({ plan })` holds to, secrets sealed; undefined unless `plan: true` was said. */
  readonly plan: string | undefined;
}
