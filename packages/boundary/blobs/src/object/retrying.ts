import { retrying as repeat, systemRetryPorts } from '@cairn/retries';
import type { RetryBudget, RetryLimits, RetryPorts as Ports } from '@cairn/retries';
import { ObjectFailure } from './object-client.js';

export { systemRetryPorts };

/** What repeating takes from outside. `budget`: of all requests together; absent: each has its number of attempts. */
export interface RetryPorts extends Ports {
  readonly budget?: RetryBudget;
}

/**
 * A budget as the vendor's other libraries have it: 5 tokens a repetition, 10 after a timeout, 1 back for a success at
 * once.
 */
export function retryBudget(capacity: number): RetryBudget {
  let left = capacity;
  return {
    pay: (price) => {
      const enough = left >= price;
      if (enough) left -= price;
      return enough;
    },
    earn: (paid) => {
      left = Math.min(capacity, left + (paid === 0 ? 1 : paid));
    },
  };
}

/** How often a request is made in all, and how long is waited: milliseconds. */
export const RETRY = {
  attempts: 8,
  firstMs: 100,
  mostMs: 10_000,
  askedMostMs: 30_000,
  totalMs: 90_000,
} as const satisfies RetryLimits;

/**
 * Makes attempts until one does not fail in a way that may pass. Fails with the last attempt's failure. `attempt` is
 * told whether one before it may have been carried out without our learning of it.
 */
export function retrying<T>(ports: RetryPorts, attempt: (unsure: boolean) => Promise<T>): Promise<T> {
  return repeat({ ports, limits: RETRY, passing, budget: ports.budget }, (failures) =>
    attempt(failures.some(mayHaveBeenDone)),
  );
}

function passing(thrown: unknown) {
  if (!(thrown instanceof ObjectFailure) || !thrown.retryable) return undefined;
  return { afterMs: thrown.retryAfterMs, price: thrown.kind === 'timeout' ? 10 : 5 };
}

/** A request that was turned away was not carried out; one whose answer did not come may have been. */
function mayHaveBeenDone(failure: unknown): boolean {
  return failure instanceof ObjectFailure && (failure.kind === 'timeout' || failure.kind === 'unavailable');
}
