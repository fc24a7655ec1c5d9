import { EXIT, exitStatus } from '@cairn/diagnostics';
import { exitDetail } from './exit-detail.js';
import type { World } from '../world.js';

type Signal = 'SIGINT' | 'SIGTERM';
/** What is used of a process. */
interface Process {
  readonly env: World['env'];
  on(signal: Signal, handle: (signal: Signal) => void): unknown;
  off(signal: Signal, handle: (signal: Signal) => void): unknown;
  exit(code: number): unknown;
}

/**
 * Interrupt and terminate of a process, for those who listen. While nobody has listened or the last has left without
 * hearing any, the process ends by them as usual. Once one was heard, the command is ending, and the exit code is its
 * own: of those that come when nobody listens any more, the first changes nothing, the second ends the process at once
 * as cancelled. A hang-up is left to its default: the process ends, and what it recorded is taken over by the next
 * command.
 */
export function signalsOf(self: Process): World['onInterrupt'] {
  const listeners = new Set<{ readonly listener: (signal: Signal) => void }>();
  let heard = false;
  let late = 0;
  const handle = (signal: Signal): void => {
    heard = true;
    if (listeners.size > 0) for (const { listener } of [...listeners]) listener(signal);
    else if ((late += 1) > 1) self.exit(exitStatus(EXIT.cancelled, exitDetail(self.env)));
  };
  const listen = (how: 'on' | 'off'): void => {
    self[how]('SIGINT', handle);
    self[how]('SIGTERM', handle);
  };
  return (listener) => {
    const entry = { listener };
    if (listeners.size === 0 && !heard) listen('on');
    listeners.add(entry);
    return () => {
      if (listeners.delete(entry) && listeners.size === 0 && !heard) listen('off');
    };
  };
}
