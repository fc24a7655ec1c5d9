import type { BlobStore } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { layout } from '../layout.js';
import type { StackId } from '../stack-id.js';
import { lockBytes, lockHolders } from './lock-file.js';
import type { HolderProcess, LockHolder } from './lock-file.js';

/** Who takes locks, and by which rules. `id`: UUID of this backend instance, used for all its locks. */
export interface Locker {
  readonly store: BlobStore;
  readonly id: string;
  readonly process: HolderProcess;
  readonly now: () => Date;
}

/** A lock that is held. `takenOver`: locks of dead operations that were removed for it. */
export interface HeldLock {
  readonly takenOver: readonly LockHolder[];
  release(): Promise<void>;
}

/**
 * Takes the stack's lock the way the other tool does (state.md 5.7): look, write one's own, look again. Fails with `CAIRN-STATE-LOCKED`
 * naming every holder. Only locks that `mayTakeOver` allows are removed: of two processes that do so at once, both fail.
 */
export async function takeLock(
  locker: Locker,
  id: StackId,
  mayTakeOver: (holder: LockHolder) => Promise<boolean>,
): Promise<HeldLock> {
  const { store } = locker;
  const own = layout.lock(id, locker.id);
  const takenOver: LockHolder[] = [];
  for (const holder of await otherHolders(locker, id)) {
    if (!isDead(holder, locker.process) || !(await mayTakeOver(holder))) throw locked(await otherHolders(locker, id), locker, id);
    takenOver.push(holder);
  }
  for (const holder of takenOver) await store.delete(holder.key);
  await store.put(own, lockBytes(locker.process, locker.now()));
  const release = async (): Promise<void> => {
    await store.delete(own);
  };
  const others = await otherHolders(locker, id).catch(async (thrown: unknown) => {
    await release();
    throw thrown;
  });
  if (others.length > 0) {
    await release();
    throw locked(others, locker, id);
  }
  return { takenOver, release };
}

async function otherHolders(locker: Locker, id: StackId): Promise<readonly LockHolder[]> {
  return (await lockHolders(locker.store, id)).filter((holder) => holder.id !== locker.id);
}

/** Whether the holder was a process of this host that is gone. */
function isDead(holder: LockHolder, self: HolderProcess): boolean {
  return holder.hostname === self.hostname && holder.pid > 0 && !self.isAlive(holder.pid);
}

function locked(holders: readonly LockHolder[], locker: Locker, id: StackId): CairnError {
  const dead = holders.every((holder) => isDead(holder, locker.process));
  const hint = dead
    ? 'Its process does not run any more on this machine. Remove the lock with `cairn cancel`, then run the command again.'
    : 'Wait until it is done. When nobody works on the stack, remove the lock with `cairn cancel`.';
  return cairnError('CAIRN-STATE-LOCKED', `stack "${id.stack}" is locked: somebody else works on it`, {
    causes: holders.map(
      (holder) =>
        `${holder.username}@${holder.hostname} (process ${holder.pid}) since ${holder.timestamp}: ${locker.store.url}/${holder.key}`,
    ),
    hint,
  });
}
