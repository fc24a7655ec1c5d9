import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { Replayer, emptyDeployment } from '@cairn/state';
import { unixSeconds } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { HistoryEntry } from '../history/history-entry.js';
import { hasHistory } from '../history/history-store.js';
import { finishFold, foldJournal } from '../journal/fold.js';
import { getJournalFile, listJournals, putJournalFile } from '../journal/journal-files.js';
import type { JournalRow, OperationFile } from '../journal/journal-files.js';
import { readEntries } from '../journal/journal-replay.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import type { StackId } from '../stack-id.js';
import { inDoubtDiagnostics } from './in-doubt.js';

/**
 * Folds every journal of the stack that its operation did not fold itself into the checkpoint, oldest first, and says what was found:
 * a note per journal and a warning per step in doubt. Under the stack's lock. Needs no passphrase. A torn end of a journal is where its
 * operation died and is dropped; a journal damaged elsewhere is `CAIRN-JOURNAL-CORRUPT`, and nothing is written.
 */
export async function recoverStack(context: BackendContext, id: StackId): Promise<readonly Diagnostic[]> {
  const notes: Diagnostic[] = [];
  for (const row of await listJournals(context.store, id)) {
    if (!row.files.has(JOURNAL_FILES.sealed)) notes.push(...(await recoverJournal(context, id, row)));
  }
  return notes;
}

async function recoverJournal(
  context: BackendContext,
  id: StackId,
  row: JournalRow,
): Promise<readonly Diagnostic[]> {
  const { store } = context;
  const directory = layout.journalOf(id, row.change);
  const operation = await getJournalFile(store, directory, 'operation');
  const checkpoint = await loadCheckpoint(store, id);
  if (operation === undefined || checkpoint === undefined) {
    if (!row.files.has(JOURNAL_FILES.segment)) return seal(context, directory);
    throw conflict(
      id,
      directory,
      operation === undefined ? 'its operation.json is missing' : 'the stack has no checkpoint',
    );
  }
  const plan = await getJournalFile(store, directory, 'fold');
  if (
    plan !== undefined &&
    (checkpoint.digest === plan.checkpoint || (await hasHistory(store, id, plan.stamp)))
  ) {
    const change = { id, change: row.change, result: 'interrupted' as const };
    const late = await finishFold(context, change, plan, checkpoint.key);
    const found = note(`finished storing operation ${row.number}, which had died while doing so`, operation);
    const doubt = inDoubtDiagnostics(deploymentOf(checkpoint)?.pendingOperations ?? [], String(row.number));
    return [found, ...doubt, ...late];
  }
  return replayJournal(context, id, row, operation, checkpoint);
}

async function replayJournal(
  context: BackendContext,
  id: StackId,
  row: JournalRow,
  operation: OperationFile,
  base: StoredCheckpoint,
): Promise<readonly Diagnostic[]> {
  const directory = layout.journalOf(id, row.change);
  const { source, entries, torn } = await readEntries(context.store, directory);
  if (entries.length === 0) return seal(context, directory);
  if (base.digest !== operation.base)
    throw conflict(id, directory, 'the checkpoint is not the one that it started from');
  const replayer = new Replayer(deploymentOf(base) ?? emptyDeployment, source);
  for (const entry of entries) replayer.add(entry);
  const inDoubt = replayer.inDoubt();
  const history = interruptedHistory(operation, context.now());
  const fold = {
    id,
    change: row.change,
    number: row.number,
    lock: operation.lock,
    base,
    replayer,
    history,
    result: 'interrupted' as const,
  };
  const { diagnostics } = await foldJournal(context, fold);
  const cut = torn === undefined ? '' : `; ${torn.bytes} bytes of an unfinished record were dropped`;
  const found = note(
    `took over operation ${row.number}, which had ended early: ${entries.length} recorded entries are in the state now${cut}`,
    operation,
  );
  return [found, ...inDoubtDiagnostics(inDoubt, String(row.number)), ...diagnostics];
}

/** Nothing was recorded, so there is nothing to tell. */
async function seal(context: BackendContext, directory: string): Promise<readonly Diagnostic[]> {
  await putJournalFile(context.store, directory, 'sealed', { lock: context.instance, result: 'nothing' });
  return [];
}

function interruptedHistory(operation: OperationFile, now: Date): HistoryEntry {
  return {
    kind: operation.kind,
    startTime: operation.startTime,
    message: operation.message,
    environment: operation.environment,
    config: operation.config,
    version: 0,
    result: 'failed',
    endTime: unixSeconds(now),
    resourceChanges: undefined,
  };
}

function note(summary: string, operation: OperationFile): Diagnostic {
  const began = new Date(operation.startTime * 1000).toISOString();
  return {
    severity: 'info',
    code: 'CAIRN-IN-DOUBT',
    summary,
    causes: [`${operation.kind} by process ${operation.pid} on ${operation.hostname}, begun ${began}`],
  };
}

function conflict(id: StackId, directory: string, why: string): Error {
  return cairnError(
    'CAIRN-STORE-CONFLICT',
    `cannot take over an operation on stack "${id.stack}" that ended early: ${why}`,
    {
      causes: [`its journal is ${directory}`],
      hint: 'Nothing was changed. Restore the checkpoint from its .bak copy; or, when the state as it is now is right, move the journal directory away.',
    },
  );
}
