import type { ChangeRow } from '@cairn/backends';
import { PRUNE_LIMITS, planPrune } from '@cairn/changes';

/**
 * Whether an unfinished change that nobody works on has rested for longer than changes may [CHG-20]. A service aborts
 * such a change; a command takes nothing back that nobody has asked it to. `change`: unfinished, or running.
 */
export function isOverdue(change: Pick<ChangeRow, 'id' | 'spawned' | 'running'>, now: Date): boolean {
  if (change.running) return false;
  // What a journal records is never without a task for long: whether it had one does not matter here.
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
