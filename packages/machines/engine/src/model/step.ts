import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { PropertyDiff } from '@cairn/wire';
import type { Reason } from './reason.js';
import type { Cell } from './cell.js';

/** Differences, for displays and logs. */
export interface StepDiff {
  /** Keys that force the replacement. */
  readonly replaceKeys: readonly string[];
  readonly changedKeys: readonly string[];
  readonly detailedDiff: Readonly<Record<string, PropertyDiff>> | undefined;
}

/** Reason why a delete step does not call the provider [DEL-1]. */
export type NoDeleteCall = 'external' | 'retained' | 'component' | 'deleted-with';

interface StepBase {
  readonly urn: Urn;
  /** Reason of the step. */
  readonly reason: Reason;
  readonly diff: StepDiff;
}

/** Takes `new` unchanged. Has no effect outside the engine. */
export interface SameStep extends StepBase {
  readonly kind: 'same';
  readonly cell: Cell;
  readonly old: ResourceEntry;
  readonly new: ResourceEntry;
  /** True if the goal was outside the operation's scope: nothing in it counts. */
  readonly untargeted: boolean;
}

export interface CreateStep extends StepBase {
  readonly kind: 'create';
  readonly new: ResourceEntry;
}

/** Creates beside the old object (which becomes pending delete), or instead of one that was deleted first. */
export interface CreateReplacementStep extends StepBase {
  readonly kind: 'create-replacement';
  readonly cell: Cell;
  readonly old: ResourceEntry;
  readonly new: ResourceEntry;
}

export interface UpdateStep extends StepBase {
  readonly kind: 'update';
  readonly cell: Cell;
  readonly old: ResourceEntry;
  readonly new: ResourceEntry;
}

/** Announces a replacement. Does nothing. */
export interface ReplaceStep extends StepBase {
  readonly kind: 'replace';
  readonly old: ResourceEntry;
  readonly new: ResourceEntry;
}

export interface DeleteStep extends StepBase {
  readonly kind: 'delete' | 'delete-replaced' | 'read-discard' | 'discard-replaced';
  readonly cell: Cell;
  readonly old: ResourceEntry;
  /** True for delete-first: the entry stays, pending replacement, until it is created again. */
  readonly leavesPending: boolean;
  readonly noCall: NoDeleteCall | undefined;
}

export interface ReadStep extends StepBase {
  readonly kind: 'read' | 'read-replacement';
  readonly cell: Cell | undefined;
  readonly old: ResourceEntry | undefined;
  /** `id` is the id to look up. Outputs are still empty, inputs are the properties of the request. */
  readonly new: ResourceEntry;
  /** True if the id is not known yet (preview): nothing can be looked up. */
  readonly idUnknown: boolean;
}

export interface ImportStep extends StepBase {
  readonly kind: 'import' | 'import-replacement';
  readonly cell: Cell | undefined;
  readonly old: ResourceEntry | undefined;
  /** `importId` is the id to look up. `id` is for steps of an import list. */
  readonly new: ResourceEntry;
  /** Set if the step comes from an import list [IMP-2] and not from the option of a program. */
  readonly listed?: Listed | undefined;
}

/** Import list's values for the object itself. */
export interface Listed {
  /** Id to look up. Empty for components. */
  readonly id: string;
  /** Inputs that fill gaps of the object as read and mark secrets. They override nothing. */
  readonly inputs: PropertyMap | undefined;
  /** Outputs of the object, which is then not looked up. */
  readonly outputs: PropertyMap | undefined;
  /** The only inputs to keep. Empty: all. */
  readonly properties: readonly string[];
}

export interface RefreshStep extends StepBase {
  readonly kind: 'refresh';
  readonly cell: Cell;
  /** If the program has registered it, the entry has the program's name, type and provider. */
  readonly old: ResourceEntry;
  /**
   * True if other steps of the same registration follow. Then the result is recorded like any other entry of this run.
   */
  readonly isFollowed: boolean;
}

export interface RemovePendingReplaceStep extends StepBase {
  readonly kind: 'remove-pending-replace';
  readonly cell: Cell;
  readonly old: ResourceEntry;
}

/** One action on one resource, as frozen data [REG-1]. */
export type Step =
  | SameStep
  | CreateStep
  | CreateReplacementStep
  | UpdateStep
  | ReplaceStep
  | DeleteStep
  | ReadStep
  | ImportStep
  | RefreshStep
  | RemovePendingReplaceStep;

/** Steps carried out strictly in order. A failure stops the rest. */
export type Chain = readonly Step[];

/** Step of one kind. */
export type StepOf<K extends Step['kind']> = Step extends infer S
  ? S extends { readonly kind: infer Kinds }
    ? [K & Kinds] extends [never]
      ? never
      : S
    : never
  : never;

/** Diff without differences. */
export const noDiff: StepDiff = Object.freeze({ replaceKeys: [], changedKeys: [], detailedDiff: undefined });

/** Returns the entry that a step starts from, if any. */
export function oldOf(step: Step): ResourceEntry | undefined {
  return step.kind === 'create' ? undefined : step.old;
}

/** Returns the entry that a step leads to, if any. */
export function newOf(step: Step): ResourceEntry | undefined {
  return 'new' in step ? step.new : undefined;
}

/** Returns a step that has ended, with the entry that it left in place of the one that it was to lead to. */
export function endedStep(step: Step, left: ResourceEntry | undefined): Step {
  return left !== undefined && 'new' in step ? { ...step, new: left } : step;
}

/** Returns true if a step deletes without a call, because the object is deleted with another one. */
export function wentWithContainer(step: Step): boolean {
  return 'leavesPending' in step && step.noCall === 'deleted-with';
}

/** Returns the entry that a step of a deleting kind has deleted. */
export function deletedBy(step: Step): ResourceEntry | undefined {
  return 'leavesPending' in step ? step.old : undefined;
}
