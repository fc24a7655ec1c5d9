import type { ChangeRecord } from '@cairn/changes';
import { cairnError } from '@cairn/diagnostics';
import type { CairnError, Diagnostic } from '@cairn/diagnostics';
import type { SecretsProviderRecord, SerializedDeployment } from '@cairn/state';
import type { BucketPart } from './bucket-part.js';
import type { ChangeRow, StoredChange } from './model/change-row.js';
import type { ControlMessage } from './model/control-message.js';
import type { DeploymentEdit, MoveEdit } from './model/edit.js';
import type { HistoryPage, HistoryRow } from './model/history-entry.js';
import type { PastChanges } from './model/past-change.js';
import type { LeaseOptions, ReadOptions, StackLease } from './model/stack-lease.js';
import type { ServicePart } from './service-part.js';
import type { StackId } from './stack-id.js';

/**
 * Place where stacks live: a store of blobs, or a state service. What only one of them has is a part of its own, which
 * the other lacks. Failures of the store are `CairnError`s that name what was being read or written.
 */
export interface Backend {
  /** The address as the user typed it, without credentials. */
  readonly url: string;
  /** Part that only a store of blobs has; see `bucketOf`. */
  readonly bucket?: BucketPart;
  /** Part that only a state service has. */
  readonly service?: ServicePart;
  /** Lists every stack by project and name, optionally of one project unless the layout has none. */
  list(project?: string): Promise<readonly StackId[]>;
  /** Returns the row of a listing for one stack. Reads its checkpoint. */
  summary(stack: StackId): Promise<StoredStackSummary>;
  /**
   * Returns the rows of a listing for every stack that {@link Backend.list} returns, in its order, a few read at a
   * time. A stack whose checkpoint cannot be read is listed by its name alone.
   */
  summaries(project?: string): Promise<readonly (StackId & Partial<StoredStackSummary>)[]>;
  exists(stack: StackId): Promise<boolean>;
  /** Creates an empty stack. Fails with `CAIRN-STACK-EXISTS`. */
  create(stack: StackId, secretsProvider: SecretsProviderRecord | undefined): Promise<void>;
  /** Removes a stack. A stack with resources is only removed when forced (`CAIRN-STACK-NOT-EMPTY`). */
  remove(stack: StackId, options?: StackRemovalOptions): Promise<void>;
  /**
   * Reads the state without a lock: the checkpoint, plus the records beyond it of an operation that runs or died. Fails
   * with `CAIRN-STACK-NOT-FOUND`, `CAIRN-STATE-…`.
   */
  read(stack: StackId, options?: ReadOptions): Promise<StoredState>;
  /**
   * Reads the state as {@link read} does, without any resource but the root stack, whose outputs are the stack's. Does
   * not check the integrity. A bucket reads only the beginning of a checkpoint that the last operation has written.
   */
  readRoot(stack: StackId): Promise<SerializedDeployment | undefined>;
  /** Returns updates of the stack, newest first. */
  history(stack: StackId, page?: HistoryPage): Promise<readonly HistoryRow[]>;
  /**
   * Returns operations of the stack whose records are kept, newest first: all, or a number of the newest. A damaged one
   * is a row that says so.
   */
  changes(stack: StackId, newest?: number): Promise<readonly ChangeRow[]>;
  /**
   * Returns the newest wanted operation, by default any, or `undefined` if none is wanted. Reads no older one
   * [STORE-14].
   */
  newestChange(stack: StackId, isWanted?: (row: ChangeRow) => boolean): Promise<ChangeRow | undefined>;
  /** Returns the row of one operation. Fails with `CAIRN-CHANGE-UNKNOWN`, `CAIRN-JOURNAL-CORRUPT`. */
  changeRow(stack: StackId, number: number): Promise<ChangeRow>;
  /** Returns one operation with its records. Fails with `CAIRN-CHANGE-UNKNOWN`, `CAIRN-JOURNAL-CORRUPT`. */
  change(stack: StackId, number: number): Promise<StoredChange>;
  /**
   * Sends a message to a change, through a file beside its journal. A running change receives it within a second or so.
   * A change that rests or died receives it when it is continued. Fails with `CAIRN-CHANGE-UNKNOWN`, and with
   * `CAIRN-CHANGE-ENDED` when the change can no longer receive it.
   */
  tell(stack: StackId, number: number, message: ControlMessage): Promise<void>;
  /**
   * Reports the records of a change as they come, beginning with its first one. Stops when the change is closed, its
   * process is gone or `signal` is aborted, and resolves with the row of the change at that time. For watching from
   * another process. Fails as {@link Backend.change} does.
   */
  follow(
    stack: StackId,
    number: number,
    onRecords: (records: readonly ChangeRecord[]) => void,
    signal: AbortSignal,
  ): Promise<ChangeRow>;
  /** Changes that have ended, for copies of the stack. */
  readonly pastChanges: PastChanges;
  /** Returns the `stack export` document: 4-space indent, secrets as they are stored. */
  exportText(stack: StackId): Promise<string>;
  /**
   * Replaces the stored deployment while no other process works on the stack; see `importedDeployment` of the state
   * package. Resolves with what recovery found and did, as a lease's notes do. The replacement is recorded as a change
   * of kind `edit`; `message` describes it.
   */
  replace(stack: StackId, deployment: SerializedDeployment, message?: string): Promise<readonly Diagnostic[]>;
  /**
   * Changes the stored deployment in one piece, after recovery. `change` returns the deployment to store, or undefined
   * to leave it. If it throws, nothing changes; it may ask a person before it answers. Its result is only stored over
   * the deployment that it was called with. A store that cannot hold the stack meanwhile calls it again with a newer
   * one, so only its last call counts. Recorded and resolved as {@link Backend.replace} does. An unfinished lineage of
   * changes stays unfinished if no object was added, removed or exchanged and the secrets manager is the same. Unless
   * the check is off, an inconsistent state is neither passed to `change` nor accepted from it
   * (`CAIRN-STATE-INTEGRITY`).
   */
  edit(
    stack: StackId,
    change: DeploymentEdit,
    message?: string,
    options?: ReadOptions,
  ): Promise<readonly Diagnostic[]>;
  /**
   * Moves resources from one stack to another: two changes of kind `edit`, of which the other stack's is stored first.
   * At every instant each resource is in at least one of the stacks. A move that is interrupted is finished by the next
   * command on the source stack of a bucket. Fails as {@link Backend.edit} does.
   */
  move(source: StackId, dest: StackId, change: MoveEdit, message: string): Promise<readonly Diagnostic[]>;
  /**
   * Renames a stack: its state with every URN in it, history, backups, tags and changes [STORE-12]. No other process
   * works on either name meanwhile. Fails with `CAIRN-STACK-EXISTS`. Fails with `CAIRN-UNFINISHED` while a change did
   * not end or a step is in doubt, because their records have the old URNs. Running it again finishes an interrupted
   * renaming.
   */
  rename(from: StackId, to: StackId): Promise<readonly Diagnostic[]>;
  /**
   * Returns tags of the stack, by name. Fails with `CAIRN-STACK-NOT-FOUND`, and with `CAIRN-STATE-CORRUPT` for a file
   * that cannot be read.
   */
  tags(stack: StackId): Promise<StackTags>;
  /** Stores the tags that `change` returns. Calls it again if another process has changed the tags meanwhile. */
  editTags(stack: StackId, change: (tags: StackTags) => StackTags): Promise<void>;
  /**
   * Returns the state after an operation of the history. `version` is its number, 1 for the oldest. Fails with
   * `CAIRN-USAGE` for one that is not kept.
   */
  stateAfter(stack: StackId, version: number): Promise<SerializedDeployment | undefined>;
  /**
   * Reads and decodes a stack to work on it. A bucket holds the stack from now on: it takes the lock, and folds the
   * journals of dead operations into the checkpoint. A state service holds it from {@link StackLease.begin} on. Fails
   * with `CAIRN-STATE-LOCKED` when another process works on the stack. The caller releases the lease.
   */
  lease(stack: StackId, options: LeaseOptions): Promise<StackLease>;
  /**
   * Waits until no process works on the stack, for as long as the backend's ports allow. It locks nothing and is for
   * previews. Fails with `CAIRN-STATE-LOCKED`, and with `CAIRN-CANCELLED` when interrupted. Resolves at once if there
   * is nothing to wait for.
   */
  awaitUnlocked(stack: StackId, interrupted?: () => boolean): Promise<void>;
  /** Returns the operation that works on the stack now. Undefined if none does. */
  currentOperation(stack: StackId): Promise<CurrentOperation | undefined>;
  /** Returns when the store was found to have lost something of the stack, if a service has marked it so. */
  lostState?(stack: StackId): Promise<LostStateNote | undefined>;
  /**
   * Cuts off the operations that work on the stack, or have left it held. Resolves with false if there is none. A
   * bucket removes their locks, and leaves those of persons; a service cancels the running update.
   */
  cancel(stack: StackId): Promise<boolean>;
  close(): Promise<void>;
}

/** Backend over a store of blobs. */
export interface BucketBackend extends Backend {
  readonly bucket: BucketPart;
}

/** Returns the bucket of a backend. Fails with `CAIRN-USAGE` if it is a state service, see {@link noBucket}. */
export function bucketOf({ bucket, url }: Pick<Backend, 'bucket' | 'url'>, verb: string): BucketPart {
  if (bucket !== undefined) return bucket;
  throw noBucket(url, verb);
}

/** Returns the error for what only a store of blobs can do, as `verb` says. */
export function noBucket(url: string, verb: string): CairnError {
  return cairnError('CAIRN-USAGE', `cannot ${verb}: ${url} is a state service`, {
    hint: 'Only backends that are a directory or a bucket can do this.',
  });
}

/**
 * Row of a listing. `resources` counts every entry, including root stack and providers. It is undefined for a sealed
 * stack, whose key is not requested. `lastUpdate` is RFC 3339, or undefined if the stack was never written.
 */
export interface StoredStackSummary extends StackId {
  readonly resources: number | undefined;
  /** Pending operations of a state that no operation of ours has stored. Defaults to 0. */
  readonly pending?: number;
  /** True if its state is sealed whole. */
  readonly sealed?: boolean;
  readonly lastUpdate: string | undefined;
}

/** Options of removal. `backups` removes the `.bak` and the backup copies too. */
export interface StackRemovalOptions {
  readonly force?: boolean;
  readonly backups?: boolean;
}

/** Operation that works on a stack. `started` is RFC 3339. */
export interface CurrentOperation {
  readonly kind: string;
  readonly author: string;
  readonly started: string;
}

/** Tag values by name. */
export type StackTags = Readonly<Record<string, string>>;

/** Stack as stored. `deployment` is undefined while it has never been written. */
export interface StoredState {
  readonly stack: StackId;
  readonly deployment: SerializedDeployment | undefined;
  /** True if the state is sealed whole, or will be at the next write. */
  readonly sealed: boolean;
  readonly warnings: readonly Diagnostic[];
}

/** Loss that a service has noticed: of the newest state of a stack, or of what an update recorded. */
export interface LostStateNote {
  /** RFC 3339. */
  readonly noticed: string;
  readonly what: 'state' | 'update';
}
