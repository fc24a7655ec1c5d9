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
import type { FoldFile, JournalEnd, JournalRow, OperationFile } from '../journal/journal-files.js';
import { readEntries } from '../journal/journal-replay.js';
import type { JournalContent } from '../journal/journal-replay.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import { kindOf, newestLineOf, rowOf } from '../records/read-changes.js';
import { tallyOf } from '../records/tally.js';
import { unfinishedNote } from '../records/unfinished-note.js';
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

/** A dead operation's journal, read. */
interface Dead {
  readonly id: StackId;
  readonly row: JournalRow;
  readonly directory: string;
  readonly operation: OperationFile;
  readonly content: JournalContent;
  readonly checkpoint: StoredCheckpoint;
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
  const content = await readEntries(store, directory);
  const dead = { id, row, directory, operation, content, checkpoint };
  const stored =
    plan !== undefined &&
    (checkpoint.digest === plan.checkpoint || (await hasHistory(store, id, plan.stamp)));
  return stored ? closeJournal(context, dead, plan) : replayJournal(context, dead);
}

/** It died after the state was stored and before its journal was closed. */
async function closeJournal(
  context: BackendContext,
  dead: Dead,
  plan: FoldFile,
): Promise<readonly Diagnostic[]> {
  const { id, row, content, checkpoint } = dead;
  const end = plan.end ?? interrupted(content, context.now());
  const late = await finishFold(context, { id, change: row.change, end }, plan, checkpoint.key);
  const pending = deploymentOf(checkpoint)?.pendingOperations ?? [];
  const left = end.result === 'interrupted' ? await noteOf(context, dead) : [finishedNote(dead)];
  return [...left, ...inDoubtDiagnostics(pending, row.number, content.records), ...late];
}

async function replayJournal(context: BackendContext, dead: Dead): Promise<readonly Diagnostic[]> {
  const { id, row, directory, operation, content, checkpoint: base } = dead;
  if (content.entries.length === 0 && !content.records.some((record) => record.record === 'task'))
    return seal(context, directory);
  if (base.digest !== operation.base)
    throw conflict(id, directory, 'the checkpoint is not the one that it started from');
  const replayer = new Replayer(deploymentOf(base) ?? emptyDeployment, content.source);
  for (const entry of content.entries) replayer.add(entry);
  const inDoubt = replayer.inDoubt();
  const { diagnostics } = await foldJournal(context, {
    id,
    change: row.change,
    number: row.number,
    lock: operation.lock,
    base,
    replayer,
    history: isEdit(operation) ? undefined : interruptedHistory(operation, context.now()),
    end: {
      ...interrupted(content, context.now()),
      ...(isEdit(operation) && { result: 'succeeded' as const }),
    },
  });
  if (isEdit(operation)) return [finishedNote(dead), ...diagnostics];
  const doubts = inDoubtDiagnostics(inDoubt, row.number, content.records);
  return [...(await noteOf(context, dead)), ...doubts, ...diagnostics];
}

/** An edit of the state is one record: when it is there, the edit is done. */
function finishedNote({ row, operation }: Dead): Diagnostic {
  return {
    severity: 'info',
    code: 'CAIRN-UNFINISHED',
    summary: `finished storing operation ${row.number}, which had died while doing so`,
    causes: [begunBy(operation)],
  };
}

/** What became of the operation, and what can be done. The journal is closed by now. */
async function noteOf({ store }: BackendContext, dead: Dead): Promise<readonly Diagnostic[]> {
  const { content, operation } = dead;
  const line = await newestLineOf(store, dead.id);
  if (line === undefined) return [];
  const rows = line.members.map((member) => rowOf(member, false, line.unfinished));
  const note = unfinishedNote(rows, line.state);
  const kept = `the ${content.entries.length} entries that it recorded are in the state now`;
  const cut =
    content.torn === undefined ? [] : [`${content.torn.bytes} bytes of an unfinished record were dropped`];
  return [{ ...note, causes: [begunBy(operation), kept, ...cut] }];
}

function interrupted({ records }: JournalContent, now: Date): JournalEnd {
  const tally = tallyOf(records);
  return {
    result: 'interrupted',
    status: tally.status(),
    tasks: tally.counts(),
    ended: now.toISOString(),
  };
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

function isEdit(operation: OperationFile): boolean {
  return kindOf(operation) === 'edit';
}

function begunBy({ kind, pid, hostname, startTime }: OperationFile): string {
  return `${kind} by process ${pid} on ${hostname}, begun ${new Date(startTime * 1000).toISOString()}`;
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
