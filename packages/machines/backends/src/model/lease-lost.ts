import { cairnError, isCairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { StackId } from '../stack-id.js';

/** Details of the error beyond the loss of the lock. */
interface LossDetails {
  /** The new holder of the stack, the steps that had begun, and the recorded ones. */
  readonly causes: readonly string[];
  readonly hint: string;
}

/**
 * Returns the error `CAIRN-LEASE-LOST`. Another process has taken over the stack while this one was paused or cut off,
 * or removed its lock.
 */
export function leaseLost(id: StackId, { causes, hint }: LossDetails, cause?: unknown): CairnError {
  return cairnError(
    'CAIRN-LEASE-LOST',
    `the lock on stack "${id.stack}" was lost to another process: this operation starts no further step`,
    { causes, hint },
    cause,
  );
}

/** Returns true if the failure comes from a takeover of the stack. */
export function isLeaseLost(thrown: unknown): thrown is CairnError {
  return isCairnError(thrown) && thrown.diagnostics.some(({ code }) => code === 'CAIRN-LEASE-LOST');
}
