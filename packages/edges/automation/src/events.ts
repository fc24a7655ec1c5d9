import type { Diagnostic } from './diagnostic.js';
import type { Json } from './values.js';

/** What an operation does. */
export type OperationKind = 'up' | 'destroy' | 'refresh' | 'import' | 'rollback' | 'resolve';

/** What can be done to one resource. */
export type StepKind =
  | 'same'
  | 'create'
  | 'update'
  | 'delete'
  | 'replace'
  | 'create-replacement'
  | 'delete-replaced'
  | 'read'
  | 'read-replacement'
  | 'read-discard'
  | 'discard-replaced'
  | 'refresh'
  | 'import'
  | 'import-replacement'
  | 'remove-pending-replace';

/** A resource before or after a step; secrets are `[secret]`. */
export interface ResourceView {
  /** Empty where there is no object, or none yet. */
  readonly id: string;
  readonly inputs: Json;
  readonly outputs: Json;
}

/** One step on one resource. */
export interface Step {
  readonly kind: StepKind;
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** Why it is taken, for people. */
  readonly reason: string;
  /** Names of properties that differ. */
  readonly changed: readonly string[];
  /** Names of properties that force a replacement. */
  readonly replaces: readonly string[];
  /** Undefined where there is nothing before. */
  readonly before: ResourceView | undefined;
  /** Undefined where nothing is left, or it is not known yet. */
  readonly after: ResourceView | undefined;
}

/** What an operation tells while it runs, in order. No event holds a secret in clear. */
export type OperationEvent =
  /** It begins; `change`: number of the change that it makes, undefined for previews. */
  | {
      readonly type: 'begin';
      readonly operation: OperationKind;
      readonly preview: boolean;
      readonly change: number | undefined;
    }
  /** `undo`: the step undoes what another one has done. */
  | {
      readonly type: 'step-started';
      readonly step: Step;
      readonly preview: boolean;
      readonly undo: boolean;
    }
  | {
      readonly type: 'step-ended';
      readonly step: Step;
      readonly preview: boolean;
      readonly undo: boolean;
      readonly elapsedMs: number;
    }
  /** `inDoubt`: nobody knows whether it took effect. A `diagnostic` says why it failed. */
  | {
      readonly type: 'step-failed';
      readonly step: Step;
      readonly preview: boolean;
      readonly undo: boolean;
      readonly inDoubt: boolean;
      readonly elapsedMs: number;
    }
  /** A component or the stack has said what it offers. */
  | { readonly type: 'outputs'; readonly step: Step; readonly preview: boolean }
  /** A message of the engine, a provider or the program. `ephemeral`: of interest only while it runs. */
  | { readonly type: 'diagnostic'; readonly diagnostic: Diagnostic; readonly ephemeral: boolean }
  /** Text that a program in a process of its own wrote. */
  | { readonly type: 'program-output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** Something breaks a policy. */
  | {
      readonly type: 'policy-violation';
      readonly urn: string;
      readonly policy: string;
      readonly pack: string;
      readonly level: 'advisory' | 'mandatory';
      readonly message: string;
    }
  /** A policy has corrected the inputs of a resource. */
  | {
      readonly type: 'policy-remediation';
      readonly urn: string;
      readonly policy: string;
      readonly pack: string;
      readonly before: Json;
      readonly after: Json;
    }
  /** A lock of somebody else is waited for. */
  | { readonly type: 'waiting'; readonly text: string }
  /** It has ended. */
  | {
      readonly type: 'end';
      readonly operation: OperationKind;
      readonly preview: boolean;
      readonly status: 'succeeded' | 'failed' | 'cancelled' | 'rolled-back' | 'waiting';
      readonly changes: Readonly<Partial<Record<StepKind, number>>>;
      readonly durationMs: number;
    };
