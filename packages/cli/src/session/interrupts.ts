import { EXIT } from '@cairn/diagnostics';
import type { RunningOperation } from '@cairn/engine';
import type { Display } from '../display/display.js';
import type { World } from '../world.js';

const IMPATIENT_MS = 1000;

/**
 * What interrupts do (CLI.md 2.10): the first stops starting steps and waits for running ones, the second abandons them and
 * leaves them in doubt, a third within a second ends the process at once. A preview ends at the first. Returns the way to stop
 * listening.
 */
export function handleInterrupts(
  world: World,
  phase: 'preview' | 'run',
  display: Display,
  running: () => RunningOperation | undefined,
): () => void {
  let heard = 0;
  let secondAt = 0;
  return world.onInterrupt(() => {
    heard += 1;
    if (phase === 'preview') {
      display.say('interrupted: the preview ends here');
      running()?.kill();
      if (heard > 1) process.exit(EXIT.cancelled);
      return;
    }
    if (heard === 1) {
      display.say(
        'interrupted: no further step starts; waiting for running ones. Interrupt again to abandon them.',
      );
      running()?.cancel();
    } else if (heard === 2) {
      secondAt = world.now().getTime();
      display.say(
        'interrupted again: running steps are abandoned and stay in doubt; what was recorded is kept',
      );
      running()?.kill();
    } else if (world.now().getTime() - secondAt <= IMPATIENT_MS) {
      process.exit(EXIT.cancelled);
    }
  });
}
