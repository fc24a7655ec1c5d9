import type { Urn } from '@cairn/addresses';
import type { Direction, Status } from '@cairn/changes';
import { pendingName } from '@cairn/state';
import type { PendingOperationType, ResourceEntry, Snapshot } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { RollbackOption } from './goal.js';

/** Kind of the tasks that find out what became of a step of an earlier operation. */
export const IN_DOUBT = 'in-doubt';

/** One task of an earlier change, as far as a later operation needs it. */
export interface PastTask {
  /** Number of the change, as its journal directory has it. */
  readonly change: string;
  readonly id: string;
  /** Kind of its step; of a task that was to find out about a step, the kind of that one. */
  readonly kind: string;
  readonly urn: Urn;
  readonly status: Status;
  /** It had been done and was undone. */
  readonly undone: boolean;
  /**
   * Its undo had an end that its change did not learn of: what that made may be there, found out about by a later one.
   * Absent: no.
   */
  readonly undoWasInDoubt?: boolean | undefined;
  /**
   * Digest of what the registration wanted; undefined for a task that answers no registration. See `goal-digest.ts`.
   */
  readonly goal: string | undefined;
  /** Undefined: the resource says nothing. */
  readonly rollback: RollbackOption | undefined;
  /** It deleted without a call, because the object was to go with another one. Absent: no. */
  readonly withContainer?: boolean | undefined;
  /** Lanes in which it was: what failed and rolled back together. */
  readonly lanes: readonly number[];
  /** Key of the task of an earlier change whose end this one was to find out. */
  readonly resolves?: string | undefined;
  /** It was begun, and nobody knows whether it took effect. */
  readonly doubt?: Doubt | undefined;
}

/** A step that was begun and whose end is not known. */
export interface Doubt {
  readonly type: PendingOperationType;
  readonly direction: Direction;
  /** Entry that it was about: what was to be made, or what was to be altered or deleted. */
  readonly resource: ResourceEntry;
  /** Idempotency token of its first start. Empty: none is known, because no record of it is left. */
  readonly token: string;
  /** What the provider called the work before it was interrupted. */
  readonly progressId?: string | undefined;
}

/**
 * A person's answer about a step in doubt. About a create: the id of the object it made, or that it made none. About an
 * update or a delete: whether it was done. `outputs`: of the object, where its provider cannot read them.
 */
export type Resolution =
  | { readonly created: string; readonly outputs?: PropertyMap | undefined }
  | 'not-created'
  | { readonly done: true; readonly outputs?: PropertyMap | undefined }
  | 'not-done';

/** The lineage that an operation goes on with. */
export interface Continued {
  readonly how: 'resume' | 'rollback' | 'resolve';
  /** Number of the lineage's first change. */
  readonly origin: string;
  /** The stack as it was before the first change. */
  readonly before: Snapshot;
  /** Every task of every change of the lineage, in order. */
  readonly past: readonly PastTask[];
  /** URNs that the lineage's journals speak of. */
  readonly touched: ReadonlySet<Urn>;
  /** URNs that the lineage has given to entries, with what these were called before. Absent: none. */
  readonly renamed?: ReadonlyMap<Urn, Urn> | undefined;
  /**
   * What looks at objects, and take-overs of them, have found before the lineage has changed anything about them.
   * Absent: nothing.
   */
  readonly found?: ReadonlyMap<Urn, ResourceEntry> | undefined;
  /** Objects that the lineage has made or taken over, by {@link objectKey}. Absent: nobody knows. */
  readonly made?: ReadonlySet<string> | undefined;
  /** A program of the lineage had registered all that it wanted. Absent: none is known to have. */
  readonly registered?: boolean | undefined;
}

/** Key in a change's data: its program has registered all that it wanted, and each of that was dealt with. */
export const REGISTERED = 'registered';

/** How people name a step in doubt for as long as it is; answers are given under this name. */
export function doubtName(doubt: Pick<Doubt, 'type' | 'resource'>): string {
  return pendingName(doubt);
}

/** How records name a step in doubt, whoever tried to find out since: by the task that began it. */
export function doubtKey(task: PastTask): string {
  return task.resolves ?? taskKey(task);
}

/** How commands and resolutions name a task: `7/3`. Numbers of changes lose their leading zeros. */
export function taskKey({ change, id }: Pick<PastTask, 'change' | 'id'>): string {
  return `${changeName(change)}/${id}`;
}

/** How people name a change: its number without leading zeros. */
export function changeName(change: string): string {
  return change.replace(/^0+(?=\d)/, '');
}

/** Tells one object of a resource from another one, also when both have one id. */
export function objectKey({ urn, id, created }: Pick<ResourceEntry, 'urn' | 'id' | 'created'>): string {
  return `${urn} ${id} ${created ?? ''}`;
}
