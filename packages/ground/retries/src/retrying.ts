import { setTimeout as pause } from 'node:timers/promises';

/** Clock, random numbers and sleep for retries. `now`: milliseconds that only grow; `random`: from 0 to below 1. */
export interface RetryPorts {
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Ports of this machine. */
export const systemRetryPorts: RetryPorts = {
  now: () => performance.now(),
  random: Math.random,
  sleep: (ms) => pause(ms),
};

/** Limits of the number of attempts and of the waits between them. Times in milliseconds. */
export interface RetryLimits {
  readonly attempts: number;
  /** Upper bound of the first wait. It doubles with each failure. */
  readonly firstMs: number;
  readonly mostMs: number;
  /** Longest wait that a service can ask for. A longer request is cut to this. */
  readonly askedMostMs: number;
  /** Time after the start of the first attempt by which every wait must end. */
  readonly totalMs: number;
}

/**
 * A failure after which another attempt may help. `afterMs`: the wait that the service asks for. `price`: cost of the
 * retry in the budget.
 */
export interface Passing {
  readonly afterMs?: number | undefined;
  readonly price?: number;
}

/** Limits the retries of many calls together: each costs its price, and successes earn some of it back. */
export interface RetryBudget {
  /** Returns false if the budget has not enough left. */
  pay(price: number): boolean;
  /** Reports a success. `paid`: price of its last retry; 0 if the first attempt succeeded. */
  earn(paid: number): void;
}

/** Rules that decide when a call is retried. */
export interface RetryRules {
  readonly limits: RetryLimits;
  /** Classifies a failure. Returns `undefined` if another attempt cannot help; the failure is then thrown. */
  readonly passing: (thrown: unknown) => Passing | undefined;
  readonly ports: RetryPorts;
  readonly budget?: RetryBudget | undefined;
}

/**
 * Returns the milliseconds to wait after failed attempt `failed` (1 is the first). The wait is random up to a bound
 * that doubles (full jitter), so that calls that failed together do not retry together. It is at least the wait that
 * the service asked for, up to `askedMostMs`.
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
 * Makes attempts until one succeeds or fails in a way that a retry cannot help. Throws the failure of the last attempt.
 * `attempt` receives the failures of the attempts before it.
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
