import { setTimeout as pause } from 'node:timers/promises';
import type { KeyFailureKind } from './key-service.js';
import { KeyFailure } from './key-service.js';

/** What retrying uses from outside. `random`: in [0, 1). `wait`: milliseconds. */
export interface RetryPorts {
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

export const realRetryPorts: RetryPorts = { random: Math.random, wait: (ms) => pause(ms) };

const ATTEMPTS = 5;
const FIRST_MS = 200;
const LONGEST_MS = 5_000;

/** What another attempt can help with. Wrapping and unwrapping change nothing in a service, so each may be repeated. */
const PASSES = {
  throttled: true,
  unavailable: true,
  timeout: true,
  denied: false,
  credentials: false,
  missing: false,
  'wrong-key': false,
  protocol: false,
} as const satisfies Record<KeyFailureKind, boolean>;

/**
 * How long to wait after the given failed attempt (1, 2, …), in milliseconds; undefined: give up. The wait is drawn
 * between nothing and a bound that doubles, so that many who failed together do not come back together; what the
 * service asks for is kept to, up to the longest wait.
 */
export function waitAfter(attempt: number, failure: KeyFailure, random: () => number): number | undefined {
  if (!PASSES[failure.kind] || attempt >= ATTEMPTS) return undefined;
  const drawn = random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return Math.min(LONGEST_MS, Math.max(drawn, failure.retryAfterMs ?? 0));
}

/** Calls a service until it answers, or until {@link waitAfter} gives up: then the last failure comes through. */
export async function retrying<T>(call: () => Promise<T>, ports: RetryPorts = realRetryPorts): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (thrown) {
      const wait = thrown instanceof KeyFailure ? waitAfter(attempt, thrown, ports.random) : undefined;
      if (wait === undefined) throw thrown;
      await ports.wait(wait);
    }
  }
}

/** A `Retry-After` header as milliseconds: seconds or a date (then `now` is in milliseconds since 1970). */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
