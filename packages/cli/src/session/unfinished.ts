import type { ChangeRow } from '@cairn/backends';
import type { Diagnostic } from '@cairn/diagnostics';
import { HAPPENED } from '@cairn/operations/stacks';
import { formatAge } from '../terminal/duration.js';

/** What is said of a change that runs or did not end, and what can be done about it. */
export function unfinishedNote({ id, kind, running, result, tasks }: ChangeRow): Diagnostic {
  const counts = `${tasks.done} done${tasks.doubt === 0 ? '' : `, ${tasks.doubt} in doubt`}`;
  const what = running ? 'runs' : HAPPENED[result ?? 'interrupted'];
  return {
    severity: 'info',
    code: 'CAIRN-UNFINISHED',
    summary: `change ${id} (${kind}) ${what}: ${counts}`,
    hint: running
      ? `\`cairn watch ${id}\` follows it, \`cairn abort ${id}\` stops it`
      : `\`cairn resume ${id}\` goes on, \`cairn rollback ${id}\` rolls it back, \`cairn change ${id}\` shows it`,
  };
}

/** What is said, each time, of a change that did not end and has rested for too long. */
export function overdueWarning({ id, spawned }: Pick<ChangeRow, 'id' | 'spawned'>, now: Date): Diagnostic {
  return {
    severity: 'warning',
    code: 'CAIRN-UNFINISHED',
    summary: `change ${id} was begun ${formatAge(new Date(spawned), now)} and is still not finished`,
    hint: `The longer it rests, the more may have changed around it: \`cairn resume ${id}\` goes on with it, \`cairn rollback ${id}\` rolls it back.`,
  };
}
