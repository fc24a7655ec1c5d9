import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { PropertyMap } from '@cairn/values';
import type { PolicySummary, Violation } from './policy.js';
import type { OperationKind } from './request.js';
import type { StepKind } from './step-kinds.js';
import type { RefreshResult, StepView } from './step-view.js';

/**
 * Event of the engine for displays and logs, in order. Secrets are still marked values here: a consumer that prints or
 * stores an event masks them. For the meaning of the events see [EVT-1].
 */
export type EngineEvent =
  | {
      readonly t: 'prelude';
      readonly config: Readonly<Record<string, string>>;
      readonly secretKeys: readonly string[];
    }
  /** `undo`: the step undoes another one. */
  | {
      readonly t: 'step-started';
      readonly step: StepView;
      readonly planning: boolean;
      readonly undo?: true | undefined;
    }
  | {
      readonly t: 'step-ended';
      readonly step: StepView;
      readonly planning: boolean;
      readonly elapsedMs: number;
      readonly undo?: true | undefined;
    }
  | {
      readonly t: 'step-failed';
      readonly step: StepView;
      readonly inDoubt: boolean;
      readonly elapsedMs: number;
      readonly planning?: boolean | undefined;
      readonly undo?: true | undefined;
    }
  | { readonly t: 'outputs'; readonly step: StepView; readonly planning: boolean }
  | {
      readonly t: 'diagnostic';
      readonly diagnostic: Diagnostic;
      readonly streamId: number;
      readonly ephemeral: boolean;
    }
  /** Text that the program wrote. */
  | { readonly t: 'program-output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** A process waits for a debugger. `config` describes how to attach one, in the debug adapter protocol. */
  | { readonly t: 'debugging-started'; readonly config: PropertyMap }
  /** Policy packs are being loaded. */
  | { readonly t: 'policies-loading' }
  /** A resource or the stack breaks a policy. An error diagnostic follows a mandatory one. */
  | { readonly t: 'policy-violation'; readonly violation: Violation }
  /** A policy corrected the inputs of a resource. */
  | {
      readonly t: 'policy-remediation';
      readonly urn: Urn;
      readonly policyName: string;
      readonly packName: string;
      readonly packVersion: string;
      readonly before: PropertyMap;
      readonly after: PropertyMap;
    }
  /** Results of one pack's policies for a resource, or without `urn` for the stack. */
  | {
      readonly t: 'policy-summary';
      readonly of: 'analyze' | 'remediate' | 'analyze-stack';
      readonly urn: Urn | undefined;
      readonly summary: PolicySummary;
    }
  | { readonly t: 'summary'; readonly summary: OperationSummary };

/** End of an operation, in summary. */
export interface OperationSummary {
  readonly kind: OperationKind;
  readonly preview: boolean;
  /**
   * `rolled-back`: it failed, and everything it had done is undone. `waiting`: it continues after an answer from a
   * person.
   */
  readonly result: 'succeeded' | 'failed' | 'cancelled' | 'rolled-back' | 'waiting';
  readonly durationMs: number;
  /** Steps taken, by kind. */
  readonly changes: Readonly<Partial<Record<StepKind, number>>>;
  /** Number of refreshes among the steps, by their finding. Undefined if there were none. */
  readonly found?: Readonly<Partial<Record<RefreshResult, number>>> | undefined;
  /** Counts of the rollback. Undefined if there was nothing to roll back. */
  readonly rollback?: RollbackCounts | undefined;
  /** Version by name of the policy packs that analyzed the operation. Undefined if there were none. */
  readonly policyPacks?: Readonly<Record<string, string>> | undefined;
}

/** Progress of a rollback, in steps. */
export interface RollbackCounts {
  readonly undone: number;
  /** Left to a person, or because a remaining resource needs it. */
  readonly held: number;
  /** Left as the operation made them, because of an option of the resource. */
  readonly retained: number;
  readonly failed: number;
  /** Steps that undid another one, by kind. A new object in place of another one is one `replace`. */
  readonly changes: Readonly<Partial<Record<StepKind, number>>>;
}
