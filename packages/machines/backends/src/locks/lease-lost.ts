import { cairnError, isCairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { StackId } from '../stack-id.js';

/** What the error says beyond that the lock is gone. */
interface LossDetails {
  /** Who has the stack now, what had been begun, what is recorded. */
  readonly causes: readonly string[];
  readonly hint: string;
}

/**
 * The error `CAIRN-LEASE-LOST`: somebody has taken the stack over while this process was paused or cut off, or removed
 * its lock.
 */
export function leaseLost(id: StackId, { causes, hint }: LossDetails, cause?: unknown): CairnError {
  return cairnError(
    'CAIRN-LEASE-LOST',
    `the lock on stack "${id.stack}" was taken away from this operation: it begins nothing more`,
    { causes, hint },
    cause,
  );
}

/** Whether something failed because the stack was taken over. */
export function isLeaseLost(thrown: unknown): thrown is CairnError {
  return isCairnError(thrown) && thrown.diagnostics.some(({ code }) => code === 'CAIRN-LEASE-LOST');
}
