import type { PropertyMap } from '@cairn/values';
import type { PropertyDiff } from './property-diff.js';

/** Receives reports of providers about views of the resource they are working on. */
// [VIEW-2]
export interface ResourceStatus {
  /** Refuses a token that does not belong to a running step. */
  publishViewSteps(token: string, steps: readonly ViewStep[]): Promise<void>;
}

/**
 * Read-only child of a resource, as its provider knows it. With an empty parent it is a child of the resource itself.
 */
export interface View {
  readonly type: string;
  readonly name: string;
  readonly parentType: string;
  readonly parentName: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

/** Operation on a view. */
export type ViewOp =
  | 'same'
  | 'create'
  | 'update'
  | 'delete'
  | 'replace'
  | 'create-replacement'
  | 'delete-replaced'
  | 'read'
  | 'read-replacement'
  | 'refresh'
  | 'read-discard'
  | 'discard-replaced'
  | 'remove-pending-replace'
  | 'import'
  | 'import-replacement';

/** One operation on a view. */
export interface ViewStep {
  readonly status: 'ok' | 'partial-failure' | 'unknown';
  /** Reason why it failed; empty if it did not. */
  readonly error: string;
  readonly op: ViewOp;
  readonly type: string;
  readonly name: string;
  readonly old: View | undefined;
  readonly new: View | undefined;
  /** Keys that force a replacement. */
  readonly keys: readonly string[];
  /** Keys that differ. */
  readonly diffs: readonly string[];
  readonly detailedDiff: Readonly<Record<string, PropertyDiff>> | undefined;
}

/** Publishes operations on the views of one resource during one call. */
export interface ViewPublishing {
  /** Address for other publishers, as `host:port`; empty if nothing is served. */
  readonly address: string;
  readonly token: string;
  publish(steps: readonly ViewStep[]): Promise<void>;
}
