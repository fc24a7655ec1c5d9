import { setTimeout as pause } from 'node:timers/promises';
import { interceptMonitor } from '@cairn/wire';
import type { Monitor } from '@cairn/wire';
import { RunError } from '../resource/resource-error.js';
import type { Deployment } from './deployment.js';
import { describe, findWaitCycle, stuckError } from './stuck.js';

/** Time limits for a function that waits without any call under way, in milliseconds. */
export interface SilenceLimits {
  /** Time after which the pending requests are reported once. Defaults to 30 s. */
  readonly tellAfterMs?: number | undefined;
  /** Time after which the function fails and is no longer awaited. Never, by default. */
  readonly endAfterMs?: number | undefined;
}

const TELL_AFTER_MS = 30_000;

/** Unanswered calls of a function to its engine, and the time since there are none. */
export class OpenCalls {
  #open = 0;
  #since = performance.now();

  /** Returns the monitor with its calls counted. */
  count(monitor: Monitor): Monitor {
    return interceptMonitor(monitor, (_call, request, next) => {
      const answer = next(request);
      this.#open += 1;
      return answer.finally(() => {
        this.#open -= 1;
        this.#since = performance.now();
      });
    });
  }

  /** Number of unanswered calls. */
  get open(): number {
    return this.#open;
  }

  /** Returns the time in milliseconds for which nothing has been under way. */
  silentMs(): number {
    return this.#open > 0 ? 0 : performance.now() - this.#since;
  }
}

/**
 * Watches a function that may never end, until `over` is aborted. Reports its pending requests once, and ends it if
 * `endAfterMs` is set. Resolves when the function must end; the failure is recorded in the deployment.
 */
export async function watchSilence(
  { engine, pending, failures }: Deployment,
  calls: OpenCalls,
  { tellAfterMs = TELL_AFTER_MS, endAfterMs = Infinity }: SilenceLimits,
  over: AbortSignal,
): Promise<void> {
  let told = false;
  while (!over.aborted) {
    const silent = calls.silentMs();
    if (silent >= endAfterMs) {
      const what = waitsText(pending.list().map(describe));
      const cycle = await findWaitCycle(pending);
      const message = `the program was ended: for ${seconds(endAfterMs)} s nothing was running, and ${what}`;
      failures.report(cycle.length > 0 ? stuckError([], cycle) : new RunError(message));
      return;
    }
    if (!told && silent >= tellAfterMs) {
      told = true;
      const what = waitsText(pending.list().map(describe));
      const message = `nothing has been running for ${seconds(tellAfterMs)} s, and ${what}\nCairn waits for it until the operation is cancelled.`;
      await engine.log({ severity: 'warning', message, urn: '', streamId: 0, ephemeral: false });
    }
    const next = told ? endAfterMs : Math.min(tellAfterMs, endAfterMs);
    const wait = Math.min(Math.max(next - silent, 1), TELL_AFTER_MS);
    await pause(wait, undefined, { ref: false, signal: over }).catch(() => undefined);
  }
}

const SHOWN = 10;

function waitsText(waits: readonly string[]): string {
  if (waits.length === 0)
    return 'the program has not returned: it waits for a promise or an output of its own';
  const rest = waits.length > SHOWN ? [`  and ${waits.length - SHOWN} more`] : [];
  return ['the program still waits for:', ...waits.slice(0, SHOWN), ...rest].join('\n');
}

function seconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}
