import type { ChangeResult } from './change-result.js';
import type { ContinuesHow } from './change-row.js';
import type { ChangeKind } from './operation-kind.js';

/** Kinds of changes as verbs that the name of the stack follows. */
export const CHANGE_VERBS = {
  up: 'Update',
  destroy: 'Destroy',
  refresh: 'Refresh',
  import: 'Import into',
  rollback: 'Roll back',
  resolve: 'Resolve steps of',
  edit: 'Edit the state of',
} as const satisfies Record<ChangeKind, string>;

/** Ways to continue a change, as verbs of the later one. */
export const CONTINUING = {
  resume: 'resumes',
  rollback: 'rolls back',
  resolve: 'resolves steps of',
  edit: 'after',
} as const satisfies Record<ContinuesHow, string>;

/** Ways to continue a change, in words about the earlier one. */
export const CONTINUED = {
  resume: 'resumed by',
  rollback: 'rolled back by',
  resolve: 'steps resolved by',
  edit: 'followed by',
} as const satisfies Record<ContinuesHow, string>;

/** Results of a change as verbs. */
export const RESULT_PHRASES: Readonly<Record<ChangeResult, string>> = {
  succeeded: 'is done',
  failed: 'failed',
  interrupted: 'ended early',
  nothing: 'did nothing',
  waiting: 'waits',
  'rolled-back': 'was rolled back',
};

/** Returns a status as texts show it: `Doing`, `Undone`. */
export function statusWord(status: string): string {
  return status.slice(0, 1).toUpperCase() + status.slice(1);
}
