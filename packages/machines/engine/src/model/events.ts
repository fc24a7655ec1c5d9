import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { PropertyMap } from '@cairn/values';
import type { PolicySummary, Violation } from './policy.js';
import type { OperationKind } from './request.js';
import type { StepKind } from './step-kinds.js';
import type { RefreshResult, StepView } from './step-view.js';

/**
 * What the engine tells displays and logs, in order. Secrets are still marked values here: whoever prints or stores an
 * event masks them. Meaning of the events: [EVT-1].
 */
export type EngineEvent =
  | {
      readonly t: 'prelude';
      readonly config: Readonly<Record<string, string>>;
      readonly secretKeys: readonly string[];
    }
  /** `undo`: the step undoes what another one has done. */
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
  /** Text the program wrote. */
  | { readonly t: 'program-output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** Something waits for a debugger; `config` says how one is attached, in the debug adapter protocol. */
  | { readonly t: 'debugging-started'; readonly config: PropertyMap }
  /** Policy packs are being loaded. */
  | { readonly t: 'policies-loading' }
  /** Something breaks a policy. Mandatory ones are followed by an error diagnostic. */
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
  /** How the policies of one pack came out for a resource; without `urn`: for the stack. */
  | {
      readonly t: 'policy-summary';
      readonly of: 'analyze' | 'remediate' | 'analyze-stack';
      readonly urn: Urn | undefined;
      readonly summary: PolicySummary;
    }
  | { readonly t: 'summary'; readonly summary: OperationSummary };

/** How an operation ended. */
export interface OperationSummary {
  readonly kind: OperationKind;
  readonly preview: boolean;
  /**
   * `rolled-back`: it failed, and everything it had done is undone; `waiting`: it goes on once somebody has answered.
   */
  readonly result: 'succeeded' | 'failed' | 'cancelled' | 'rolled-back' | 'waiting';
  readonly durationMs: number;
  /** Steps taken, by kind. */
  readonly changes: Readonly<Partial<Record<StepKind, number>>>;
  /** What the refreshes among them found. Absent: there were none. */
  readonly found?: Readonly<Partial<Record<RefreshResult, number>>> | undefined;
  /** What was rolled back. Absent: there was nothing to roll back. */
  readonly rollback?: RollbackCounts | undefined;
  /** Version by name of the policy packs that looked at it. Absent: there were none. */
  readonly policyPacks?: Readonly<Record<string, string>> | undefined;
}

/** How far a rollback has come, in steps. */
export interface RollbackCounts {
  readonly undone: number;
  /** Left to a person, or because something that stays needs it. */
  readonly held: number;
  /** Left as the operation has made them, because the resource says so. */
  readonly retained: number;
  readonly failed: number;
  /** Steps that undid something, by kind. A new object in place of another one is one `replace`. */
  readonly changes: Readonly<Partial<Record<StepKind, number>>>;
}
