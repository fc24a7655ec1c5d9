import type { OperationKind } from './events.js';

/** An operation in the history of a stack. */
export interface PastOperation {
  /** Number of the operation; the oldest one in the history is 1. */
  readonly number: number;
  /** Kind in the terms of other tools: `update`, `refresh`, `destroy`, `resource-import`. */
  readonly kind: string;
  readonly result: string;
  readonly message: string;
  readonly started: Date;
  readonly ended: Date;
  /** Number of steps by kind, or undefined if there were none. */
  readonly changes: Readonly<Record<string, number>> | undefined;
}

/** A change of a stack: the record of an operation or edit that can be resumed or rolled back. */
export interface StackChange {
  readonly number: number;
  readonly kind: OperationKind | 'edit';
  /** Undefined while it runs, and after its process died until the change is recovered. */
  readonly result: 'succeeded' | 'failed' | 'interrupted' | 'nothing' | 'waiting' | 'rolled-back' | undefined;
  readonly message: string;
  /** True if its process holds the stack and appears to be alive. */
  readonly running: boolean;
  /** True if `resume` can continue it and `rollback` can undo it. */
  readonly unfinished: boolean;
  readonly started: Date;
  readonly ended: Date | undefined;
}

/** The state of a stack as a document, in a format that other tools exchange too. Secrets are encrypted. */
export interface StateDocument {
  readonly version: number;
  readonly deployment: unknown;
}

/** One object to import. */
export interface ImportItem {
  /** Type token, e.g. `aws:s3/bucket:Bucket`. */
  readonly type: string;
  /** Name for the new resource. */
  readonly name: string;
  /** Id that its provider uses for it. */
  readonly id: string;
  /** URN of the parent, or name of another item. Defaults to the stack. */
  readonly parent?: string | undefined;
  /** URN of its provider. Defaults to the default provider of the package. */
  readonly provider?: string | undefined;
  /** Version of the provider package. */
  readonly version?: string | undefined;
  /** Inputs to keep. Defaults to all. */
  readonly properties?: readonly string[] | undefined;
}

/**
 * Outcome of a step in doubt. `created` is the id of the object that exists. `done` is for an update or a delete.
 * `outputs` is for objects that the provider cannot read.
 */
export type DoubtAnswer =
  | { readonly created: string; readonly outputs?: Readonly<Record<string, unknown>> | undefined }
  | 'not-created'
  | { readonly done: true; readonly outputs?: Readonly<Record<string, unknown>> | undefined }
  | 'not-done';
