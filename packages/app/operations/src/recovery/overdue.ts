import type { ChangeRow } from '@cairn/backends';
import { PRUNE_LIMITS, planPrune } from '@cairn/changes';

/**
 * Tells whether an unfinished change that does not run has rested for longer than allowed [CHG-20]. A service aborts
 * such a change; a command rolls nothing back unasked. `change` is unfinished, or running.
 */
export function isOverdue(change: Pick<ChangeRow, 'id' | 'spawned' | 'running'>, now: Date): boolean {
  if (change.running) return false;
  // A change in a journal is never without a task for long, so it does not matter here whether it had one.
  const candidate = {
    id: change.id,
    spawnedMs: new Date(change.spawned).getTime(),
    endedMs: undefined,
    tasks: 1,
    held: false,
    stillPending: false,
  };
  return planPrune([candidate], now.getTime(), PRUNE_LIMITS).abort.length > 0;
}
