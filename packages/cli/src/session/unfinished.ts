import type { ChangeRow, StackLease } from '@cairn/backends';
import type { Diagnostic } from '@cairn/diagnostics';
import { chooseOne } from '../terminal/prompt.js';
import type { World } from '../world.js';
import { isConfirmed } from './confirm.js';
import { tell } from './tell.js';
import { overdueWarnings } from './overdue.js';
import type { Operation } from './operate.js';
import type { Prepared } from './prepare.js';

/** What is done about a line of changes that did not end. */
export type Course = 'anew' | 'resume' | 'rollback' | 'cancel';

/**
 * Says what happened when the stack has a change that did not end, and what can be done. An `up` on a terminal asks;
 * every other operation begins a change of its own, which supersedes it.
 */
export async function chooseCourse(
  world: World,
  { kind, flags }: Pick<Operation, 'kind' | 'flags'>,
  { unfinished, notes }: Pick<StackLease, 'unfinished' | 'notes'>,
): Promise<Course> {
  if (unfinished === undefined) return 'anew';
  if (!notes.some(({ code }) => code === unfinished.note.code)) tell(world, [unfinished.note]);
  tell(world, overdueWarnings(unfinished.changes[0]?.row, world.now()));
  if (kind !== 'up' || !world.terminal.interactive || isConfirmed(world, flags)) return 'anew';
  const answer = await chooseOne(
    world,
    `Change ${Number(unfinished.latest)} is not finished. What shall be done?`,
    [
      { value: 'resume', label: 'resume', hint: 'go on with it' },
      { value: 'rollback', label: 'roll back', hint: 'take it back; shows what will be done first' },
      { value: 'anew', label: 'start anew', hint: 'a new update from the state as it is' },
      { value: 'cancel', label: 'cancel', hint: 'leave everything as it is' },
    ] as const,
    unfinished.state === 'failed' ? 'anew' : 'cancel',
  );
  return answer ?? 'cancel';
}

/**
 * For commands that take no lock: names a change that did not end, or one that runs. Damaged records do not keep
 * anybody from looking.
 */
export async function tellUnfinished(world: World, { backend, id }: Prepared): Promise<void> {
  const [newest] = await backend.changes(id).catch(() => []);
  if (newest !== undefined && (newest.unfinished || newest.running))
    tell(world, [noteOf(newest), ...overdueWarnings(newest, world.now())]);
}

function noteOf(row: ChangeRow): Diagnostic {
  const { id, kind, running, result, tasks } = row;
  const counts = `${tasks.done} done${tasks.doubt === 0 ? '' : `, ${tasks.doubt} in doubt`}`;
  const what = running ? 'runs' : HAPPENED[result ?? 'interrupted'];
  return {
    severity: 'info',
    code: 'CAIRN-UNFINISHED',
    summary: `change ${id} (${kind}) ${what}: ${counts}`,
    hint: running
      ? `\`cairn watch ${id}\` follows it, \`cairn abort ${id}\` stops it`
      : `\`cairn resume ${id}\` goes on, \`cairn rollback ${id}\` takes it back, \`cairn change ${id}\` shows it`,
  };
}

/** How a change ended, as a verb. */
export const HAPPENED: Readonly<Record<NonNullable<ChangeRow['result']>, string>> = {
  succeeded: 'is done',
  failed: 'failed',
  interrupted: 'ended early',
  nothing: 'did nothing',
  waiting: 'waits',
  'rolled-back': 'was rolled back',
};
