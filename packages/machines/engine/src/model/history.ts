import type { Urn } from '@cairn/addresses';
import type { Direction, Status } from '@cairn/changes';
import { pendingName } from '@cairn/state';
import type { PendingOperationType, ResourceEntry, Snapshot } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { RollbackOption } from '@cairn/wire';

/** Kind of the tasks that find out the outcome of a step of an earlier operation. */
export const IN_DOUBT = 'in-doubt';

/** Parts of an earlier change's task that a later operation needs. */
export interface PastTask {
  /** Number of the change, as in the name of its journal directory. */
  readonly change: string;
  readonly id: string;
  /** Kind of its step. A task that looks into another step has the kind of that step. */
  readonly kind: string;
  readonly urn: Urn;
  readonly status: Status;
  /** True if it had been done and was undone. */
  readonly undone: boolean;
  /** True if it did nothing and only undoes what an earlier task did. Defaults to false. */
  readonly undoesOnly?: boolean | undefined;
  /**
   * True if its change does not know how its undo ended. The undo may have taken effect, which a later change finds
   * out. Defaults to false.
   */
  readonly undoWasInDoubt?: boolean | undefined;
  /** Digest of the registration's goal. Undefined for a task that answers no registration. See `goal-digest.ts`. */
  readonly goal: string | undefined;
  /** Undefined if the resource does not set it. */
  readonly rollback: RollbackOption | undefined;
  /** True if it deleted without a call, because the object was to be deleted with another one. Defaults to false. */
  readonly withContainer?: boolean | undefined;
  /** True for an undo of a resource that several failure domains use. Its lane does not tell. Defaults to false. */
  readonly shared?: boolean | undefined;
  /** Lanes that contained it: tasks of one lane fail and roll back together. */
  readonly lanes: readonly number[];
  /** Key of the task of an earlier change whose end this one was to find out. */
  readonly resolves?: string | undefined;
  /** Set if it was begun and its effect is unknown. */
  readonly doubt?: Doubt | undefined;
}

/** Step that was begun and whose end is not known. */
export interface Doubt {
  readonly type: PendingOperationType;
  readonly direction: Direction;
  /** Entry of the step: the one to be made, or the one to be altered or deleted. */
  readonly resource: ResourceEntry;
  /** Idempotency token of its first start. Empty if unknown, because no record of it is left. */
  readonly token: string;
  /** Provider's name of the work before it was interrupted. */
  readonly progressId?: string | undefined;
}

/**
 * Answer of a person about a step in doubt. For a create: the id of the object it made, or that it made none. For an
 * update or a delete: done or not done. `outputs` are those of the object, for a provider that cannot read them.
 */
export type DoubtResolution =
  | { readonly created: string; readonly outputs?: PropertyMap | undefined }
  | 'not-created'
  | { readonly done: true; readonly outputs?: PropertyMap | undefined }
  | 'not-done';

/** Lineage that an operation continues. */
export interface Continued {
  readonly how: 'resume' | 'rollback' | 'resolve';
  /** Number of the lineage's first change. */
  readonly origin: string;
  /** Stack before the first change. */
  readonly before: Snapshot;
  /** Every task of every change of the lineage, in order. */
  readonly past: readonly PastTask[];
  /** URNs that the lineage's journals mention. */
  readonly touched: ReadonlySet<Urn>;
  /** New URNs that the lineage has given to entries, with their former ones. Empty by default. */
  readonly renamed?: ReadonlyMap<Urn, Urn> | undefined;
  /** Entries that reads, refreshes and imports found before the lineage has changed their objects. Empty by default. */
  readonly found?: ReadonlyMap<Urn, ResourceEntry> | undefined;
  /** Objects that the lineage has made or taken over, by {@link objectKey}. Undefined if unknown. */
  readonly made?: ReadonlySet<string> | undefined;
  /**
   * Changes whose failed domains may not be rolled back: the last one that had rolled back what failed before it, and
   * all later ones. Without such a change, all of the lineage. Empty by default.
   */
  readonly failing?: ReadonlySet<string> | undefined;
  /** True if the last change is a rollback that was cut off, cancelled or left waiting. Defaults to false. */
  readonly rollsBack?: boolean | undefined;
  /** True if a program of the lineage had registered its whole goal. Defaults to unknown. */
  readonly registered?: boolean | undefined;
}

/** Key in a change's data: its program has registered its whole goal, and every registration was processed. */
export const REGISTERED = 'registered';

/** Statuses of tasks that are being rolled back, or were when their process died. */
export const ON_THE_WAY_BACK: ReadonlySet<Status> = new Set<Status>(['abort', 'undo', 'undoing']);

/** Key in a change's data: it has rolled back its lineage, or the failed domains that it took over from it. */
export const SETTLED = 'settled';

/**
 * Returns the name that commands show for a step in doubt while it remains in doubt. Answers are given under this name.
 */
export function doubtName(doubt: Pick<Doubt, 'type' | 'resource'>): string {
  return pendingName(doubt);
}

/**
 * Returns the key of a step in doubt in records: the task that began it, regardless of later attempts to resolve it.
 */
export function doubtKey(task: PastTask): string {
  return task.resolves ?? taskKey(task);
}

/** Returns the name of a task in commands and resolutions: `7/3`. Numbers of changes lose their leading zeros. */
export function taskKey({ change, id }: Pick<PastTask, 'change' | 'id'>): string {
  return `${changeLabel(change)}/${id}`;
}

/** Returns the name that commands show for a change: its number without leading zeros. */
export function changeLabel(change: string): string {
  return change.replace(/^0+(?=\d)/, '');
}

/** Returns a key that distinguishes objects of a resource, even if they have the same id. */
export function objectKey({ urn, id, created }: Pick<ResourceEntry, 'urn' | 'id' | 'created'>): string {
  return `${urn} ${id} ${created ?? ''}`;
}
