import type { Claim } from '@cairn/changes';
import type { Crypter } from '@cairn/crypters';
import type { Diagnostic } from '@cairn/diagnostics';
import type { SerializedDeployment, Snapshot } from '@cairn/state';
import type { OpenCrypter } from '../open-crypter.js';
import type { StackId } from '../stack-id.js';
import type { ChangeLineage } from './change-lineage.js';
import type { FinishedChange, StoredChange } from './change-row.js';
import type { OperationLog, OperationStart } from './operation-log.js';

/**
 * Options of reading. `integrity` defaults to what the ports say, else `check`. `skip` is for outputs, export, repair
 * and `--disable-integrity-checking`.
 */
export interface ReadOptions {
  readonly integrity?: 'check' | 'skip';
}

/** Options of a lease: the means to decode the state. */
export interface LeaseOptions extends ReadOptions {
  readonly openCrypter: OpenCrypter;
  /**
   * Resources that the operation will touch, if not the whole stack. The operation may then run beside others of ours
   * that leave these alone. Claim exclusively what it creates or alters, and shared what it only refers to. Fails with
   * `CAIRN-CHANGE-CONFLICT` [REC-16].
   */
  readonly claims?: readonly Claim[];
  /**
   * Called while waiting for the lock. If it returns true, the caller wants to stop, and waiting fails with
   * `CAIRN-CANCELLED`.
   */
  readonly interrupted?: () => boolean;
}

/** Stack that is ours until `release`. */
export interface StackLease {
  readonly stack: StackId;
  /** Deployment as stored, after recovery. Operations start from it. */
  readonly deployment: SerializedDeployment;
  /** The same deployment, decoded with {@link crypter}. Its positions are base indexes of journal entries. */
  readonly snapshot: Snapshot;
  readonly crypter: Crypter;
  /** Results of recovery: notes (`info`), and one `CAIRN-IN-DOUBT` warning per step whose outcome is unknown. */
  readonly notes: readonly Diagnostic[];
  /** Changes that had ended and that recovery has stored, oldest first. */
  readonly finished: readonly FinishedChange[];
  /** The newest lineage of changes, if it did not end and can be continued or rolled back. */
  readonly unfinished: ChangeLineage | undefined;
  /**
   * The changes whose records contain the steps in doubt, with all later changes, oldest first. Empty for a stack in
   * order. Includes superseded changes: an operation resolves these steps before it does anything else.
   */
  readonly inDoubt: readonly StoredChange[];
  /**
   * Returns the lineage of a chosen change, even if it ended. Fails with `CAIRN-CHANGE-UNKNOWN` when its record is no
   * longer kept. Fails with `CAIRN-CHANGE-SUPERSEDED` when it is not the newest lineage or the state was altered since.
   */
  lineage(number: number): Promise<ChangeLineage>;
  /**
   * Begins an operation, and opens its journal. One at a time. A store that did not hold the stack holds it from now
   * on. Fails with {@link BaseMovedError} if the state is no longer the one of this lease.
   */
  begin(operation: OperationStart): Promise<OperationLog>;
  /** Releases the stack. Idempotent. */
  release(): Promise<void>;
}
