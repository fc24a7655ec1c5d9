import { cairnError } from '@cairn/diagnostics';
import type { BackendContext } from '../backend-context.js';
import { layout } from '../layout.js';
import { lockHolders, reasonedLockBytes } from '../locks/lock-file.js';
import type { StackId } from '../../stack-id.js';
import { lockStack } from './locked.js';
import type { LockHolder } from '../../model/lock-holder.js';

const LONGEST_REASON = 500;

/**
 * Locks a stack for a person, once no process works on it. The lock stays until {@link unlockStack} removes it. Fails
 * as locking does [STORE-16].
 */
export async function lockWithReason(
  context: BackendContext,
  id: StackId,
  reason: string,
  lockId: string,
): Promise<LockHolder> {
  checkReason(reason);
  const own = await lockStack(context, id);
  try {
    const bytes = reasonedLockBytes(context.process, context.now(), reason);
    await own.during(async () => void (await context.store.put(layout.lock(id, lockId), bytes)));
    return (await lockHolders(context.store, id)).find((holder) => holder.id === lockId) as LockHolder;
  } finally {
    await own.release();
  }
}

/** Removes the lock of a person, as it was read. Fails when it is another one by now. */
export async function unlockStack({ store }: BackendContext, id: StackId, lock: LockHolder): Promise<void> {
  const removed = await store.delete(lock.key, { ifVersion: lock.version });
  if (removed.ok) return;
  throw cairnError('CAIRN-STATE-LOCKED', `the lock of stack "${id.stack}" was changed meanwhile`, {
    hint: 'Run the command again.',
  });
}

/** Refuses a reason that is not one line of text. */
function checkReason(reason: string): void {
  const odd = /\p{Cc}/u.test(reason);
  if (reason.trim() !== '' && !odd && reason.length <= LONGEST_REASON) return;
  throw cairnError('CAIRN-USAGE', 'cannot lock the stack: the reason must be one line of text', {
    hint: `Pass --reason with up to ${LONGEST_REASON} characters, e.g. --reason "repairing the network by hand".`,
  });
}
