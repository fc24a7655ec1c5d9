import { isCairnError, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { Replayer, emptyDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { getJournalFile } from '../journal/journal-files.js';
import { Journals } from '../journal/journals.js';
import { mergeStates } from '../journal/merge-states.js';
import { loadStart } from '../records/base-copy.js';
import { editedIn, readEntries } from '../journal/journal-replay.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';

/** State as a reader without the lock sees it. */
interface ReadableState {
  readonly deployment: SerializedDeployment | undefined;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Reads a state, which is always replay(checkpoint, journal) [JRN-9]. Records of an operation that are not folded yet,
 * because it runs or died, are part of the result, with a note. Writes nothing. For a journal that cannot be used it
 * warns and takes the checkpoint as it is. Looking at a stack and exporting it thus always work.
 */
export async function readUnfolded(
  context: BackendContext,
  id: StackId,
  checkpoint: StoredCheckpoint,
): Promise<ReadableState> {
  const stored = deploymentOf(checkpoint);
  let before = stored ?? emptyDeployment;
  const results: SerializedDeployment[] = [];
  const warnings: Diagnostic[] = [];
  for await (const row of (await Journals.of(context.store, id)).newestFirst()) {
    if (row.files.has(JOURNAL_FILES.sealed)) break;
    const directory = layout.journalOf(id, row.change);
    try {
      const operation = await getJournalFile(context.store, directory, 'operation');
      const { source, entries } = await readEntries(context.store, directory);
      if (operation === undefined || entries.length === 0) continue;
      const start = await loadStart(context.store, directory, operation.base, checkpoint);
      if (start === undefined) continue;
      // Anything written while it ran is in its entries too.
      if (start !== checkpoint) before = deploymentOf(start) ?? emptyDeployment;
      const replayer = new Replayer(before, source);
      for (const entry of entries) replayer.add(entry);
      results.unshift(editedIn(entries) ?? replayer.generate(before.manifest));
      warnings.unshift(unfoldedNote(row.number, entries.length));
    } catch (thrown) {
      if (!isCairnError(thrown)) throw thrown;
      warnings.unshift(...thrown.diagnostics.map((found) => ({ ...found, severity: 'warning' as const })));
    }
  }
  return { deployment: results.length === 0 ? stored : mergeStates(before, results), warnings };
}

function unfoldedNote(number: number, entries: number): Diagnostic {
  return warningDiagnostic(
    'CAIRN-IN-DOUBT',
    `operation ${number} is running or ended early: the state includes the ${entries} entries that it has recorded`,
    {
      hint: 'If it no longer runs, take it over with the next `cairn up`, `cairn refresh` or `cairn destroy`.',
    },
  );
}
