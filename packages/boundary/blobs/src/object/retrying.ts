import { retrying as repeat, systemRetryPorts } from '@cairn/retries';
import type { RetryBudget, RetryLimits, RetryPorts as Ports } from '@cairn/retries';
import { ObjectFailure } from './object-client.js';

export { systemRetryPorts };

/**
 * External dependencies of retrying. `budget` is shared by all requests; without it each request has its number of
 * attempts.
 */
export interface ObjectRetryPorts extends Ports {
  readonly budget?: RetryBudget;
}

/**
 * Creates a budget like that of the vendor's other libraries. A retry costs 5 tokens, or 10 after a timeout. A success
 * at the first attempt returns 1.
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

/** Limits of a request: total number of attempts, and delays in milliseconds. */
export const RETRY = {
  attempts: 8,
  firstMs: 100,
  mostMs: 10_000,
  askedMostMs: 30_000,
  totalMs: 90_000,
} as const satisfies RetryLimits;

/**
 * Makes attempts until one succeeds or fails permanently. Fails with the last attempt's failure. `attempt` is informed
 * if an earlier one may have been carried out without a confirmation.
 */
export function retryRequest<T>(
  ports: ObjectRetryPorts,
  attempt: (unsure: boolean) => Promise<T>,
): Promise<T> {
  return repeat({ ports, limits: RETRY, passing, budget: ports.budget }, (failures) =>
    attempt(failures.some(mayHaveBeenDone)),
  );
}

function passing(thrown: unknown) {
  if (!(thrown instanceof ObjectFailure) || !thrown.retryable) return undefined;
  return { afterMs: thrown.retryAfterMs, price: thrown.kind === 'timeout' ? 10 : 5 };
}

/**
 * Returns true if the request may have been carried out: a refused one was not, one without an answer may have been.
 */
function mayHaveBeenDone(failure: unknown): boolean {
  return failure instanceof ObjectFailure && (failure.kind === 'timeout' || failure.kind === 'unavailable');
}
