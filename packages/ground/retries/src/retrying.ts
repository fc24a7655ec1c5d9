import { setTimeout as pause } from 'node:timers/promises';

/** What repeating takes from outside. `now`: milliseconds that only grow; `random`: from 0 to below 1. */
export interface RetryPorts {
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** The machine's own. */
export const systemRetryPorts: RetryPorts = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (ms) => pause(ms),
};

/** How often a call is made in all, and how long is waited. Times in milliseconds. */
export interface RetryLimits {
  readonly attempts: number;
  /** Bound of the first wait; it doubles with each failure. */
  readonly firstMs: number;
  readonly mostMs: number;
  /** The most that a service's own wish is followed. */
  readonly askedMostMs: number;
  /** No wait ends later than this after the first attempt began. */
  readonly totalMs: number;
}

/**
 * A failure after which another attempt may help. `afterMs`: what the service asks to wait. `price`: of a repetition.
 */
export interface Passing {
  readonly afterMs?: number | undefined;
  readonly price?: number;
}

/** Limits the repetitions of many calls together: each costs its price, and successes bring some of it back. */
export interface RetryBudget {
  /** False: there is not enough left. */
  pay(price: number): boolean;
  /** After a success. `paid`: the price of its last repetition; 0 for a success at once. */
  earn(paid: number): void;
}

/** When a call is repeated. */
export interface RetryRules {
  readonly limits: RetryLimits;
  /** What a failure comes to; undefined: another attempt cannot help, and the failure goes through. */
  readonly passing: (thrown: unknown) => Passing | undefined;
  readonly ports: RetryPorts;
  readonly budget?: RetryBudget | undefined;
}

/**
 * Milliseconds to wait after failed attempt `failed` (1: the first): anything up to a bound that doubles (full jitter,
 * so that many who failed at once do not come back at once), and not less than what the service asked for, within
 * reason.
 */
export function delayAfter(
  failed: number,
  askedMs: number | undefined,
  limits: RetryLimits,
  random: () => number,
): number {
  const bound = Math.min(limits.mostMs, limits.firstMs * 2 ** (failed - 1));
  return Math.max(random() * bound, Math.min(askedMs ?? 0, limits.askedMostMs));
}

/**
 * Makes attempts until one does not fail in a way that may pass. Fails with the last attempt's failure. `attempt` is
 * told how those before it failed.
 */
export async function retrying<T>(
  { limits, passing, ports, budget }: RetryRules,
  attempt: (failures: readonly unknown[]) => Promise<T>,
): Promise<T> {
  const begun = ports.now();
  const failures: unknown[] = [];
  let paid = 0;
  for (;;) {
    try {
      const result = await attempt(failures);
      budget?.earn(paid);
      return result;
    } catch (thrown) {
      failures.push(thrown);
      const found = passing(thrown);
      if (found === undefined || failures.length >= limits.attempts) throw thrown;
      const wait = delayAfter(failures.length, found.afterMs, limits, ports.random);
      if (ports.now() - begun + wait > limits.totalMs) throw thrown;
      paid = found.price ?? 0;
      if (budget?.pay(paid) === false) throw thrown;
      await ports.sleep(wait);
    }
  }
}
