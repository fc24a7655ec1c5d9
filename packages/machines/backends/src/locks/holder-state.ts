import type { Takeover } from './lease.js';
import type { HolderProcess, LockHolder } from './lock-file.js';

/**
 * What can be known of a holder at one look. `gone`: its process does not run any more, on this machine. `running`: it
 * runs here. `stopped`: it is here and was stopped. `elsewhere`: it is on another machine, or cannot be told from one
 * that is.
 */
export type HolderState = 'gone' | 'running' | 'stopped' | 'elsewhere';

/** The part of a holder that its state is told by. */
type HolderMarks = Pick<LockHolder, 'pid' | 'hostname' | 'machine' | 'started'>;

/**
 * A number of a process means something only where the same numbers are given out: on the same boot of the same
 * machine, in the same container. Locks that do not say where (older ones, systems that cannot tell) are judged by the
 * name of the host. The same number with another start is another process.
 */
export function holderStateOf(holder: HolderMarks, self: HolderProcess): HolderState {
  const known = holder.machine !== undefined && self.machine !== undefined;
  const here = known ? holder.machine === self.machine : holder.hostname === self.hostname;
  if (!here || holder.pid <= 0) return 'elsewhere';
  if (!self.isAlive(holder.pid)) return 'gone';
  const found = self.look?.(holder.pid);
  if (found === undefined) return 'running';
  if (holder.started !== undefined && found.started !== holder.started) return 'gone';
  return found.stopped ? 'stopped' : 'running';
}

/** Whether the holder's process is known not to run any more. */
export function isGone(holder: HolderMarks, self: HolderProcess): boolean {
  return holderStateOf(holder, self) === 'gone';
}

/**
 * What to do about a lock in the way. `remove`: its process is gone. `watch`: it may be taken over once it was seen not
 * to be renewed for its whole term. `respect`: it stays. A holder that runs here is never taken over: who wants that
 * ends its process.
 */
export type Verdict = 'remove' | 'watch' | 'respect';

/** See {@link Verdict}; why it is as it is: docs/state.md, "Who may take a lock over". */
export function verdictOn(holder: LockHolder, self: HolderProcess, takeover: Takeover): Verdict {
  const state = holderStateOf(holder, self);
  switch (state) {
    case 'gone':
      return 'remove';
    case 'running':
      return 'respect';
    case 'stopped':
    case 'elsewhere':
      return mayWatch(holder, self, takeover, state) ? 'watch' : 'respect';
    default:
      return state satisfies never;
  }
}

function mayWatch(
  { ours, lease, username, hostname }: LockHolder,
  self: HolderProcess,
  takeover: Takeover,
  state: 'stopped' | 'elsewhere',
): boolean {
  if (!ours || lease === undefined || takeover === 'never') return false;
  if (takeover === 'always') return true;
  const own = state === 'elsewhere' && username === self.username && hostname === self.hostname;
  return own || (!lease.attended && self.attended !== true);
}
