import type { ChangeRecord, Claim } from '@cairn/changes';
import type { Crypter } from '@cairn/crypters';
import type { Diagnostic } from '@cairn/diagnostics';
import type { SecretsProviderRecord, SerializedDeployment, Snapshot } from '@cairn/state';
import type { BackendContext } from './bucket/backend-context.js';
import type { ControlMessage } from './model/control-message.js';
import type { HistoryPage, HistoryRow } from './model/history-entry.js';
import type { LockHolder } from './bucket/locks/lock-file.js';
import type { OperationLog, OperationStart } from './model/operation-log.js';
import type { ChangeLineage } from './bucket/records/change-lineage.js';
import type { ChangeRow, FinishedChange, StoredChange } from './model/change-row.js';
import type { DamagedState } from './bucket/recovery/restore.js';
import type { StrandedChange } from './bucket/recovery/set-aside.js';
import type { Migration } from './bucket/stacks/migration.js';
import type { OpenCrypter } from './open-crypter.js';
import type { StackId } from './stack-id.js';
import type { StoreLayout } from './bucket/stacks/meta.js';

/** Place where stacks live. Failures of the store are `CairnError`s that name what was being read or written. */
export interface Backend {
  /** The address as the user typed it, without credentials. */
  readonly url: string;
  /** Layout that keeps its stacks. A store of the old layout keeps them by name alone, without projects. */
  readonly layout: StoreLayout;
  /**
   * Finds out by writing if the store keeps two writers apart, and returns warnings. Every command that writes does so
   * by itself.
   */
  checkWrites(): Promise<readonly Diagnostic[]>;
  /** Returns notes about the store for the user: stacks of the old layout beside the new one. */
  notes(): Promise<readonly Diagnostic[]>;
  /** Lists every stack by project and name, optionally of one project unless the layout has none. */
  list(project?: string): Promise<readonly StackId[]>;
  /** Returns the row of a listing for one stack. Reads its checkpoint. */
  summary(stack: StackId): Promise<StackSummary>;
  /**
   * Returns the rows of a listing for every stack that {@link Backend.list} returns, in its order, a few read at a
   * time. A stack whose checkpoint cannot be read is listed by its name alone.
   */
  summaries(project?: string): Promise<readonly (StackId & Partial<StackSummary>)[]>;
  exists(stack: StackId): Promise<boolean>;
  /** Creates an empty stack. Fails with `CAIRN-STACK-EXISTS`. */
  create(stack: StackId, secretsProvider: SecretsProviderRecord | undefined): Promise<void>;
  /** Removes a stack. A stack with resources is only removed when forced (`CAIRN-STACK-NOT-EMPTY`). */
  remove(stack: StackId, options?: RemoveOptions): Promise<void>;
  /**
   * Reads the state without a lock: the checkpoint, plus the records beyond it of an operation that runs or died. Fails
   * with `CAIRN-STACK-NOT-FOUND`, `CAIRN-STATE-…`.
   */
  read(stack: StackId, options?: ReadOptions): Promise<StoredState>;
  /** Returns updates of the stack, newest first. */
  history(stack: StackId, page?: HistoryPage): Promise<readonly HistoryRow[]>;
  /** Returns operations of the stack whose records are kept, newest first. A damaged one is a row that says so. */
  changes(stack: StackId): Promise<readonly ChangeRow[]>;
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
  /**
   * Seals the export of a sealed stack as text, for `openDocument`. `pieces` are the document. Fails with
   * `CAIRN-STATE-SEALED`.
   */
  sealDocument(stack: StackId, pieces: Iterable<string>): Promise<Iterable<string>>;
  /**
   * Rewrites history, backups and journals of the stack that are not sealed, or not plain, as its checkpoint is. Used
   * after the secrets manager or the encryption of the state changed. Resolves with the number of rewritten files. Runs
   * under the lock; it may be interrupted anywhere and run again.
   */
  reseal(stack: StackId): Promise<number>;
  /** Returns the `stack export` document: 4-space indent, secrets as they are stored. */
  exportText(stack: StackId): Promise<string>;
  /**
   * Replaces the stored deployment under the lock; see `importedDeployment` of the state package. Resolves with what
   * recovery found and did, as a lease's notes do. The replacement is recorded as a change of kind `edit`; `message`
   * describes it.
   */
  replace(stack: StackId, deployment: SerializedDeployment, message?: string): Promise<readonly Diagnostic[]>;
  /**
   * Changes the stored deployment in one piece, under the lock and after recovery. `change` returns the deployment to
   * store, or undefined to leave it. If it throws, nothing changes; it may ask a person before it answers. Recorded and
   * resolved as {@link Backend.replace} does. An unfinished lineage of changes stays unfinished if no object was added,
   * removed or exchanged and the secrets manager is the same. Unless the check is off, an inconsistent state is neither
   * passed to `change` nor accepted from it (`CAIRN-STATE-INTEGRITY`).
   */
  edit(
    stack: StackId,
    change: DeploymentEdit,
    message?: string,
    options?: ReadOptions,
  ): Promise<readonly Diagnostic[]>;
  /**
   * Moves resources from one stack to another: two changes of kind `edit`, under both locks. At every instant each
   * resource is in at least one of the stacks. A move that is interrupted is finished by the next command on the source
   * stack. Fails as {@link Backend.edit} does.
   */
  move(source: StackId, dest: StackId, change: MoveEdit, message: string): Promise<readonly Diagnostic[]>;
  /**
   * Renames a stack: its state with every URN in it, history, backups, tags and changes [STORE-12]. Runs under the
   * locks of both names. Fails with `CAIRN-STACK-EXISTS`. Fails with `CAIRN-UNFINISHED` while a change did not end or a
   * step is in doubt, because their records have the old URNs. Running it again finishes an interrupted renaming.
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
   * Acquires the right to work on a stack: takes the lock, folds the journals of dead operations into the checkpoint,
   * reads and decodes it. Fails with `CAIRN-STATE-LOCKED` when another process holds the lock. The caller releases the
   * lease.
   */
  lease(stack: StackId, options: LeaseOptions): Promise<StackLease>;
  /**
   * Waits until no process works on the stack, for as long as the backend's ports allow. It locks nothing and is for
   * previews. Fails with `CAIRN-STATE-LOCKED`, and with `CAIRN-CANCELLED` when interrupted. Resolves at once if there
   * is nothing to wait for.
   */
  awaitUnlocked(stack: StackId, interrupted?: () => boolean): Promise<void>;
  /**
   * Sets aside journals of dead operations that cannot be taken over any more: another process has altered the state
   * since, or they are damaged. Asks `agree` first, with what they say. Resolves with those that were set aside. Runs
   * under the lock.
   */
  setAside(
    stack: StackId,
    agree: (stranded: readonly StrandedChange[]) => Promise<boolean>,
  ): Promise<readonly StrandedChange[]>;
  /**
   * Replaces a state that cannot be read by the best copy of it, if `agree` allows it. The damaged state is kept, and
   * its place is the result. Resolves with undefined if nothing was done: the state can be read, there is no copy, or
   * `agree` refused. Runs under the lock.
   */
  restore(stack: StackId, agree: (damaged: DamagedState) => Promise<boolean>): Promise<string | undefined>;
  /** Returns the current holders of the stack. */
  locks(stack: StackId): Promise<readonly LockHolder[]>;
  /**
   * Removes every lock of the stack that a process holds or has left, and returns their holders. Locks of persons stay.
   * For `cancel`.
   */
  releaseLocks(stack: StackId): Promise<readonly LockHolder[]>;
  /**
   * Locks the stack for a person, as soon as no process works on it. From then on everything that would lock it fails
   * with `CAIRN-STATE-LOCKED` and the reason, except operations that are asked to work under this lock [STORE-16].
   */
  lockWithReason(stack: StackId, reason: string): Promise<LockHolder>;
  /**
   * Copies a stack with history, backups, tags and optionally the records of its changes to another backend that does
   * not have it. From the beginning, the stack here is locked with the reason that it moves. Running it again finishes
   * an interrupted run. Fails with `CAIRN-STACK-EXISTS`, and with `CAIRN-UNFINISHED` for a change that did not end and
   * whose record would be left behind.
   */
  migrate(target: Backend, migration: Migration): Promise<readonly Diagnostic[]>;
  /** Receives the stack that {@link Backend.migrate} of another backend, its only caller, copies here. */
  receive(source: BackendContext, migration: Migration): Promise<readonly Diagnostic[]>;
  /** Removes a lock of a person if it is still as it was read. */
  unlock(stack: StackId, lock: LockHolder): Promise<void>;
  close(): Promise<void>;
}

/**
 * Row of a listing. `resources` counts every entry, including root stack and providers. It is undefined for a sealed
 * stack, whose key is not requested. `lastUpdate` is RFC 3339, or undefined if the stack was never written.
 */
export interface StackSummary extends StackId {
  readonly resources: number | undefined;
  /** True if its state is sealed whole. */
  readonly sealed?: boolean;
  readonly lastUpdate: string | undefined;
}

/** Options of removal. `backups` removes the `.bak` and the backup copies too. */
export interface RemoveOptions {
  readonly force?: boolean;
  readonly backups?: boolean;
}

/**
 * Options of reading. `integrity` defaults to what the ports say, else `check`. `skip` is for outputs, export, repair
 * and `--disable-integrity-checking`.
 */
export interface ReadOptions {
  readonly integrity?: 'check' | 'skip';
}

/** Change of a deployment as a function of it. It returns undefined if nothing has to be written. */
export type DeploymentEdit = (
  deployment: SerializedDeployment,
  view: EditView,
) => SerializedDeployment | undefined | Promise<SerializedDeployment | undefined>;

/** One of the two stacks of a move. */
export interface MoveSide {
  readonly deployment: SerializedDeployment;
  readonly view: EditView;
}

/**
 * Function that returns both states after a move, and the new URNs of moved resources by their old URNs. It returns
 * undefined if nothing has to be written.
 */
export type MoveEdit = (
  source: MoveSide,
  dest: MoveSide,
) => Promise<
  | {
      readonly source: SerializedDeployment;
      readonly dest: SerializedDeployment;
      readonly arrived: ReadonlyMap<string, string>;
    }
  | undefined
>;

/** Tag values by name. */
export type StackTags = Readonly<Record<string, string>>;

/** Information and actions for a person who edits a state. */
export interface EditView {
  /**
   * Returns a change that did not end, if storing `edited` would prevent continuing it or rolling it back, or
   * undefined.
   */
  supersedes(edited: SerializedDeployment): Diagnostic | undefined;
  /**
   * Returns the changes in whose records steps are in doubt, as `StackLease.inDoubt` has them. They must stay readable.
   */
  inDoubt(): Promise<readonly StoredChange[]>;
  /** Copies the current state to the backups of the stack; resolves with the place of the copy. */
  backup(): Promise<string>;
}

/** Stack as stored. `deployment` is undefined while it has never been written. */
export interface StoredState {
  readonly stack: StackId;
  readonly deployment: SerializedDeployment | undefined;
  /** True if the state is sealed whole, or will be at the next write. */
  readonly sealed: boolean;
  readonly warnings: readonly Diagnostic[];
}

/** Options of a lease: the means to decode the state. */
export interface LeaseOptions extends ReadOptions {
  readonly openCrypter: OpenCrypter;
  /**
   * Resources that the operation will touch, if not the whole stack. The operation may then run beside others of ours
   * that leave these alone. Claim exclusively what it creates or alters, and shared what it only refers to. Fails with
   * `CAIRN-CHANGE-CONFLICT` [REC-16].
   */
  readonly claims?: readonly Claim[];
  /**
   * Called while waiting for the lock. If it returns true, the caller wants to stop, and waiting fails with
   * `CAIRN-CANCELLED`.
   */
  readonly interrupted?: () => boolean;
}

/** Stack that is ours until `release`. */
export interface StackLease {
  readonly stack: StackId;
  /** Deployment as stored, after recovery. Operations start from it. */
  readonly deployment: SerializedDeployment;
  /** The same deployment, decoded with {@link crypter}. Its positions are base indexes of journal entries. */
  readonly snapshot: Snapshot;
  readonly crypter: Crypter;
  /** Results of recovery: notes (`info`), and one `CAIRN-IN-DOUBT` warning per step whose outcome is unknown. */
  readonly notes: readonly Diagnostic[];
  /** Changes that had ended and that recovery has stored, oldest first. */
  readonly finished: readonly FinishedChange[];
  /** The newest lineage of changes, if it did not end and can be continued or rolled back. */
  readonly unfinished: ChangeLineage | undefined;
  /**
   * The changes whose records contain the steps in doubt, with all later changes, oldest first. Empty for a stack in
   * order. Includes superseded changes: an operation resolves these steps before it does anything else.
   */
  readonly inDoubt: readonly StoredChange[];
  /**
   * Returns the lineage of a chosen change, even if it ended. Fails with `CAIRN-CHANGE-UNKNOWN` when its record is not
   * kept any more. Fails with `CAIRN-CHANGE-SUPERSEDED` when it is not the newest lineage or the state was altered
   * since.
   */
  lineage(number: number): Promise<ChangeLineage>;
  /** Opens the journal of an operation. One at a time. */
  begin(operation: OperationStart): Promise<OperationLog>;
  /** Releases the stack. Idempotent. */
  release(): Promise<void>;
}
