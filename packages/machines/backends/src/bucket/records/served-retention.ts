import type { OperationFile, SealedFile } from '../journal/journal-files.js';
import { memberOf } from './change-files.js';
import { prunable } from './retention.js';

/** Change that a service keeps, with the files of its journal as a bucket has them. */
interface KeptChange {
  readonly number: number;
  readonly operation: object;
  readonly sealed?: object;
}

/**
 * Returns the numbers of the changes that a service need not keep, by the rule of buckets [CHG-20]. `changes` are
 * oldest first.
 */
export function servedChangesToRemove(changes: readonly KeptChange[], keep: number): ReadonlySet<number> {
  const members = changes.map(({ number, operation, sealed }) =>
    memberOf(number, operation as OperationFile, sealed as SealedFile | undefined),
  );
  return prunable(members, keep);
}
