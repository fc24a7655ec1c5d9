import { setTimeout as pause } from 'node:timers/promises';
import { retrying, systemRetryPorts } from '@cairn/retries';
import type { RetryOptions } from '../handler-context.js';

/** Returns {@link HandlerContext.retry} of a call. Pauses end when the signal fires, with its reason. */
export function retrier(signal: AbortSignal) {
  return async <T>(work: () => Promise<T>, options: RetryOptions): Promise<T> => {
    const { when, attempts = 8, firstMs = 500, mostMs = 20_000, totalMs = 300_000 } = options;
    const sleep = async (ms: number): Promise<void> => {
      await pause(ms, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    };
    const passing = (thrown: unknown) => {
      if (signal.aborted) return undefined;
      const answer = when(thrown);
      if (answer === false) return undefined;
      return answer === true ? {} : { afterMs: answer.afterMs };
    };
    const limits = { attempts, firstMs, mostMs, askedMostMs: totalMs, totalMs };
    return retrying({ limits, passing, ports: { ...systemRetryPorts, sleep } }, async () => work());
  };
}
