import type { OperationDiagnostic } from './diagnostic.js';
import type { JsonValue } from './values.js';

/** Kinds of operations. */
export type OperationKind = 'up' | 'destroy' | 'refresh' | 'import' | 'rollback' | 'resolve';

/** Kinds of steps on one resource. */
export type OperationStepKind =
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

/** A resource before or after a step. Secrets are `[secret]`. */
export interface ResourceView {
  /** Empty if there is no object, or none yet. */
  readonly id: string;
  readonly inputs: JsonValue;
  readonly outputs: JsonValue;
}

/** One step on one resource. */
export interface OperationStep {
  readonly kind: OperationStepKind;
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** Reason for the step, for people. */
  readonly reason: string;
  /** Names of properties that differ. */
  readonly changed: readonly string[];
  /** Names of properties that force a replacement. */
  readonly replaces: readonly string[];
  /** Undefined if there was no resource before. */
  readonly before: ResourceView | undefined;
  /** Undefined if no resource is left, or if it is not known yet. */
  readonly after: ResourceView | undefined;
}

/** Events of a running operation, in order. No event contains a secret in clear. */
export type OperationEvent =
  /** The operation begins. `change` is the number of the change that it makes, undefined for previews. */
  | {
      readonly type: 'begin';
      readonly operation: OperationKind;
      readonly preview: boolean;
      readonly change: number | undefined;
    }
  /** `undo` is true if the step undoes another one. */
  | {
      readonly type: 'step-started';
      readonly step: OperationStep;
      readonly preview: boolean;
      readonly undo: boolean;
    }
  | {
      readonly type: 'step-ended';
      readonly step: OperationStep;
      readonly preview: boolean;
      readonly undo: boolean;
      readonly elapsedMs: number;
    }
  /** `inDoubt` is true if Cairn does not know whether the step took effect. A `diagnostic` says why it failed. */
  | {
      readonly type: 'step-failed';
      readonly step: OperationStep;
      readonly preview: boolean;
      readonly undo: boolean;
      readonly inDoubt: boolean;
      readonly elapsedMs: number;
    }
  /** A component or the stack has registered its outputs. */
  | { readonly type: 'outputs'; readonly step: OperationStep; readonly preview: boolean }
  /** A message of the engine, a provider or the program. If `ephemeral`, it matters only while the operation runs. */
  | { readonly type: 'diagnostic'; readonly diagnostic: OperationDiagnostic; readonly ephemeral: boolean }
  /** Text written by a program that runs in its own process. */
  | { readonly type: 'program-output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** A resource or the stack violates a policy. */
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
      readonly before: JsonValue;
      readonly after: JsonValue;
    }
  /** The operation waits for a lock that another process or user holds. */
  | { readonly type: 'waiting'; readonly text: string }
  /** The operation has ended. */
  | {
      readonly type: 'end';
      readonly operation: OperationKind;
      readonly preview: boolean;
      readonly status: 'succeeded' | 'failed' | 'cancelled' | 'rolled-back' | 'waiting';
      readonly changes: Readonly<Partial<Record<OperationStepKind, number>>>;
      readonly durationMs: number;
    };
