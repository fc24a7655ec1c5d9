import type { Claim } from '@cairn/changes';
import type { SerializedDeployment } from '@cairn/state';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StampedFold } from '../journal/journal-files.js';
import type { Journals } from '../journal/journals.js';
import type { HeldLock } from '../locks/stack-lock.js';
import type { StackId } from '../../stack-id.js';

/** Starting point of an operation. `base` is the checkpoint that `deployment` was read from. */
export interface OperationBase {
  readonly id: StackId;
  readonly base: StoredCheckpoint;
  readonly deployment: SerializedDeployment;
  readonly lock: HeldLock;
  /** Claims of the operation on the stack. */
  readonly claims: readonly Claim[];
  /** Journals of the stack when it was locked. Defaults to those that exist now. */
  readonly journals?: Journals;
  /** Fold of the newest of these journals. Undefined if it is not known, or if other operations run beside. */
  readonly previous?: StampedFold | undefined;
}
