import { hostname, userInfo } from 'node:os';
import type { ControlMessage, OperationLog } from '@cairn/backends';
import type { RunningOperation } from '@cairn/engine';
import { unreachable } from '@cairn/diagnostics';
import { cancelledLine, named } from './interrupts.js';
import type { InterruptedDisplay } from './interrupts.js';
import type { World } from '../world.js';
import { tell } from './tell.js';

/** Who tells a change something, for its record. */
export function whoAsks(): string {
  return `${userInfo().username}@${hostname()}`;
}

/** What can be asked of a running operation from outside. */
type Heeding = Pick<RunningOperation, 'abort' | 'approve' | 'cancelRunning' | 'kill'>;

/**
 * Does what other processes ask of a running operation, and says that it does. Who asks again to stop gets what a
 * further interrupt gets.
 */
export function heedMessages(
  world: World,
  log: Pick<OperationLog, 'onMessage'>,
  running: Heeding,
  display: InterruptedDisplay,
): void {
  let stage: Stage = 'on';
  log.onMessage({
    hear: (message) => {
      if (message.t !== 'abort') return display.say(heed(message, running));
      stage = nextStage(stage, message.rollback);
      display.say(`${message.by} asks to stop${abort(stage, running, display)}`);
    },
    warn: (diagnostic) => tell(world, [diagnostic]),
  });
}

/** How far an operation has been asked to end. */
type Stage = 'on' | 'taken-back' | 'kept' | 'cancelled' | 'left';

/** Asking the same again goes one stage further; asking to keep what was done ends the taking back. */
function nextStage(stage: Stage, rollback: boolean): Stage {
  switch (stage) {
    case 'on':
      return rollback ? 'taken-back' : 'kept';
    case 'taken-back':
      return rollback ? 'cancelled' : 'kept';
    case 'kept':
      return 'cancelled';
    case 'cancelled':
    case 'left':
      return 'left';
  }
}

const TOO_LATE = ', too late: everything was done already';

/** Asks the operation to end, and says how. */
function abort(stage: Stage, running: Heeding, display: InterruptedDisplay): string {
  const steps = display.running();
  const waits = steps.length === 0 ? '' : `; waiting for running ones: ${named(steps)}`;
  switch (stage) {
    case 'on':
      return '';
    case 'taken-back':
      if (!running.abort({ rollback: true })) return TOO_LATE;
      return `: no further step starts, and what was done is rolled back${waits}`;
    case 'kept':
      if (!running.abort({ rollback: false })) return TOO_LATE;
      return `: no further step starts${waits}`;
    case 'cancelled':
      running.cancelRunning();
      return ` once more: ${cancelledLine(steps)}`;
    case 'left':
      running.kill();
      return ` at once${steps.length === 0 ? '' : `; in doubt: ${named(steps)}`}`;
  }
}

function heed(message: Exclude<ControlMessage, { readonly t: 'abort' }>, running: Heeding): string {
  switch (message.t) {
    case 'approve':
      return running.approve(message.task, message.by)
        ? `${message.by} agrees to task ${message.task}`
        : `${message.by} agrees to task ${message.task}, which does not wait for it now`;
    case 'resolve':
      return `${message.by} has answered for task ${message.task}; it counts when the change is resumed`;
    default:
      return unreachable(message);
  }
}
