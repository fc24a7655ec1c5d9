import type { Diagnostic } from '@cairn/diagnostics';
import type { SerializedDeployment } from '@cairn/state';
import type { StoredChange } from './change-row.js';

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
