import type { Takeover } from './lease.js';
import type { HolderProcess, LockHolder } from '../../model/lock-holder.js';

/**
 * State of a holder at one reading. `gone`: its process ran on this machine and has ended. `running`: it runs here.
 * `stopped`: it is here and was stopped. `elsewhere`: it is on another machine, or cannot be distinguished from one
 * that is.
 */
export type HolderState = 'gone' | 'running' | 'stopped' | 'elsewhere';

/** Part of a holder that determines its state. */
type HolderMarks = Pick<LockHolder, 'pid' | 'hostname' | 'machine' | 'started'>;

/**
 * Judges a holder by its process number, which is only meaningful on the same boot of the same machine, in the same
 * container. Locks that do not record this (older ones, systems that cannot say) are judged by the name of the host.
 * The same number with another start is another process.
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

/** Returns true if the holder's process is known to have ended. */
export function isGone(holder: HolderMarks, self: HolderProcess): boolean {
  return holderStateOf(holder, self) === 'gone';
}

/**
 * Decision about a lock in the way. `remove`: its process is gone. `watch`: it may be taken over once it was seen not
 * to be renewed for its whole term. `respect`: it stays. A holder that runs here is never taken over; end its process
 * instead.
 */
export type HolderVerdict = 'remove' | 'watch' | 'respect';

/** Decides about a lock; see {@link HolderVerdict}. The reasons are in docs/state.md, "Who may take a lock over". */
export function verdictOn(holder: LockHolder, self: HolderProcess, takeover: Takeover): HolderVerdict {
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
