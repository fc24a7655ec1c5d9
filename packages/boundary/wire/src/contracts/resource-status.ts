import type { PropertyMap } from '@cairn/values';
import type { PropertyDiff } from './property-diff.js';

/** Where providers say what became of the views of the resource they are working on. */
// [VIEW-2]
export interface ResourceStatus {
  /** Refuses a token that is not, or no longer, one of a step that runs. */
  publishViewSteps(token: string, steps: readonly ViewStep[]): Promise<void>;
}

/** A read-only child of a resource, as its provider knows it. Empty parent: the resource itself. */
export interface View {
  readonly type: string;
  readonly name: string;
  readonly parentType: string;
  readonly parentName: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

/** What can have become of a view. */
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

/** One thing that became of a view. */
export interface ViewStep {
  readonly status: 'ok' | 'partial-failure' | 'unknown';
  /** Why it failed; empty when it did not. */
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

/** The way to publish what became of the views of one resource, for the length of one call. */
export interface ViewPublishing {
  /** Where others publish, as `host:port`; empty when nothing is served. */
  readonly address: string;
  readonly token: string;
  publish(steps: readonly ViewStep[]): Promise<void>;
}
