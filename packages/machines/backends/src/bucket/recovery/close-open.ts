import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { hasHistory } from '../history/history-store.js';
import { finishFold, foldJournals } from '../journal/fold.js';
import { plansIn } from '../journal/fold-plan.js';
import { getJournalFile, putJournalFile } from '../journal/journal-files.js';
import { Journals } from '../journal/journals.js';
import type { FoldPlan, JournalRow, OperationFile } from '../journal/journal-files.js';
import { editedIn } from '../journal/journal-replay.js';
import { layout } from '../layout.js';
import { loadStart } from '../records/base-copy.js';
import type { FinishedChange } from '../../model/change-row.js';
import type { ChangeResult } from '../../model/change-result.js';
import { recordKind } from '../records/change-files.js';
import { rowOf } from '../records/change-rows.js';
import { currentLineagesOf } from '../records/looked-changes.js';
import { HAPPENED, nameOf, unfinishedNote } from '../../model/unfinished-note.js';
import type { StackId } from '../../stack-id.js';
import { unfinishedMove } from './unfinished-move.js';
import {
  begunBy,
  deadMember,
  hasRecords,
  isEmpty,
  isWithdrawn,
  journalEnd,
  readDead,
} from './dead-journal.js';
import type { DeadJournal } from './dead-journal.js';
import { inDoubtDiagnostics } from './in-doubt.js';

/** Findings and actions of recovery. */
export interface Recovered {
  /** One note for each journal, and a warning for each step in doubt. */
  readonly notes: readonly Diagnostic[];
  readonly finished: readonly FinishedChange[];
}

const NOTHING: Recovered = { notes: [], finished: [] };

/** Closes the journals that their operations did not close, oldest first. Does what {@link recoverStack} says. */
export async function closeOpen(
  context: BackendContext,
  id: StackId,
  open: readonly JournalRow[],
): Promise<Recovered> {
  const all: Recovered[] = [];
  const waiting: DeadJournal[] = [];
  for (const row of open) {
    const found = await closeOrKeep(context, id, row);
    if ('dead' in found) waiting.push(found.dead);
    else all.push(found);
  }
  if (waiting.length > 0) all.push(await foldDead(context, id, waiting));
  return together(all);
}

function together(all: readonly Recovered[]): Recovered {
  return {
    notes: all.flatMap(({ notes }) => notes),
    finished: all.flatMap(({ finished }) => finished),
  };
}

const onlyNotes = (notes: readonly Diagnostic[]): Recovered => ({ ...NOTHING, notes });

/**
 * Closes a journal in which nothing was recorded, or whose state was stored before its operation died. Returns any
 * other.
 */
async function closeOrKeep(
  context: BackendContext,
  id: StackId,
  row: JournalRow,
): Promise<Recovered | { readonly dead: DeadJournal }> {
  const { store } = context;
  const directory = layout.journalOf(id, row.change);
  const operation = await getJournalFile(store, directory, 'operation');
  const checkpoint = await loadCheckpoint(store, id);
  if (operation === undefined || checkpoint === undefined) {
    if (!hasRecords(row) || (operation === undefined && (await isWithdrawn(store, row, directory))))
      return onlyNotes(await seal(context, directory, operation));
    throw conflict(
      id,
      directory,
      operation === undefined ? 'its operation.json is missing' : 'the stack has no checkpoint',
    );
  }
  const dead = await readDead(store, row, directory, operation);
  const stored = await storedBy(context, id, dead, checkpoint);
  if (stored !== undefined) return closeJournal(context, id, dead, stored, checkpoint);
  if (!isEmpty(dead)) return { dead };
  const move = await unfinishedMove(context, operation, checkpoint);
  if (move === undefined) return onlyNotes(await seal(context, directory, operation));
  const { member } = deadMember(dead, checkpoint, context.now());
  const { diagnostics } = await foldJournals(context, {
    id,
    base: checkpoint,
    members: [member],
    edited: move.edited,
  });
  return onlyNotes([move.note, ...diagnostics]);
}

/** Returns the one of the folds whose state was stored. */
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

/** Closes the journal of an operation that died after its state was stored. */
async function closeJournal(
  context: BackendContext,
  id: StackId,
  dead: DeadJournal,
  plan: FoldPlan,
  checkpoint: StoredCheckpoint,
): Promise<Recovered> {
  const { row } = dead;
  const end = plan.end ?? journalEnd(dead, context.now());
  const stored = checkpoint.digest === plan.checkpoint ? checkpoint : undefined;
  const journals = await Journals.of(context.store, id);
  const late = await finishFold(context, { id, journals, change: row.change, end }, plan, stored);
  const pending = deploymentOf(checkpoint)?.pendingOperations ?? [];
  return together([
    await leftBy(context, id, dead, end.result),
    onlyNotes([...inDoubtDiagnostics(pending, row.number), ...late]),
  ]);
}

async function foldDead(
  context: BackendContext,
  id: StackId,
  journals: readonly DeadJournal[],
): Promise<Recovered> {
  const present = await loadCheckpoint(context.store, id);
  if (present === undefined) return NOTHING;
  let base = present;
  for (const { operation, directory } of journals) {
    const start = await loadStart(context.store, directory, operation.base, present);
    if (start === undefined) throw conflict(id, directory, 'the state has been changed since');
    base = start;
  }
  const folds = journals.map((dead) => ({ dead, ...deadMember(dead, base, context.now()) }));
  const { diagnostics } = await foldJournals(context, {
    id,
    base,
    present,
    members: folds.map(({ member }) => member),
    edited: folds.length === 1 ? editedIn(journals[0]?.content.entries ?? []) : undefined,
  });
  const all: Recovered[] = [];
  for (const { dead, member, doubts } of folds) {
    const left = await leftBy(context, id, dead, member.end.result);
    all.push(dead.ended === undefined ? left : { ...left, notes: [] }, onlyNotes(doubts));
  }
  return together([...all, onlyNotes(diagnostics)]);
}

/** Describes the outcome of the operation and what can be done. The journal is closed by now. */
async function leftBy(
  { store }: BackendContext,
  id: StackId,
  { row, content, operation }: DeadJournal,
  result: ChangeResult,
): Promise<Recovered> {
  const lines = await currentLineagesOf(store, id);
  const found = lines.find(({ members }) => members.some(({ number }) => number === row.number));
  const lineage = found?.members.map((member) => rowOf(member, false, found.unfinished));
  if (result !== 'interrupted')
    return {
      notes: [finishedNote(operation, result)],
      finished: lineage === undefined ? [] : [{ lineage }],
    };
  if (found === undefined || lineage === undefined) return NOTHING;
  const note = unfinishedNote(lineage, found.state);
  const kept = `the ${content.entries.length} entries that it recorded are now in the state`;
  const cut =
    content.torn === undefined ? [] : [`${content.torn.bytes} bytes of an unfinished record were dropped`];
  return onlyNotes([{ ...note, causes: [begunBy(operation), kept, ...cut] }]);
}

function finishedNote(operation: OperationFile, result: ChangeResult): Diagnostic {
  const happened = `it ${HAPPENED[result]}, and its process died while it stored that`;
  return {
    severity: 'info',
    code: 'CAIRN-UNFINISHED',
    summary: `finished storing ${named(operation)}: ${happened}`,
    causes: [begunBy(operation)],
    hint: shownBy(operation),
  };
}

/** Returns the name of the change for display. */
function named(operation: OperationFile): string {
  return `change ${Number(operation.change)} (${nameOf(recordKind(operation))})`;
}

function shownBy({ change }: OperationFile): string {
  return `Run \`cairn change ${Number(change)}\` to see it.`;
}

/**
 * Closes a journal in which nothing was recorded: the change ends as one that did nothing. `operation` is undefined if
 * it had not been written yet.
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
  return {
    severity: 'info',
    code: 'CAIRN-UNFINISHED',
    summary: `${named(operation)} ended before it did anything: everything is as it was`,
    causes: [begunBy(operation)],
    hint: shownBy(operation),
  };
}

function conflict(id: StackId, directory: string, why: string): Error {
  return cairnError(
    'CAIRN-STORE-CONFLICT',
    `cannot take over an operation on stack "${id.stack}" that ended early: ${why}`,
    {
      causes: [`its journal is ${directory}`],
      hint: 'Nothing was changed. To keep the current state, run `cairn state repair`, which shows what the operation recorded and sets it aside. To continue the operation instead, restore the state that it started from.',
    },
  );
}
