import type { ChangeRow } from '@cairn/backends';
import { PRUNE_LIMITS, planPrune } from '@cairn/changes';
import type { Diagnostic } from '@cairn/diagnostics';
import { formatAge } from '../terminal/duration.js';

/**
 * A warning about an unfinished change that nobody works on and that has rested for longer than changes may [CHG-20]. A
 * service aborts such a change; a command takes nothing back that nobody has asked it to, and says so each time.
 * `change`: unfinished, or running.
 */
export function overdueWarnings(
  change: Pick<ChangeRow, 'id' | 'spawned' | 'running'> | undefined,
  now: Date,
): readonly Diagnostic[] {
  if (change === undefined || change.running) return [];
  const { id, spawned } = change;
  const begun = new Date(spawned);
  // What a journal records is never without a task for long: whether it had one does not matter here.
  const candidate = {
    id,
    spawnedMs: begun.getTime(),
    endedMs: undefined,
    tasks: 1,
    held: false,
    stillPending: false,
  };
  if (planPrune([candidate], now.getTime(), PRUNE_LIMITS).abort.length === 0) return [];
  return [
    {
      severity: 'warning',
      code: 'CAIRN-UNFINISHED',
      summary: `change ${id} was begun ${formatAge(begun, now)} and is still not finished`,
      hint: `The longer it rests, the more may have changed around it: \`cairn resume ${id}\` goes on with it, \`cairn rollback ${id}\` rolls it back.`,
    },
  ];
}
