import type { ChangeRecord, Claim } from '@cairn/changes';
import type { Crypter } from '@cairn/crypters';
import type { Diagnostic } from '@cairn/diagnostics';
import type { SecretsProviderRecord, SerializedDeployment, Snapshot } from '@cairn/state';
import type { ControlMessage } from './control/control-message.js';
import type { HistoryPage, HistoryRow } from './history/history-entry.js';
import type { LockHolder } from './locks/lock-file.js';
import type { OperationLog, OperationStart } from './operation/operation-log.js';
import type { ChangeLineage } from './records/change-lineage.js';
import type { ChangeRow, FinishedChange, StoredChange } from './records/change-row.js';
import type { DamagedState } from './recovery/restore.js';
import type { StrandedChange } from './recovery/set-aside.js';
import type { Migration } from './stacks/migration.js';
import type { OpenCrypter } from './open-crypter.js';
import type { StackId } from './stack-id.js';
import type { StoreLayout } from './stacks/meta.js';

/** Where stacks live. Failures of the store are `CairnError`s that name what was being read or written. */
export interface Backend {
  /** The address as the user typed it, without credentials. */
  readonly url: string;
  /** How its stacks are kept; by name alone, without projects, in a store of the old layout. */
  readonly layout: StoreLayout;
  /**
   * Learns, by writing, whether the store keeps two writers apart; answers with warnings. Every command that writes
   * does so by itself.
   */
  checkWrites(): Promise<readonly Diagnostic[]>;
  /** What the user should know of the store: stacks of the old layout beside the new one. */
  notes(): Promise<readonly Diagnostic[]>;
  /** Every stack, by project and name; optionally of one project, unless the layout has none. */
  list(project?: string): Promise<readonly StackId[]>;
  /** What a listing shows of a stack; reads its checkpoint. */
  summary(stack: StackId): Promise<StackSummary>;
  /**
   * What a listing shows of every stack, as {@link Backend.list} chooses and orders them, a few read at a time. A stack
   * whose checkpoint cannot be read is there with its name alone.
   */
  summaries(project?: string): Promise<readonly (StackId & Partial<StackSummary>)[]>;
  exists(stack: StackId): Promise<boolean>;
  /** Makes an empty stack. Fails with `CAIRN-STACK-EXISTS`. */
  create(stack: StackId, secretsProvider: SecretsProviderRecord | undefined): Promise<void>;
  /** Removes a stack; with resources only when forced (`CAIRN-STACK-NOT-EMPTY`). */
  remove(stack: StackId, options?: RemoveOptions): Promise<void>;
  /**
   * The state without a lock: the checkpoint, with what an operation that runs or died has recorded beyond it. Fails
   * with `CAIRN-STACK-NOT-FOUND`, `CAIRN-STATE-…`.
   */
  read(stack: StackId, options?: ReadOptions): Promise<StoredState>;
  /** Updates of the stack, newest first. */
  history(stack: StackId, page?: HistoryPage): Promise<readonly HistoryRow[]>;
  /** Operations of the stack whose records are kept, newest first; a damaged one is a row that says so. */
  changes(stack: StackId): Promise<readonly ChangeRow[]>;
  /** The newest of them that is wanted, by default any; `undefined` if none is. Reads no older one [STORE-14]. */
  newestChange(stack: StackId, isWanted?: (row: ChangeRow) => boolean): Promise<ChangeRow | undefined>;
  /** The row of one of them. Fails with `CAIRN-CHANGE-UNKNOWN`, `CAIRN-JOURNAL-CORRUPT`. */
  changeRow(stack: StackId, number: number): Promise<ChangeRow>;
  /** One of them with its records. Fails with `CAIRN-CHANGE-UNKNOWN`, `CAIRN-JOURNAL-CORRUPT`. */
  change(stack: StackId, number: number): Promise<StoredChange>;
  /**
   * Tells a change something, through a file beside its journal: one that runs hears it within a second or so, one that
   * rests or died when it is gone on with. Fails with `CAIRN-CHANGE-UNKNOWN`, and with `CAIRN-CHANGE-ENDED` when it
   * cannot be heard any more.
   */
  tell(stack: StackId, number: number, message: ControlMessage): Promise<void>;
  /**
   * Tells the records of a change as they come, from its first one on, until it is closed, its process is gone or
   * `signal` is aborted; resolves with how it stands then. For watching from another process. Fails as
   * {@link Backend.change} does.
   */
  follow(
    stack: StackId,
    number: number,
    onRecords: (records: readonly ChangeRecord[]) => void,
    signal: AbortSignal,
  ): Promise<ChangeRow>;
  /**
   * An export of a sealed stack, sealed as text; `pieces`: the document. For `openDocument`. Fails with
   * `CAIRN-STATE-SEALED`.
   */
  sealDocument(stack: StackId, pieces: Iterable<string>): Promise<Iterable<string>>;
  /**
   * Writes history, backups and journals of the stack again that are not sealed, or not plain, as its checkpoint is
   * now: after its secrets manager or the encryption of its state changed. Resolves with how many were written. Under
   * the lock; may be cut anywhere and done again.
   */
  reseal(stack: StackId): Promise<number>;
  /** The `stack export` document: 4-space indent, secrets as they are stored. */
  exportText(stack: StackId): Promise<string>;
  /**
   * Puts a deployment in the place of the stored one, under the lock; see `importedDeployment` of the state package.
   * Resolves with what recovery found and did, as a lease's notes do. It is recorded as a change of kind `edit`;
   * `message` says what it was.
   */
  replace(stack: StackId, deployment: SerializedDeployment, message?: string): Promise<readonly Diagnostic[]>;
  /**
   * Changes the stored deployment in one piece: under the lock, from what recovery left. `change` gives the deployment
   * to store, or undefined to leave it; what it throws changes nothing, and it may ask a person before it answers.
   * Recorded and resolved as {@link Backend.replace} does; an unfinished lineage of changes stays so when no object was
   * added, removed or exchanged and the secrets manager is the same. Unless the check is off, a state that is not
   * consistent is not given to `change` and not taken from it (`CAIRN-STATE-INTEGRITY`).
   */
  edit(
    stack: StackId,
    change: DeploymentEdit,
    message?: string,
    options?: ReadOptions,
  ): Promise<readonly Diagnostic[]>;
  /**
   * Moves resources from one stack to another: two changes of kind `edit`, under both locks. At no instant is a
   * resource in neither; a move that is cut short is finished by the next command on the stack that they leave. Fails
   * as {@link Backend.edit} does.
   */
  move(source: StackId, dest: StackId, change: MoveEdit, message: string): Promise<readonly Diagnostic[]>;
  /**
   * Gives a stack another name: its state with every URN of it, history, backups, tags and changes [STORE-12]. Under
   * the locks of both names. Fails with `CAIRN-STACK-EXISTS`, and with `CAIRN-UNFINISHED` while a change did not end or
   * a step is in doubt, because their records have the old URNs. A renaming that was cut short is finished by doing it
   * again.
   */
  rename(from: StackId, to: StackId): Promise<readonly Diagnostic[]>;
  /**
   * Tags of the stack, by name. Fails with `CAIRN-STACK-NOT-FOUND`, and with `CAIRN-STATE-CORRUPT` for a file that
   * cannot be read.
   */
  tags(stack: StackId): Promise<StackTags>;
  /** Stores what a change makes of the tags; asks it again when somebody else has changed them meanwhile. */
  editTags(stack: StackId, change: (tags: StackTags) => StackTags): Promise<void>;
  /**
   * The state that an operation of the history left: `version` is its number, 1 for the oldest. Fails with
   * `CAIRN-USAGE` for one that is not kept.
   */
  stateAfter(stack: StackId, version: number): Promise<SerializedDeployment | undefined>;
  /**
   * The right to work on a stack: takes the lock, folds the journals of dead operations into the checkpoint, reads and
   * decodes it. Fails with `CAIRN-STATE-LOCKED` when somebody else holds it. Whoever gets a lease releases it.
   */
  lease(stack: StackId, options: LeaseOptions): Promise<StackLease>;
  /**
   * Waits until nobody works on the stack, for as long as its ports allow, and locks nothing: for previews. Fails with
   * `CAIRN-STATE-LOCKED`, and with `CAIRN-CANCELLED` when interrupted; at once good where nothing is to be waited for.
   */
  awaitUnlocked(stack: StackId, interrupted?: () => boolean): Promise<void>;
  /**
   * Sets journals of dead operations aside that cannot be taken over any more, because somebody else has altered the
   * state since, or because they are damaged; `agree` is asked with what they say. Resolves with those that were set
   * aside. Under the lock.
   */
  setAside(
    stack: StackId,
    agree: (stranded: readonly StrandedChange[]) => Promise<boolean>,
  ): Promise<readonly StrandedChange[]>;
  /**
   * Puts the best copy of the stack's state in the place of one that cannot be read, when `agree` says so; the damaged
   * one is kept. Resolves with where, undefined when nothing was done: the state can be read, there is no copy, or
   * nobody agrees. Under the lock.
   */
  restore(stack: StackId, agree: (damaged: DamagedState) => Promise<boolean>): Promise<string | undefined>;
  /** Who holds the stack now. */
  locks(stack: StackId): Promise<readonly LockHolder[]>;
  /**
   * Removes every lock of the stack that a process holds or has left, and says whose they were. Locks of persons stay.
   * For `cancel`.
   */
  releaseLocks(stack: StackId): Promise<readonly LockHolder[]>;
  /**
   * Locks the stack for a person, as soon as nobody works on it: everything that would lock it fails with
   * `CAIRN-STATE-LOCKED` and the reason from then on, but what is told to work under this lock [STORE-16].
   */
  lockWithReason(stack: StackId, reason: string): Promise<LockHolder>;
  /**
   * Copies a stack with history, backups, tags and, where wanted, the records of its changes to another backend that
   * does not have it. From the begin on the stack here is locked with the reason that it moves; a run that was cut
   * short is finished by doing it again. Fails with `CAIRN-STACK-EXISTS`, and with `CAIRN-UNFINISHED` for a change that
   * did not end and whose record would be left behind.
   */
  migrate(target: Backend, migration: Migration): Promise<readonly Diagnostic[]>;
  /** Removes a lock of a person, as it was read. */
  unlock(stack: StackId, lock: LockHolder): Promise<void>;
  close(): Promise<void>;
}

/**
 * `resources` counts every entry, root stack and providers included; undefined for a sealed stack, whose key is not
 * asked for. `lastUpdate`: RFC 3339; undefined when never written.
 */
export interface StackSummary extends StackId {
  readonly resources: number | undefined;
  /** Its state is sealed whole. */
  readonly sealed?: boolean;
  readonly lastUpdate: string | undefined;
}

/** `backups`: remove the `.bak` and the backup copies too. */
export interface RemoveOptions {
  readonly force?: boolean;
  readonly backups?: boolean;
}

/**
 * `integrity`: what the ports say by default, else `check`; `skip` for outputs, export, repair and
 * `--disable-integrity-checking`.
 */
export interface ReadOptions {
  readonly integrity?: 'check' | 'skip';
}

/** A change of a deployment, as a function of it; undefined: nothing has to be written. */
export type DeploymentEdit = (
  deployment: SerializedDeployment,
  view: EditView,
) => SerializedDeployment | undefined | Promise<SerializedDeployment | undefined>;

/** One of the two stacks of a move. */
export interface MoveSide {
  readonly deployment: SerializedDeployment;
  readonly view: EditView;
}

/** Both states after a move, and the URNs there of what went, by the URN here; undefined: nothing has to be written. */
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

/** Name to value. */
export type StackTags = Readonly<Record<string, string>>;

/** What a person who edits a state should know and may want. */
export interface EditView {
  /**
   * A change that did not end, when storing `edited` would keep it from being gone on with or rolled back; undefined
   * otherwise.
   */
  supersedes(edited: SerializedDeployment): Diagnostic | undefined;
  /** The changes in whose records steps are in doubt, as `StackLease.inDoubt` has them: those must stay readable. */
  inDoubt(): Promise<readonly StoredChange[]>;
  /** Copies the state as it is now to the backups of the stack; resolves with the place of the copy. */
  backup(): Promise<string>;
}

/** A stack as stored; `deployment` is undefined while it has never been written. */
export interface StoredState {
  readonly stack: StackId;
  readonly deployment: SerializedDeployment | undefined;
  /** Whether it is sealed whole, or will be when it is written next. */
  readonly sealed: boolean;
  readonly warnings: readonly Diagnostic[];
}

/** What a lease needs to decode the state. */
export interface LeaseOptions extends ReadOptions {
  readonly openCrypter: OpenCrypter;
  /**
   * What the operation will touch, when that is not the whole stack: then it may run beside others of ours that leave
   * it alone. What it creates or alters must be claimed exclusively, what it only refers to shared. Fails with
   * `CAIRN-CHANGE-CONFLICT` [REC-16].
   */
  readonly claims?: readonly Claim[];
  /** Asked while the lock is waited for: whether whoever waits wants to stop. Then it fails with `CAIRN-CANCELLED`. */
  readonly interrupted?: () => boolean;
}

/** A stack that is ours until `release`. */
export interface StackLease {
  readonly stack: StackId;
  /** As stored, after recovery: what operations start from. */
  readonly deployment: SerializedDeployment;
  /** The same, decoded with {@link crypter}; positions are base indexes of journal entries. */
  readonly snapshot: Snapshot;
  readonly crypter: Crypter;
  /** What recovery found and did: notes (`info`), and one `CAIRN-IN-DOUBT` warning per step whose end nobody knows. */
  readonly notes: readonly Diagnostic[];
  /** Changes that were over and that recovery has stored, oldest first. */
  readonly finished: readonly FinishedChange[];
  /** The newest lineage of changes when it did not end and can be gone on with or rolled back. */
  readonly unfinished: ChangeLineage | undefined;
  /**
   * The changes in whose records the steps in doubt are, with all that came after them, oldest first; none in a stack
   * in order. Also those of changes that were superseded: an operation finds out about them before it does anything
   * else.
   */
  readonly inDoubt: readonly StoredChange[];
  /**
   * The lineage of a chosen change, also when it ended. Fails with `CAIRN-CHANGE-UNKNOWN` when its record is not kept
   * any more, and with `CAIRN-CHANGE-SUPERSEDED` when it is not the newest lineage or the state was altered since.
   */
  lineage(number: number): Promise<ChangeLineage>;
  /** Opens the journal of an operation. One at a time. */
  begin(operation: OperationStart): Promise<OperationLog>;
  /** Gives the stack back. Idempotent. */
  release(): Promise<void>;
}
