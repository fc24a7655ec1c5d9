import { EXIT, exitStatus } from '@cairn/diagnostics';
import type { RunningOperation } from '@cairn/engine';
import { stopGraceMs } from '@cairn/operations/stacks';
import { exitDetail } from '../terminal/exit-detail.js';
import type { CommandContext } from '../command-context.js';

/** Signals less than this apart count as one: a terminal and a parent that forwards it both send it. Milliseconds. */
const SAME_MS = 150;

/** Interrupts of one phase. */
interface Interrupts {
  /** Sets the operation as soon as there is one. Earlier interrupts are applied to it at once. */
  started(running: Interruptible): void;
  /** Stops listening. */
  stop(): void;
}

/** Ways to end an operation. */
type Interruptible = Pick<RunningOperation, 'cancel' | 'cancelRunning' | 'kill'>;

/** Display that receives messages about interrupts, and names running steps. */
export interface InterruptedDisplay {
  say(line: string): void;
  /** Reports that no further step begins. Optional. */
  stopping?(): void;
  /** Returns the running steps with their durations. */
  running(): readonly string[];
}

/**
 * Handles interrupts [CLI-9]. The first one starts no further step and waits for running ones. The second asks
 * providers to end those, and leaves steps without an answer in doubt after a grace period. The third ends the process
 * at once. A preview ends at the first. `change` is the id of the change being made.
 */
export function handleInterrupts(
  context: CommandContext,
  phase: 'preview' | 'run',
  display: InterruptedDisplay,
  change?: string,
): Interrupts {
  let heard = 0;
  let heardAt = -Infinity;
  let running: Interruptible | undefined;
  const apply = (): void => {
    if (phase === 'preview') running?.kill();
    else if (heard > 1) running?.cancelRunning();
    else running?.cancel();
  };
  const stop = context.onInterrupt(() => {
    const now = context.now().getTime();
    if (Math.abs(now - heardAt) < SAME_MS) return;
    heardAt = now;
    heard += 1;
    display.stopping?.();
    display.say(lineFor(phase, heard, display.running(), change, stopGraceMs(context.env)));
    if (heard > (phase === 'preview' ? 1 : 2))
      process.exit(exitStatus(EXIT.cancelled, exitDetail(context.env)));
    apply();
  });
  return {
    started(operation) {
      running = operation;
      if (heard > 0) apply();
    },
    stop,
  };
}

const MOST_NAMED = 5;

/** Returns a list such as `create a (3.1s), update b (12s) and 4 more`. */
export function named(steps: readonly string[]): string {
  const more = steps.length - MOST_NAMED;
  const first = steps.slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}

function lineFor(
  phase: 'preview' | 'run',
  heard: number,
  running: readonly string[],
  change: string | undefined,
  graceMs: number,
): string {
  const next = change === undefined ? '' : `; \`cairn resume ${change}\` continues it`;
  if (phase === 'preview') return heard === 1 ? 'interrupted: the preview ends here' : 'interrupted again';
  if (heard === 1) return firstLine(running);
  if (heard === 2) return `interrupted again: ${cancelledLine(running, graceMs)}${next}`;
  const doubt = running.length === 0 ? '' : `; in doubt: ${named(running)}`;
  return `interrupted a third time: this process ends now${doubt}. What was recorded is kept${next}`;
}

function firstLine(running: readonly string[]): string {
  if (running.length === 0) return 'interrupted: no further step starts, and none is running';
  return `interrupted: no further step starts; waiting for running ones: ${named(running)}. Interrupt again to cancel them.`;
}

/**
 * Describes the outcome for running steps whose providers are asked to end them. `graceMs` is the time they get, in
 * milliseconds.
 */
export function cancelledLine(running: readonly string[], graceMs: number): string {
  if (running.length === 0) return 'no step is running';
  return `asking the providers to end ${named(running)}; what has not answered in ${graceMs / 1000} s is in doubt`;
}
