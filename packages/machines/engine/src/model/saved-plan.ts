import type { Urn } from '@cairn/addresses';
import type { Extension } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { Goal, ReadGoal } from './goal.js';
import type { PlannedOption } from './options.js';
import type { RegisteredOutputs } from './registration.js';
import type { StepKind } from './step-kinds.js';

/**
 * What a preview found, kept to limit a later operation [PLAN-4]. Frozen data: an operation that is held
 * to it counts off its steps in an object of its own, so that one plan may be used any number of times.
 */
export interface SavedPlan {
  readonly resources: ReadonlyMap<Urn, ResourcePlan>;
  /**
   * Everything the program registered, or why that would not be enough without it. Absent: another tool has made the
   * plan.
   */
  readonly transcript?: Transcript | undefined;
}

/** What is planned for one resource. */
export interface ResourcePlan {
  /** What the program asked for; undefined where only steps are planned, as for deletes. */
  readonly goal: PlannedGoal | undefined;
  /** Steps in the order in which they are expected. */
  readonly steps: readonly StepKind[];
  /** Outputs that the program registered in the preview; advisory. */
  readonly outputs: PropertyMap | undefined;
  /** Seed of generated names, 32 bytes: given to the provider's check again. Undefined for pure deletes. */
  readonly seed: Uint8Array | undefined;
}

/** A goal as far as a later one has to agree with it: what it is about, and the options that plans look at. */
export interface PlannedGoal
  extends Pick<Goal, 'type' | 'name' | 'custom' | 'parent' | 'provider'>, Pick<Goal, PlannedOption> {
  /** Checked inputs against those of the prior entry. */
  readonly inputs: PropertyPlan;
  /** Outputs registered for it against those it had. */
  readonly outputs: PropertyPlan;
}

/**
 * Top-level properties that are to be added, removed or changed; values that are not known yet match anything later.
 */
export interface PropertyPlan {
  readonly adds: PropertyMap;
  readonly deletes: readonly string[];
  readonly updates: PropertyMap;
}

/** One registration as a program made it, without the way to answer. */
export type Said =
  | { readonly t: 'register'; readonly goal: Goal }
  | { readonly t: 'read'; readonly goal: ReadGoal }
  | (RegisteredOutputs & { readonly t: 'outputs' });

/**
 * What a program said from its start to its end. Complete: it can be said again, in this order, and the program need
 * not be run for that [REC-13]. Incomplete: why it cannot, as the end of a sentence.
 */
export type Transcript =
  | {
      readonly t: 'complete';
      readonly said: readonly Said[];
      /** Extensions of packages that goals name, by reference. */
      readonly extensions: Readonly<Record<string, Extension>>;
    }
  | { readonly t: 'incomplete'; readonly why: string };

/** A transcript that can be said again. */
export type CompleteTranscript = Extract<Transcript, { readonly t: 'complete' }>;

/** What plans have to do with an operation; absent: nothing. */
export interface PlanOptions {
  /** Keep what a preview finds, to give it back as a plan. */
  readonly make?: boolean | undefined;
  /** Take no step that this plan does not have. */
  readonly follow?: SavedPlan | undefined;
  /** What it says instead of a program, which is not run [REC-13]. See `decide/resume-source.ts`. */
  readonly replay?: CompleteTranscript | undefined;
}
