import type { LockHolder } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { OpenStack } from '../access/open-stack.js';

/**
 * Cuts off the operations that work on the stack. Resolves with false if there is none. Throws CAIRN-STATE-LOCKED when
 * a person has locked it: that lock remains [STORE-16].
 */
export async function cancelOperation({ backend, id }: Pick<OpenStack, 'backend' | 'id'>): Promise<boolean> {
  const cancelled = await backend.cancel(id);
  const kept = await locksOfPersons({ backend, id });
  if (kept.length === 0) return cancelled;
  throw cairnError('CAIRN-STATE-LOCKED', `stack "${id.stack}" stays locked by a person`, {
    causes: kept.map(lockText),
    hint: 'Ask the person who locked it, or remove the lock with `cairn stack unlock`.',
  });
}

/** Returns the locks that users hold, without those of processes. */
export async function locksOfPersons({
  backend,
  id,
}: Pick<OpenStack, 'backend' | 'id'>): Promise<readonly LockHolder[]> {
  const holders = (await backend.bucket?.locks(id)) ?? [];
  return holders.filter(({ reason }) => reason !== undefined);
}

/** Describes a lock: its holder, time and reason. */
export function lockText({ username, hostname, timestamp, reason = '' }: LockHolder): string {
  return `locked by ${username}@${hostname} since ${timestamp}: ${reason}`;
}
