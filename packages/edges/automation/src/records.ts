import type { OperationKind } from './events.js';

/** An operation in the history of a stack. */
export interface PastOperation {
  /** 1 for the oldest that the history has. */
  readonly number: number;
  /** As other tools name it: `update`, `refresh`, `destroy`, `resource-import`. */
  readonly kind: string;
  readonly result: string;
  readonly message: string;
  readonly started: Date;
  readonly ended: Date;
  /** Steps taken by kind; undefined when none were. */
  readonly changes: Readonly<Record<string, number>> | undefined;
}

/** A change of a stack: the record of an operation, or of an edit, that can be gone on with or taken back. */
export interface Change {
  readonly number: number;
  readonly kind: OperationKind | 'edit';
  /** Undefined while it runs, and when its process died and nobody has looked after it yet. */
  readonly result: 'succeeded' | 'failed' | 'interrupted' | 'nothing' | 'waiting' | 'rolled-back' | undefined;
  readonly message: string;
  /** Its process holds the stack and, as far as can be seen, lives. */
  readonly running: boolean;
  /** `resume` can go on with it, and `rollback` take it back. */
  readonly unfinished: boolean;
  readonly started: Date;
  readonly ended: Date | undefined;
}

/** The state of a stack as a document, in the format that other tools exchange too. Secrets are encrypted. */
export interface StateDocument {
  readonly version: number;
  readonly deployment: unknown;
}

/** One object to take over. */
export interface ImportItem {
  /** Type token, e.g. `aws:s3/bucket:Bucket`. */
  readonly type: string;
  /** Name that the resource gets. */
  readonly name: string;
  /** What its provider knows it by. */
  readonly id: string;
  /** URN of the parent, or name of another item; default: the stack. */
  readonly parent?: string | undefined;
  /** URN of its provider; default: the default provider of the package. */
  readonly provider?: string | undefined;
  /** Version of the provider package. */
  readonly version?: string | undefined;
  /** Inputs to keep; default: all. */
  readonly properties?: readonly string[] | undefined;
}

/**
 * What became of a step in doubt. `created`: the id of the object that is there now; `done`, for an update or a delete;
 * `outputs` where the provider cannot read them.
 */
export type DoubtAnswer =
  | { readonly created: string; readonly outputs?: Readonly<Record<string, unknown>> | undefined }
  | 'not-created'
  | { readonly done: true; readonly outputs?: Readonly<Record<string, unknown>> | undefined }
  | 'not-done';
