import { EXIT, exitStatus } from '@cairn/diagnostics';
import { exitDetail } from './exit-detail.js';
import type { CommandContext } from '../command-context.js';

type Signal = 'SIGINT' | 'SIGTERM';
/** The used parts of a process. */
interface Process {
  readonly env: CommandContext['env'];
  on(signal: Signal, handle: (signal: Signal) => void): unknown;
  off(signal: Signal, handle: (signal: Signal) => void): unknown;
  exit(code: number): unknown;
}

/**
 * Handles interrupt and terminate signals of a process, and passes them to listeners. The signals end the process as
 * usual while there has been no listener, or after the last one has left without receiving any. After a first signal
 * the command is ending, and sets its own exit code. After the last listener is removed, the first signal has no
 * effect. The second one ends the process immediately as cancelled. A hang-up keeps its default: the process ends, and
 * the next command recovers its records.
 */
export function signalsOf(self: Process): CommandContext['onInterrupt'] {
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
