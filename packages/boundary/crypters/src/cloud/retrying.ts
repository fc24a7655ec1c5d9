import { retrying as repeat, systemRetryPorts } from '@cairn/retries';
import type { RetryLimits, RetryPorts } from '@cairn/retries';
import type { KeyFailureKind } from './key-service.js';
import { KeyFailure } from './key-service.js';

/** Total number of calls to a key service, and the waits between them in milliseconds. */
const RETRY = {
  attempts: 5,
  firstMs: 200,
  mostMs: 5_000,
  askedMostMs: 5_000,
  totalMs: 30_000,
} as const satisfies RetryLimits;

/**
 * Kinds of failures that another attempt can fix. Wrapping and unwrapping change nothing in a service, so each may be
 * repeated.
 */
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

/** Calls a service until it answers, or until another attempt cannot help; then it throws the last failure. */
export function retryKeyCall<T>(call: () => Promise<T>, ports: RetryPorts = systemRetryPorts): Promise<T> {
  const passing = (thrown: unknown) =>
    thrown instanceof KeyFailure && PASSES[thrown.kind] ? { afterMs: thrown.retryAfterMs } : undefined;
  return repeat({ ports, limits: RETRY, passing }, call);
}
