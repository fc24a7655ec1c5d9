import type { ProviderReference, Urn } from '@cairn/addresses';
import type { CustomTimeouts } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { StepKind } from '../steps/kinds.js';
import type { Transcript } from './transcript.js';

/**
 * What a preview found, kept to limit a later operation (engine-behaviours-2.md A6). Frozen data: an operation that is held
 * to it counts off its steps in an object of its own, so that one plan may be used any number of times.
 */
export interface SavedPlan {
  readonly resources: ReadonlyMap<Urn, ResourcePlan>;
  /** Everything the program registered, or why that would not be enough without it. Absent: another tool has made the plan. */
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

/** A goal as far as a later one has to agree with it. */
export interface PlannedGoal {
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  readonly parent: Urn | undefined;
  readonly provider: ProviderReference | undefined;
  readonly protect: boolean;
  readonly deleteBeforeReplace: boolean | undefined;
  readonly dependencies: readonly Urn[];
  readonly propertyDependencies: Readonly<Record<string, readonly Urn[]>>;
  readonly ignoreChanges: readonly string[];
  readonly additionalSecretOutputs: readonly string[];
  /** As the program states them, without what follows from aliases of the parent. */
  readonly aliases: readonly Urn[];
  readonly importId: string;
  readonly customTimeouts: CustomTimeouts;
  /** Checked inputs against those of the prior entry. */
  readonly inputs: PropertyPlan;
  /** Outputs registered for it against those it had. */
  readonly outputs: PropertyPlan;
}

/** Top-level properties that are to be added, removed or changed; values that are not known yet match anything later. */
export interface PropertyPlan {
  readonly adds: PropertyMap;
  readonly deletes: readonly string[];
  readonly updates: PropertyMap;
}
