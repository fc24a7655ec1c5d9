import type { BlobStore } from '@cairn/blobs';
import { isCairnError } from '@cairn/diagnostics';
import { timeOf } from '../backend-context.js';
import { getJournalFile } from '../journal/journal-files.js';
import type { JournalRow } from '../journal/journal-files.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import type { ChangeRow } from '../../model/change-row.js';
import { NO_TASKS } from '../../model/tally.js';

/** Returns true if a failure comes from a damaged journal. */
export function isDamage(thrown: unknown): boolean {
  return isCairnError(thrown) && thrown.diagnostics.some(({ code }) => code === 'CAIRN-JOURNAL-CORRUPT');
}

/**
 * Returns the row of a change whose journal cannot be read, with what its other files still say. `why` is for display.
 */
export async function damagedRow(
  store: BlobStore,
  id: StackId,
  { change, number }: Pick<JournalRow, 'change' | 'number'>,
  why: string,
): Promise<ChangeRow> {
  const directory = layout.journalOf(id, change);
  const [operation, sealed] = await Promise.all([
    getJournalFile(store, directory, 'operation').catch(undefinedIfDamaged),
    getJournalFile(store, directory, 'sealed').catch(undefinedIfDamaged),
  ]);
  const began =
    operation === undefined
      ? ((await store.get(directory + JOURNAL_FILES.operation))?.modified ?? 0)
      : operation.startTime * 1000;
  return {
    id: String(number),
    number,
    kind: operation?.operation ?? 'up',
    status: sealed?.status ?? 'error',
    result: sealed?.result,
    running: false,
    unfinished: false,
    spawned: new Date(began).toISOString(),
    ended: timeOf(sealed?.ended),
    summary: operation?.message ?? '',
    tasks: sealed?.tasks ?? NO_TASKS,
    continues: undefined,
    damage: why,
  };
}

/** Catches the failures that {@link isDamage} recognises, and throws everything else. */
export function undefinedIfDamaged(thrown: unknown): undefined {
  if (isDamage(thrown)) return undefined;
  throw thrown;
}
