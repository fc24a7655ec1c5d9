import type { StackId } from '@cairn/backends';
import { stackKey } from '../../domain/stack-key.js';
import type { Database } from './connections.js';

/** Waits in a transaction until no other turn of the stacks runs. The order is the same for all callers. */
export async function lockStacks(db: Database, stacks: readonly StackId[]): Promise<void> {
  for (const key of [...new Set(stacks.map(stackKey))].sort())
    await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`cairn stack ${key}`]);
}
