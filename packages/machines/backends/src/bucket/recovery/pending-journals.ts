import type { Diagnostic } from '@cairn/diagnostics';
import type { BackendContext } from '../backend-context.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { FoldMember } from '../journal/fold-plan.js';
import { getJournalFile } from '../journal/journal-files.js';
import { Journals } from '../journal/journals.js';
import { layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { begunBy, deadMember, isEmpty, readDead } from './dead-journal.js';

/** Journals that wait for the last operation beside them to end. */
interface PendingJournals {
  readonly members: readonly FoldMember[];
  readonly diagnostics: readonly Diagnostic[];
}

export const NOTHING_LEFT: PendingJournals = { members: [], diagnostics: [] };

/**
 * Returns the journals of operations that ran beside this one: those that ended, and those that died, with their steps
 * in doubt. Only those of the same base. Any other, and one in which nothing was recorded, is left to recovery. Called
 * by the last of them, alone on the stack.
 */
export async function leftBeside(
  { store, now }: BackendContext,
  id: StackId,
  base: StoredCheckpoint,
  own: number,
): Promise<PendingJournals> {
  const members: FoldMember[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const row of await (await Journals.of(store, id)).open()) {
    if (row.number === own) continue;
    const directory = layout.journalOf(id, row.change);
    const operation = await getJournalFile(store, directory, 'operation');
    if (operation?.base !== base.digest) continue;
    const dead = await readDead(store, row, directory, operation);
    const { ended } = dead;
    const { member, doubts } = deadMember(dead, base, now());
    members.push(
      isEmpty(dead) ? { ...member, history: undefined, end: { ...member.end, result: 'nothing' } } : member,
    );
    if (ended === undefined && !isEmpty(dead)) diagnostics.push(diedNote(row.number, begunBy(operation)));
    diagnostics.push(...doubts);
  }
  return { members, diagnostics };
}

function diedNote(number: number, who: string): Diagnostic {
  return {
    severity: 'info',
    code: 'CAIRN-UNFINISHED',
    summary: `operation ${number}, which ran in parallel, ended early: the state now contains what it recorded`,
    causes: [who],
    hint: `Run \`cairn change ${number}\` to see it.`,
  };
}
