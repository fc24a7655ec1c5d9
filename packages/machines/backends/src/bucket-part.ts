import type { Diagnostic } from '@cairn/diagnostics';
import type { LockHolder } from './model/lock-holder.js';
import type { Migration } from './model/migration.js';
import type { PastUpdate } from './model/past-update.js';
import type { DamagedState, StrandedChange } from './model/repair.js';
import type { StackId } from './stack-id.js';

/** Layout of the keys of a store: by project, or the layout that came before projects [STORE-4]. */
export type StoreLayout = 'project' | 'legacy';

/** Part of a backend that only a store of blobs has. */
export interface BucketPart {
  /** Layout that keeps its stacks. A store of the old layout keeps them by name alone, without projects. */
  readonly layout: StoreLayout;
  /**
   * Finds out by writing if the store keeps two writers apart, and returns warnings. Every command that writes does so
   * by itself.
   */
  checkWrites(): Promise<readonly Diagnostic[]>;
  /** Returns notes about the store for the user: stacks of the old layout beside the new one. */
  notes(): Promise<readonly Diagnostic[]>;
  /**
   * Seals the export of a sealed stack as text, for `openDocument`. `pieces` are the document. Fails with
   * `CAIRN-STATE-SEALED`.
   */
  sealDocument(stack: StackId, pieces: Iterable<string>): Promise<Iterable<string>>;
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
  /** Returns what {@link BucketPart.keepDigests} has stored last, or `undefined` if there is nothing. */
  digests(stack: StackId): Promise<Uint8Array | undefined>;
  /**
   * Stores the digests of an operation beside the state, in place of earlier ones. They save work and are not part of
   * the state: copies and renames of a stack leave them behind.
   */
  keepDigests(stack: StackId, bytes: Uint8Array): Promise<void>;
  /** Returns the current holders of the stack. */
  locks(stack: StackId): Promise<readonly LockHolder[]>;
  /**
   * Locks the stack for a person, as soon as no process works on it. From then on everything that would lock it fails
   * with `CAIRN-STATE-LOCKED` and the reason, except operations that are asked to work under this lock [STORE-16].
   */
  lockWithReason(stack: StackId, reason: string): Promise<LockHolder>;
  /** Removes a lock of a person if it is still as it was read. */
  unlock(stack: StackId, lock: LockHolder): Promise<void>;
  /** Adds an update of the past, which another backend had, to the history. */
  addHistory(stack: StackId, update: PastUpdate): Promise<void>;
  /**
   * Copies a stack with history, backups, tags and optionally the records of its changes to another bucket that does
   * not have it. From the beginning, the stack here is locked with the reason that it moves. Running it again finishes
   * an interrupted run. Fails with `CAIRN-STACK-EXISTS`, and with `CAIRN-UNFINISHED` for a change that did not end and
   * whose record would be left behind.
   */
  migrate(target: BucketPart, migration: Migration): Promise<readonly Diagnostic[]>;
}
