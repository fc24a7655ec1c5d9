import type { ChangeStore, Claim } from '@cairn/changes';
import type { Diagnostic } from '@cairn/diagnostics';
import type { Json } from '@cairn/state';
import type { MessageListener } from '../control/listen.js';
import type { UpdateKind } from '../records/operation-kind.js';
import type { ChangeResult } from '../records/change-result.js';
import type { Continues } from '../records/change-row.js';
import type { OperationKind } from '../records/operation-kind.js';

/** What an operation is, as its journal and its history entry keep it. */
export interface OperationStart {
  readonly kind: UpdateKind;
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `namespace:name` to text, object, or `{"secure": ciphertext}`. */
  readonly config: Readonly<Record<string, Json>>;
  /** What was asked for; without it, what the kind of history entry says. */
  readonly operation?: OperationKind;
  /** The change that it goes on with; without it, it supersedes whatever did not end. */
  readonly continues?: Continues;
  /** What whoever goes on with it needs to know of how it was asked for. Kept as it is. */
  readonly options?: Json;
  /** Key of the digests of goals, sealed by the caller. */
  readonly goalKey?: string;
}

/**
 * How it ended. `resourceChanges`: steps taken by kind. In the history `waiting` and `rolled-back` are failures.
 * `order`: how the entries are to stand in the stored state, as positions in what the journal gives; absent: as they
 * do.
 */
export interface OperationEnd {
  readonly result: Exclude<ChangeResult, 'interrupted' | 'nothing'>;
  readonly resourceChanges: Readonly<Record<string, number>>;
  /** Facts of the environment that were found out while it ran, for its history entry. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Its message, if it was given none. */
  readonly message?: string | undefined;
  readonly order?: readonly number[] | undefined;
}

/** What ending it found: integrity errors, history that could not be written. */
export interface OperationReport {
  readonly diagnostics: readonly Diagnostic[];
}

/** The journal of one operation. Exactly one of `finish` and `abandon` ends it. */
export interface OperationLog {
  /** Number of the operation on its stack, growing: also its fence. */
  readonly changeId: string;
  /** Records with their journal entries; durable when `append` resolves. */
  readonly store: ChangeStore;
  /**
   * Claims more while the operation runs: before anything else is done to what was not claimed. Resolves with the
   * conflict when somebody else holds it; then nothing more is held than before.
   */
  claim(claims: readonly Claim[]): Promise<Diagnostic | undefined>;
  /** Looks for messages from other processes until the operation ends: one listing a second. Call once. */
  onMessage(listener: MessageListener): void;
  /**
   * Stores what is recorded by now as the checkpoint, with steps that are under way as pending operations, whatever the
   * pace; not when the pace is `end`, and not of an operation that leaves room for others. Never fails: the journal is
   * the record.
   */
  writeThrough(): Promise<void>;
  /** Folds the journal into the checkpoint, writes history and backup, seals the journal. */
  finish(end: OperationEnd): Promise<OperationReport>;
  /**
   * It came to no result: ends it as failed, also when nothing was recorded, because its number may have been told.
   */
  abandon(): Promise<void>;
}
