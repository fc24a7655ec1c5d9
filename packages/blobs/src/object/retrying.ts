import { setTimeout as pause } from 'node:timers/promises';
import { ObjectFailure } from './object-client.js';

/** What repeating takes from outside. `now`: milliseconds that only grow; `random`: from 0 to below 1. */
export interface RetryPorts {
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Limits repetitions of all requests together; absent: each has its own number of attempts. */
  readonly budget?: RetryBudget;
}

/** Tokens that repetitions cost and that successes bring back. */
export interface RetryBudget {
  /** Takes the price of repeating after a failure; false: there is not enough left. */
  pay(failure: ObjectFailure): boolean;
  /** After a success. `paid`: what its repetitions cost. */
  earn(paid: number): void;
  priceOf(failure: ObjectFailure): number;
}

/**
 * A budget as the vendor's other libraries have it: 5 tokens a repetition, 10 after a timeout, 1 back for a success at
 * once.
 */
export function retryBudget(capacity: number): RetryBudget {
  let left = capacity;
  const priceOf = ({ kind }: ObjectFailure): number => (kind === 'timeout' ? 10 : 5);
  return {
    priceOf,
    pay: (failure) => {
      const enough = left >= priceOf(failure);
      if (enough) left -= priceOf(failure);
      return enough;
    },
    earn: (paid) => {
      left = Math.min(capacity, left + (paid === 0 ? 1 : paid));
    },
  };
}

/** The machine's own. */
export const systemRetryPorts: RetryPorts = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (ms) => pause(ms),
};

/** How often a request is made in all, and how long is waited: milliseconds. */
export const RETRY = {
  attempts: 8,
  firstMs: 100,
  mostMs: 10_000,
  askedMostMs: 30_000,
  totalMs: 90_000,
} as const;

/**
 * Milliseconds to wait after failed attempt `failed` (1: the first): anything up to a bound that doubles (full jitter,
 * so that many who failed at once do not come back at once), and not less than what the server asked for, within
 * reason.
 */
export function delayAfter(failed: number, askedMs: number | undefined, random: () => number): number {
  const bound = Math.min(RETRY.mostMs, RETRY.firstMs * 2 ** (failed - 1));
  return Math.max(random() * bound, Math.min(askedMs ?? 0, RETRY.askedMostMs));
}

/**
 * Makes attempts until one does not fail in a way that may pass. Fails with the last attempt's failure. `attempt` is
 * told whether one before it may have been carried out without our learning of it.
 */
export async function retrying<T>(ports: RetryPorts, attempt: (unsure: boolean) => Promise<T>): Promise<T> {
  const begun = ports.now();
  let unsure = false;
  let paid = 0;
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await attempt(unsure);
      ports.budget?.earn(paid);
      return result;
    } catch (thrown) {
      if (!(thrown instanceof ObjectFailure) || !thrown.retryable || tries === RETRY.attempts) throw thrown;
      const wait = delayAfter(tries, thrown.retryAfterMs, ports.random);
      if (ports.now() - begun + wait > RETRY.totalMs) throw thrown;
      if (ports.budget?.pay(thrown) === false) throw thrown;
      paid = ports.budget?.priceOf(thrown) ?? 0;
      unsure ||= mayHaveBeenDone(thrown);
      await ports.sleep(wait);
    }
  }
}

/** A request that was turned away was not carried out; one whose answer did not come may have been. */
function mayHaveBeenDone({ kind }: ObjectFailure): boolean {
  return kind === 'timeout' || kind === 'unavailable';
}
