import { setTimeout as pause } from 'node:timers/promises';
import { interceptMonitor } from '@cairn/wire';
import type { Monitor } from '@cairn/wire';
import { RunError } from '../resource/resource-error.js';
import type { Deployment } from './deployment.js';
import { describe, findCycle, stuckError } from './stuck.js';

/** How long a function may wait though nothing is under way for it, in milliseconds. */
export interface Patience {
  /** After so long it is told once what is waited for. Default: 30 s. */
  readonly tellAfterMs?: number | undefined;
  /** After so long the function is not waited for any more, and has failed. Absent: never. */
  readonly endAfterMs?: number | undefined;
}

const TELL_AFTER_MS = 30_000;

/** Calls of a function to its engine that are not answered, and since when there are none. */
export class Calls {
  #open = 0;
  #since = performance.now();

  /** The monitor, its calls counted. */
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

  /** Number of calls that are not answered. */
  get open(): number {
    return this.#open;
  }

  /** For how long nothing has been under way, in milliseconds. */
  silentMs(): number {
    return this.#open > 0 ? 0 : performance.now() - this.#since;
  }
}

/**
 * Watches a function that may never end, until `over` is aborted: what it waits for is told once, and ends it where
 * that was asked for. Resolves when it is to be ended; the failure is noted in the deployment.
 */
export async function watchSilence(
  { engine, pending, failures }: Deployment,
  calls: Calls,
  { tellAfterMs = TELL_AFTER_MS, endAfterMs = Infinity }: Patience,
  over: AbortSignal,
): Promise<void> {
  let told = false;
  while (!over.aborted) {
    const silent = calls.silentMs();
    if (silent >= endAfterMs) {
      const what = waitsText(pending.list().map(describe));
      const cycle = await findCycle(pending);
      const message = `the program was ended: for ${seconds(endAfterMs)} s nothing was under way, and ${what}`;
      failures.report(cycle.length > 0 ? stuckError([], cycle) : new RunError(message));
      return;
    }
    if (!told && silent >= tellAfterMs) {
      told = true;
      const what = waitsText(pending.list().map(describe));
      const message = `nothing has been under way for ${seconds(tellAfterMs)} s, and ${what}\nIt is waited for until the operation is cancelled.`;
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
