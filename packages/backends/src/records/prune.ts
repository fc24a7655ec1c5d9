import type { BlobStore } from '@cairn/blobs';
import { isCairnError } from '@cairn/diagnostics';
import { getJournalFile, listJournals, removeJournal } from '../journal/journal-files.js';
import type { JournalRow } from '../journal/journal-files.js';
import { changeNumber, layout } from '../layout.js';
import type { StackId } from '../stack-id.js';
import { kindOf } from './read-changes.js';
import { prunable } from './retention.js';
import type { Retained } from './retention.js';
import { NO_TASKS } from './tally.js';

/** Removes the journals that need not be kept. One whose small files cannot be read stays, for somebody to look at. */
export async function pruneJournals(store: BlobStore, id: StackId, keep: number): Promise<void> {
  const rows = await listJournals(store, id);
  if (rows.length <= Math.max(keep, 1)) return;
  const changes = await Promise.all(rows.map((row) => retained(store, id, row)));
  const gone = prunable(changes, keep);
  for (const { change, number } of rows)
    if (gone.has(number)) await removeJournal(store, layout.journalOf(id, change));
}

async function retained(store: BlobStore, id: StackId, { change, number }: JournalRow): Promise<Retained> {
  const directory = layout.journalOf(id, change);
  const unknown: Retained = {
    number,
    kind: 'up',
    continues: undefined,
    result: undefined,
    tasks: NO_TASKS,
    base: '',
    left: undefined,
  };
  try {
    const [operation, sealed, fold] = await Promise.all([
      getJournalFile(store, directory, 'operation'),
      getJournalFile(store, directory, 'sealed'),
      getJournalFile(store, directory, 'fold'),
    ]);
    const continues = operation?.continues;
    return {
      ...unknown,
      continues: continues && { number: changeNumber(continues.change) ?? 0, how: continues.how },
      kind: operation === undefined ? 'up' : kindOf(operation),
      result: sealed?.result,
      tasks: sealed?.tasks ?? NO_TASKS,
      base: operation?.base ?? '',
      left: sealed?.result === 'nothing' ? undefined : (sealed?.checkpoint ?? fold?.checkpoint),
    };
  } catch (thrown) {
    if (isCairnError(thrown)) return unknown;
    throw thrown;
  }
}
