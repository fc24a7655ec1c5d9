import type { CurrentOperation } from '../../backend.js';
import type { StackId } from '../../stack-id.js';
import type { BackendContext } from '../backend-context.js';
import { layout } from '../layout.js';
import { newestChange } from '../records/read-changes.js';
import { lockHolders } from './lock-file.js';

/** Returns the change that runs under a lock of the stack. */
export async function runningOperation(
  context: BackendContext,
  id: StackId,
): Promise<CurrentOperation | undefined> {
  const [holder] = await lockHolders(context.store, id);
  if (holder === undefined) return undefined;
  const row = await newestChange(context, id, ({ running }) => running);
  return row && { kind: row.kind, author: `${holder.username}@${holder.hostname}`, started: row.spawned };
}

/** Removes every lock of the stack that a process holds or has left. Resolves with false if there is none. */
export async function releaseLocks({ store }: BackendContext, id: StackId): Promise<boolean> {
  const holders = (await lockHolders(store, id)).filter(({ reason }) => reason === undefined);
  for (const { key } of holders) await store.delete(key);
  await store.sweep?.(layout.locksOf(id));
  return holders.length > 0;
}
