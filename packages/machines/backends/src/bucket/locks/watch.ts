import type { BlobStore } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import type { Timer } from '../../timer.js';
import type { LockHolder } from '../../model/lock-holder.js';

/** Result of watching locks. `silent`: none of them was renewed for the whole term. */
type Watched = 'silent' | 'renewed' | 'released';

/** Means to watch. `interrupted` returns true if the waiting caller wants to stop. */
interface Watcher {
  readonly store: BlobStore;
  readonly timer: Timer;
  readonly interrupted?: (() => boolean) | undefined;
}

/** Fails with `CAIRN-CANCELLED` when interrupted. */
export function refuseInterruptedWait({ interrupted }: Pick<Watcher, 'interrupted'>): void {
  if (interrupted?.() === true)
    throw cairnError('CAIRN-CANCELLED', 'interrupted while waiting for the lock of the stack');
}

const LOOKS_PER_TERM = 30;
const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 2000;

/**
 * Watches locks until one of them is renewed or released, or until the longest of their terms has passed. Time is that
 * of this process's own monotonic clock; clocks of two machines are never compared. Fails with `CAIRN-CANCELLED` when
 * interrupted.
 */
export async function watchLeases(watcher: Watcher, holders: readonly LockHolder[]): Promise<Watched> {
  const { store, timer } = watcher;
  const term = Math.max(...holders.map(({ lease }) => lease?.termMs ?? 0));
  const pause = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, term / LOOKS_PER_TERM));
  const begun = timer.ticks();
  for (;;) {
    await new Promise<void>((resolve) => timer.after(pause, resolve));
    refuseInterruptedWait(watcher);
    const waited = timer.ticks() - begun;
    const found = await Promise.all(holders.map(({ key }) => store.get(key)));
    if (found.includes(undefined)) return 'released';
    if (holders.some(({ version }, index) => found[index]?.version !== version)) return 'renewed';
    if (waited >= term) return 'silent';
  }
}
