import { EXIT } from '@cairn/diagnostics';
import type { RunningOperation } from '@cairn/engine';
import type { World } from '../world.js';

const IMPATIENT_MS = 1000;

/** Interrupts of one phase. */
export interface Interrupts {
  /** Hands over the operation as soon as there is one; what was asked for before is done to it at once. */
  started(running: Pick<RunningOperation, 'cancel' | 'kill'>): void;
  /** Stops listening. */
  stop(): void;
}

/** What an interrupt is told to, and what it names. */
export interface InterruptedDisplay {
  say(line: string): void;
  /** Steps that run now. */
  running(): readonly string[];
}

/**
 * What interrupts do (CLI.md 2.10): the first stops starting steps and waits for running ones, the second abandons them and
 * leaves them in doubt, a third within a second ends the process at once. A preview ends at the first. `change`: id of the change that
 * is made.
 */
export function handleInterrupts(
  world: World,
  phase: 'preview' | 'run',
  display: InterruptedDisplay,
  change?: string,
): Interrupts {
  let heard = 0;
  let secondAt = 0;
  let running: Pick<RunningOperation, 'cancel' | 'kill'> | undefined;
  const apply = (): void => {
    if (phase === 'preview' || heard > 1) running?.kill();
    else running?.cancel();
  };
  const stop = world.onInterrupt(() => {
    heard += 1;
    if (phase === 'preview') {
      if (heard > 1) process.exit(EXIT.cancelled);
      display.say('interrupted: the preview ends here');
      apply();
    } else if (heard === 1) {
      display.say(firstLine(display.running()));
      apply();
    } else if (heard === 2) {
      secondAt = world.now().getTime();
      display.say(secondLine(display.running(), change));
      apply();
    } else if (world.now().getTime() - secondAt <= IMPATIENT_MS) {
      process.exit(EXIT.cancelled);
    }
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

function named(steps: readonly string[]): string {
  const more = steps.length - MOST_NAMED;
  const first = steps.slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}

function firstLine(running: readonly string[]): string {
  if (running.length === 0) return 'interrupted: no further step starts, and none runs';
  return `interrupted: no further step starts; waiting for running ones: ${named(running)}. Interrupt again to abandon them.`;
}

function secondLine(running: readonly string[], change: string | undefined): string {
  const what =
    running.length === 0
      ? 'interrupted again'
      : `interrupted again: abandoned and now in doubt: ${named(running)}`;
  const next = change === undefined ? '' : `; \`cairn resume ${change}\` goes on with it`;
  return `${what}. What was recorded is kept${next}`;
}

/** Listens while no phase does, so that an interrupt between two phases neither ends the process nor goes unheard. */
export function rememberInterrupts(world: World): { readonly heard: () => boolean; stop(): void } {
  let heard = false;
  const stop = world.onInterrupt(() => (heard = true));
  return { heard: () => heard, stop };
}
