import { hostname, userInfo } from 'node:os';
import type { ControlMessage, OperationLog } from '@cairn/backends';
import type { RunningOperation } from '@cairn/engine';
import { unreachable } from '@cairn/diagnostics';
import type { InterruptedDisplay } from './interrupts.js';
import type { World } from '../world.js';
import { tell } from './tell.js';

/** Who tells a change something, for its record. */
export function whoAsks(): string {
  return `${userInfo().username}@${hostname()}`;
}

/** Does what other processes ask of a running operation, and says that it does. */
export function heedMessages(
  world: World,
  log: Pick<OperationLog, 'onMessage'>,
  running: Pick<RunningOperation, 'abort' | 'approve'>,
  display: Pick<InterruptedDisplay, 'say'>,
): void {
  log.onMessage({
    hear: (message) => heed(message, running, display),
    warn: (diagnostic) => tell(world, [diagnostic]),
  });
}

function heed(
  message: ControlMessage,
  running: Pick<RunningOperation, 'abort' | 'approve'>,
  display: Pick<InterruptedDisplay, 'say'>,
): void {
  switch (message.t) {
    case 'abort':
      display.say(
        `${message.by} asks to stop: no further step starts${message.rollback ? ', and what was done is taken back' : ''}`,
      );
      running.abort({ rollback: message.rollback });
      return;
    case 'approve':
      display.say(
        running.approve(message.task, message.by)
          ? `${message.by} agrees to task ${message.task}`
          : `${message.by} agrees to task ${message.task}, which does not wait for it now`,
      );
      return;
    case 'resolve':
      display.say(
        `${message.by} has answered for task ${message.task}; it counts when the change is resumed`,
      );
      return;
    default:
      unreachable(message);
  }
}
