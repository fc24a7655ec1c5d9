import type { Urn } from '@cairn/addresses';
import type { Extension } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { Goal, ReadGoal } from './goal.js';
import type { PlannedOption } from './options.js';
import type { RegisteredOutputs } from './registration.js';
import type { StepKind } from './step-kinds.js';

/**
 * Findings of a preview, kept to limit a later operation [PLAN-4]. Frozen data: an operation that follows it counts off
 * its steps in an object of its own. So one plan may be used any number of times.
 */
export interface SavedPlan {
  readonly resources: ReadonlyMap<Urn, ResourcePlan>;
  /**
   * Everything the program registered, or the reason why that would not suffice without it. Undefined if another tool
   * made the plan.
   */
  readonly transcript?: Transcript | undefined;
}

/** Plan of one resource. */
export interface ResourcePlan {
  /** Goal of the program. Undefined if only steps are planned, as for deletes. */
  readonly goal: PlannedGoal | undefined;
  /** Steps in the expected order. */
  readonly steps: readonly StepKind[];
  /** Outputs that the program registered in the preview. Advisory. */
  readonly outputs: PropertyMap | undefined;
  /** Seed of generated names, 32 bytes. The provider's check receives it again. Undefined for pure deletes. */
  readonly seed: Uint8Array | undefined;
}

/** Parts of a goal in which a later one has to agree: its identity, and the options that plans check. */
export interface PlannedGoal
  extends Pick<Goal, 'type' | 'name' | 'custom' | 'parent' | 'provider'>, Pick<Goal, PlannedOption> {
  /** Checked inputs compared with those of the prior entry. */
  readonly inputs: PropertyPlan;
  /** Registered outputs compared with the earlier ones. */
  readonly outputs: PropertyPlan;
}

/** Top-level properties to add, remove or change. Values that are not known yet match anything later. */
export interface PropertyPlan {
  readonly adds: PropertyMap;
  readonly deletes: readonly string[];
  readonly updates: PropertyMap;
}

/** One registration of a program, without the means to reply. */
export type Said =
  | { readonly t: 'register'; readonly goal: Goal }
  | { readonly t: 'read'; readonly goal: ReadGoal }
  | (RegisteredOutputs & { readonly t: 'outputs' });

/**
 * Registrations of a program from its start to its end. Complete: they can be replayed in this order without running
 * the program [REC-13]. Incomplete: `why` is the reason, as the end of a sentence.
 */
export type Transcript =
  | {
      readonly t: 'complete';
      readonly said: readonly Said[];
      /** Extensions of packages that goals name, by reference. */
      readonly extensions: Readonly<Record<string, Extension>>;
    }
  | { readonly t: 'incomplete'; readonly why: string };

/** Transcript that can be replayed. */
export type CompleteTranscript = Extract<Transcript, { readonly t: 'complete' }>;

/** Plans of an operation. Optional. */
export interface PlanOptions {
  /** True to keep the findings of a preview and return them as a plan. */
  readonly make?: boolean | undefined;
  /** Plan that limits the operation: it takes no step that this plan does not have. */
  readonly follow?: SavedPlan | undefined;
  /** Transcript to replay instead of running the program [REC-13]. See `decide/resume-source.ts`. */
  readonly replay?: CompleteTranscript | undefined;
}
