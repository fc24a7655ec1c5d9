import type { ChangeStore, Claim } from '@cairn/changes';
import type { Diagnostic } from '@cairn/diagnostics';
import type { Json } from '@cairn/state';
import type { UpdateKind } from './operation-kind.js';
import type { ChangeResult } from './change-result.js';
import type { Continues } from './change-row.js';
import type { ChangeKind } from './operation-kind.js';
import type { MessageListener } from './control-message.js';

/** Program of a project. */
export interface ProgramDescription {
  readonly runtime: string;
  /** Directory or file of the program. Defaults to the directory of the project. */
  readonly main?: string | undefined;
  readonly description?: string | undefined;
}

/** Description of an operation, as its journal and its history entry keep it. */
export interface OperationStart {
  readonly kind: UpdateKind;
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `namespace:name` to text, object, or `{"secure": ciphertext}`. */
  readonly config: Readonly<Record<string, Json>>;
  /** Requested operation. Defaults to that of the kind of history entry. */
  readonly operation?: ChangeKind;
  /** Change that it continues. Without it, the operation supersedes every change that did not end. */
  readonly continues?: Continues;
  /** Options of the request that a later process needs to continue it. Kept as they are. */
  readonly options?: Json;
  /** Key of the digests of goals, sealed by the caller. */
  readonly goalKey?: string;
  /** Program that it runs, for a store that records it. */
  readonly program?: ProgramDescription;
}

/**
 * End of an operation. `resourceChanges` are steps taken by kind. In the history, `waiting` and `rolled-back` are
 * failures. `order` is the order of the entries in the stored state, as positions in the result of the journal. It
 * defaults to the order of the journal.
 */
export interface OperationEnd {
  readonly result: Exclude<ChangeResult, 'interrupted' | 'nothing'>;
  readonly resourceChanges: Readonly<Record<string, number>>;
  /** Facts about the environment that were learned while it ran, for its history entry. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Message of the operation, if it was given none. */
  readonly message?: string | undefined;
  readonly order?: readonly number[] | undefined;
}

/** Problems found while ending an operation: integrity errors, history that could not be written. */
export interface OperationReport {
  readonly diagnostics: readonly Diagnostic[];
}

/** Journal of one operation. Exactly one of `finish` and `abandon` ends it. */
export interface OperationLog {
  /** Number of the operation on its stack. It grows, and is also its fence. */
  readonly changeId: string;
  /** Address of the page that shows it, if its store has one. */
  readonly page?: string | undefined;
  /** Records with their journal entries. They are durable when `append` resolves. */
  readonly store: ChangeStore;
  /**
   * Claims more while the operation runs, before it touches anything not yet claimed. Resolves with the conflict when
   * another operation holds it. The claims are then the same as before. Undefined if the operation holds the whole
   * stack.
   */
  readonly claim: ((claims: readonly Claim[]) => Promise<Diagnostic | undefined>) | undefined;
  /** Looks for messages from other processes until the operation ends: one listing a second. Call once. */
  onMessage(listener: MessageListener): void;
  /**
   * Writes the records so far to the checkpoint, whatever the pace, with steps under way as pending operations. Does
   * nothing if the pace is `end`, or if the operation leaves room for others. Never fails: the journal is the record.
   */
  writeThrough(): Promise<void>;
  /** Folds the journal into the checkpoint, writes history and backup, seals the journal. */
  finish(end: OperationEnd): Promise<OperationReport>;
  /**
   * Ends an operation without a result as failed, even if nothing was recorded, because its number may have been
   * reported.
   */
  abandon(): Promise<void>;
}
