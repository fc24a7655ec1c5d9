import { isCairnError, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { Replayer, emptyDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { getJournalFile, listJournals } from '../journal/journal-files.js';
import { readEntries } from '../journal/journal-replay.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import type { StackId } from '../stack-id.js';

/** The state as a reader without the lock sees it. */
export interface ReadableState {
  readonly deployment: SerializedDeployment | undefined;
  readonly warnings: readonly Diagnostic[];
}

/**
 * A state is always replay(checkpoint, journal) (DESIGN section 3): what an operation has recorded and not folded yet, because it runs or
 * died, is part of what is read, with a note. Writes nothing. A journal that cannot be used is a warning and the checkpoint is taken as it
 * is, so that looking at a stack and exporting it always work.
 */
export async function readUnfolded(
  context: BackendContext,
  id: StackId,
  checkpoint: StoredCheckpoint,
): Promise<ReadableState> {
  const stored = deploymentOf(checkpoint);
  const row = (await listJournals(context.store, id)).at(-1);
  if (row === undefined || row.files.has(JOURNAL_FILES.sealed)) return { deployment: stored, warnings: [] };
  const directory = layout.journalOf(id, row.change);
  try {
    const operation = await getJournalFile(context.store, directory, 'operation');
    const { source, entries } = await readEntries(context.store, directory);
    if (operation?.base !== checkpoint.digest || entries.length === 0)
      return { deployment: stored, warnings: [] };
    const replayer = new Replayer(stored ?? emptyDeployment, source);
    for (const entry of entries) replayer.add(entry);
    const deployment = replayer.generate((stored ?? emptyDeployment).manifest);
    return { deployment, warnings: [unfoldedNote(row.number, entries.length)] };
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    return {
      deployment: stored,
      warnings: thrown.diagnostics.map((found) => ({ ...found, severity: 'warning' })),
    };
  }
}

function unfoldedNote(number: number, entries: number): Diagnostic {
  return warningDiagnostic(
    'CAIRN-IN-DOUBT',
    `operation ${number} runs, or ended early: the state includes the ${entries} entries that it recorded so far`,
    {
      hint: 'When it does not run any more, the next `cairn up`, `cairn refresh` or `cairn destroy` takes it over.',
    },
  );
}
