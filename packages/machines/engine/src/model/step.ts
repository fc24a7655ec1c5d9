import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { PropertyDiff } from '@cairn/wire';
import type { Reason } from './reason.js';
import type { Cell } from './cell.js';

/** What differs, for displays and logs. */
export interface StepDiff {
  /** Keys that force the replacement. */
  readonly replaceKeys: readonly string[];
  readonly changedKeys: readonly string[];
  readonly detailedDiff: Readonly<Record<string, PropertyDiff>> | undefined;
}

/** Why a delete step does not call the provider [DEL-1]. */
export type NoDeleteCall = 'external' | 'retained' | 'component' | 'deleted-with';

interface StepBase {
  readonly urn: Urn;
  /** Why the step exists. */
  readonly reason: Reason;
  readonly diff: StepDiff;
}

/** Takes `new` as it is; nothing happens outside. */
export interface SameStep extends StepBase {
  readonly kind: 'same';
  readonly cell: Cell;
  readonly old: ResourceEntry;
  readonly new: ResourceEntry;
  /** The goal was outside the operation's scope: nothing of it counts. */
  readonly untargeted: boolean;
}

export interface CreateStep extends StepBase {
  readonly kind: 'create';
  readonly new: ResourceEntry;
}

/** Creates beside the old object (which becomes pending delete), or in place of one that was deleted first. */
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

/** Says that a replacement takes place; does nothing. */
export interface ReplaceStep extends StepBase {
  readonly kind: 'replace';
  readonly old: ResourceEntry;
  readonly new: ResourceEntry;
}

export interface DeleteStep extends StepBase {
  readonly kind: 'delete' | 'delete-replaced' | 'read-discard' | 'discard-replaced';
  readonly cell: Cell;
  readonly old: ResourceEntry;
  /** Delete-first: the entry stays, pending replacement, until it is created again. */
  readonly leavesPending: boolean;
  readonly noCall: NoDeleteCall | undefined;
}

export interface ReadStep extends StepBase {
  readonly kind: 'read' | 'read-replacement';
  readonly cell: Cell | undefined;
  readonly old: ResourceEntry | undefined;
  /** `id` is the id to look up; outputs are still empty, inputs are the properties of the request. */
  readonly new: ResourceEntry;
  /** The id is not known yet (preview): nothing can be looked up. */
  readonly idUnknown: boolean;
}

export interface ImportStep extends StepBase {
  readonly kind: 'import' | 'import-replacement';
  readonly cell: Cell | undefined;
  readonly old: ResourceEntry | undefined;
  /** `importId` is the id to look up; `id` is for steps of an import list. */
  readonly new: ResourceEntry;
  /** The step comes from an import list [IMP-2] and not from the option of a program. */
  readonly listed?: Listed | undefined;
}

/** What an import list says about the object itself. */
export interface Listed {
  /** Id to look up; empty for components. */
  readonly id: string;
  /** They fill gaps of what is read and say what is secret; they override nothing. */
  readonly inputs: PropertyMap | undefined;
  /** The object is not looked up: this is what it is. */
  readonly outputs: PropertyMap | undefined;
  /** The only inputs to keep; empty: all. */
  readonly properties: readonly string[];
}

export interface RefreshStep extends StepBase {
  readonly kind: 'refresh';
  readonly cell: Cell;
  /** When the program has registered it: with the name, type and provider that it gives it. */
  readonly old: ResourceEntry;
  /** Other steps of the same registration follow, so what is found is recorded as any other entry of this run. */
  readonly goesOn: boolean;
}

export interface RemovePendingReplaceStep extends StepBase {
  readonly kind: 'remove-pending-replace';
  readonly cell: Cell;
  readonly old: ResourceEntry;
}

/** One thing to do to one resource, as frozen data [REG-1]. */
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

/** Steps carried out strictly in order; a failure stops the rest. */
export type Chain = readonly Step[];

/** The step of one kind. */
export type StepOf<K extends Step['kind']> = Step extends infer S
  ? S extends { readonly kind: infer Kinds }
    ? [K & Kinds] extends [never]
      ? never
      : S
    : never
  : never;

/** Nothing differs. */
export const noDiff: StepDiff = Object.freeze({ replaceKeys: [], changedKeys: [], detailedDiff: undefined });

/** The entry a step starts from, if any. */
export function oldOf(step: Step): ResourceEntry | undefined {
  return step.kind === 'create' ? undefined : step.old;
}

/** The entry that a step leads to, if any. */
export function newOf(step: Step): ResourceEntry | undefined {
  return 'new' in step ? step.new : undefined;
}

/** Whether a step deletes without a call, because the object goes with another one. */
export function wentWithContainer(step: Step): boolean {
  return 'leavesPending' in step && step.noCall === 'deleted-with';
}

/** The entry that a step of a kind that deletes has deleted. */
export function deletedBy(step: Step): ResourceEntry | undefined {
  return 'leavesPending' in step ? step.old : undefined;
}
