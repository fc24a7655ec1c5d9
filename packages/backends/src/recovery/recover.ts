import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { hasHistory } from '../history/history-store.js';
import { finishFold, foldJournals, plansIn } from '../journal/fold.js';
import { getJournalFile, listJournals, putJournalFile } from '../journal/journal-files.js';
import type { FoldPlan, JournalRow, OperationFile } from '../journal/journal-files.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import { loadStart } from '../records/base-copy.js';
import { currentLinesOf, kindOf, rowOf } from '../records/read-changes.js';
import { unfinishedNote } from '../records/unfinished-note.js';
import type { StackId } from '../stack-id.js';
import { unfinishedMove } from './unfinished-move.js';
import { begunBy, deadMember, endOf, isEmpty, readDead } from './dead-journal.js';
import type { DeadJournal } from './dead-journal.js';
import { inDoubtDiagnostics } from './in-doubt.js';

/**
 * Folds the journals that their operations did not fold themselves into the checkpoint, and says what was found: a note
 * per journal and a warning per step in doubt. Those of operations that ran beside each other are folded together.
 * Under the stack's lock, alone. Needs no passphrase. A torn end of a journal is where its operation died and is
 * dropped; a journal damaged elsewhere is `CAIRN-JOURNAL-CORRUPT`, and nothing is written.
 */
export async function recoverStack(context: BackendContext, id: StackId): Promise<readonly Diagnostic[]> {
  const notes: Diagnostic[] = [];
  const waiting: DeadJournal[] = [];
  for (const row of await listJournals(context.store, id)) {
    if (row.files.has(JOURNAL_FILES.sealed)) continue;
    const found = await closeOrKeep(context, id, row);
    if ('dead' in found) waiting.push(found.dead);
    else notes.push(...found.notes);
  }
  if (waiting.length > 0) notes.push(...(await foldDead(context, id, waiting)));
  return notes;
}

/**
 * Closes a journal in which nothing was recorded, or whose state was stored before its operation died; gives back any
 * other.
 */
async function closeOrKeep(
  context: BackendContext,
  id: StackId,
  row: JournalRow,
): Promise<{ readonly notes: readonly Diagnostic[] } | { readonly dead: DeadJournal }> {
  const { store } = context;
  const directory = layout.journalOf(id, row.change);
  const operation = await getJournalFile(store, directory, 'operation');
  const checkpoint = await loadCheckpoint(store, id);
  if (operation === undefined || checkpoint === undefined) {
    if (!row.files.has(JOURNAL_FILES.segment)) return { notes: await seal(context, directory, operation) };
    throw conflict(
      id,
      directory,
      operation === undefined ? 'its operation.json is missing' : 'the stack has no checkpoint',
    );
  }
  const dead = await readDead(store, row, directory, operation);
  const stored = await storedBy(context, id, dead, checkpoint);
  if (stored !== undefined) return { notes: await closeJournal(context, id, dead, stored, checkpoint) };
  if (!isEmpty(dead)) return { dead };
  const move = await unfinishedMove(context, operation, checkpoint);
  if (move === undefined) return { notes: await seal(context, directory, operation) };
  const { member } = deadMember(dead, checkpoint, context.now());
  const { diagnostics } = await foldJournals(context, {
    id,
    base: checkpoint,
    members: [member],
    edited: move.edited,
  });
  return { notes: [move.note, ...diagnostics] };
}

/** Of the folds that were begun, the one whose state was stored. */
async function storedBy(
  { store }: BackendContext,
  id: StackId,
  { fold }: DeadJournal,
  checkpoint: StoredCheckpoint,
): Promise<FoldPlan | undefined> {
  if (fold === undefined) return undefined;
  for (const plan of plansIn(fold.content))
    if (checkpoint.digest === plan.checkpoint || (await hasHistory(store, id, plan.stamp))) return plan;
  return undefined;
}

/** It died after the state was stored and before its journal was closed. */
async function closeJournal(
  context: BackendContext,
  id: StackId,
  dead: DeadJournal,
  plan: FoldPlan,
  checkpoint: StoredCheckpoint,
): Promise<readonly Diagnostic[]> {
  const { row } = dead;
  const end = plan.end ?? endOf(dead, context.now());
  const stored = checkpoint.digest === plan.checkpoint ? checkpoint : undefined;
  const late = await finishFold(context, { id, change: row.change, end }, plan, stored);
  const pending = deploymentOf(checkpoint)?.pendingOperations ?? [];
  const left = end.result === 'interrupted' ? await noteOf(context, id, dead) : [finishedNote(dead)];
  return [...left, ...inDoubtDiagnostics(pending, row.number), ...late];
}

async function foldDead(
  context: BackendContext,
  id: StackId,
  journals: readonly DeadJournal[],
): Promise<readonly Diagnostic[]> {
  const present = await loadCheckpoint(context.store, id);
  if (present === undefined) return [];
  let base = present;
  for (const { operation, directory } of journals) {
    const start = await loadStart(context.store, directory, operation.base, present);
    if (start === undefined) throw conflict(id, directory, 'somebody else has altered the state since');
    base = start;
  }
  const folds = journals.map((dead) => ({ dead, ...deadMember(dead, base, context.now()) }));
  const { diagnostics } = await foldJournals(context, {
    id,
    base,
    present,
    members: folds.map(({ member }) => member),
  });
  const notes: Diagnostic[] = [];
  for (const { dead, member, doubts } of folds) {
    if (dead.ended !== undefined) continue;
    const note = member.end.result === 'interrupted' ? await noteOf(context, id, dead) : [finishedNote(dead)];
    notes.push(...note, ...doubts);
  }
  return [...notes, ...diagnostics];
}

function finishedNote({ row, operation }: DeadJournal): Diagnostic {
  return {
    severity: 'info',
    code: 'CAIRN-UNFINISHED',
    summary: `finished storing operation ${row.number}, which had died while doing so`,
    causes: [begunBy(operation)],
  };
}

/** What became of the operation, and what can be done. The journal is closed by now. */
async function noteOf(
  { store }: BackendContext,
  id: StackId,
  { row, content, operation }: DeadJournal,
): Promise<readonly Diagnostic[]> {
  const lines = await currentLinesOf(store, id);
  const line = lines.find(({ members }) => members.some((member) => member.number === row.number));
  if (line === undefined) return [];
  const rows = line.members.map((member) => rowOf(member, false, line.unfinished));
  const note = unfinishedNote(rows, line.state);
  const kept = `the ${content.entries.length} entries that it recorded are in the state now`;
  const cut =
    content.torn === undefined ? [] : [`${content.torn.bytes} bytes of an unfinished record were dropped`];
  return [{ ...note, causes: [begunBy(operation), kept, ...cut] }];
}

/**
 * Nothing was recorded: the change ends as one that did nothing. `operation`: undefined when it had not come to be one.
 */
async function seal(
  context: BackendContext,
  directory: string,
  operation: OperationFile | undefined,
): Promise<readonly Diagnostic[]> {
  await putJournalFile(
    context.store,
    directory,
    'sealed',
    { lock: context.instance, result: 'nothing' },
    { ifAbsent: true },
  );
  return operation === undefined ? [] : [idleNote(operation)];
}

function idleNote(operation: OperationFile): Diagnostic {
  const number = Number(operation.change);
  const kind = kindOf(operation);
  return {
    severity: 'info',
    code: 'CAIRN-UNFINISHED',
    summary: `change ${number} (${kind === 'edit' ? 'state edit' : kind}) ended before it did anything: everything is as it was`,
    causes: [begunBy(operation)],
    hint: `\`cairn change ${number}\` shows it.`,
  };
}

function conflict(id: StackId, directory: string, why: string): Error {
  return cairnError(
    'CAIRN-STORE-CONFLICT',
    `cannot take over an operation on stack "${id.stack}" that ended early: ${why}`,
    {
      causes: [`its journal is ${directory}`],
      hint: 'Nothing was changed. `cairn state repair` shows what it recorded, and sets it aside when the state as it is now is to count. To go on with the operation instead, put the state back that it started from.',
    },
  );
}
