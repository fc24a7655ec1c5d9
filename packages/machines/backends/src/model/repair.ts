import type { Diagnostic } from '@cairn/diagnostics';
import type { PendingOperationType } from '@cairn/state';

/** Readable copy of a stack's state. */
export interface StateCopy {
  readonly key: string;
  /** RFC 3339 time when its state was made. */
  readonly time: string;
  readonly resources: number;
  /**
   * Origin of the copy. `last`: the state that the last change left. `base`: the state that a change began with, whose
   * journal exists and is folded in by the next command. Undefined: the only known fact is that no readable copy is
   * newer.
   */
  readonly is: { readonly what: 'last' | 'base'; readonly change: number } | undefined;
}

/** State that cannot be read, and the copy to replace it. `copy` is undefined when none can be read. */
export interface DamagedState {
  readonly damage: Diagnostic;
  readonly copy: StateCopy | undefined;
}

/** Step of a dead operation, with its outcome in the current state. */
export interface RecordedStep {
  readonly type: PendingOperationType;
  readonly urn: string;
  /** Id of its object, if it is recorded. */
  readonly id: string | undefined;
  readonly outcome: 'done' | 'failed' | 'in doubt';
  /** True if the object with this id, or the component, is in the state. */
  readonly inState: boolean;
}

/**
 * Dead operation that cannot be taken over: the state is neither the one that it started from nor one that it has
 * written.
 */
export interface StrandedChange {
  readonly number: number;
  /** Description of the operation, its process and its time, for display. */
  readonly begun: string;
  readonly steps: readonly RecordedStep[];
  /** Reason why its journal cannot be read. There are no steps then. */
  readonly damage: string | undefined;
}
