import { EXIT } from '@cairn/diagnostics';
import type { RunningOperation } from '@cairn/engine';
import type { Display } from '../display/display.js';
import type { World } from '../world.js';

const IMPATIENT_MS = 1000;

/** Interrupts of one phase. */
export interface Interrupts {
  /** Hands over the operation as soon as there is one; what was asked for before is done to it at once. */
  started(running: Pick<RunningOperation, 'cancel' | 'kill'>): void;
  /** Stops listening. */
  stop(): void;
}

/**
 * What interrupts do (CLI.md 2.10): the first stops starting steps and waits for running ones, the second abandons them and
 * leaves them in doubt, a third within a second ends the process at once. A preview ends at the first.
 */
export function handleInterrupts(world: World, phase: 'preview' | 'run', display: Display): Interrupts {
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
      display.say(
        'interrupted: no further step starts; waiting for running ones. Interrupt again to abandon them.',
      );
      apply();
    } else if (heard === 2) {
      secondAt = world.now().getTime();
      display.say(
        'interrupted again: running steps are abandoned and stay in doubt; what was recorded is kept',
      );
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

/** Listens while no phase does, so that an interrupt between two phases neither ends the process nor goes unheard. */
export function rememberInterrupts(world: World): { readonly heard: () => boolean; stop(): void } {
  let heard = false;
  const stop = world.onInterrupt(() => (heard = true));
  return { heard: () => heard, stop };
}
