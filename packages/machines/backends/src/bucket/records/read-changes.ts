import { inFlight } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { replayChange } from '@cairn/changes';
import type { ChangeRecord, ChangeView } from '@cairn/changes';
import { BugError, cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import { damagedRow, isDamage } from './damaged-row.js';
import { loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import { readMessages } from '../control/control-files.js';
import { unreadable } from '../journal/journal-files.js';
import type { JournalRow, OperationFile } from '../journal/journal-files.js';
import { changeName, JOURNAL_FILES } from '../layout.js';
import { lockHolders } from '../locks/lock-file.js';
import { isGone } from '../locks/holder-state.js';
import type { StackId } from '../../stack-id.js';
import { loadBase } from './base-copy.js';
import type { ChangeRow, OperationRecord, StoredChange } from '../../model/change-row.js';
import type { Lineage } from '../../model/lineages.js';
import type { HolderProcess } from '../../model/lock-holder.js';
import { readFiles, segmentRecords, recordKind } from './change-files.js';
import type { ChangeFiles } from './change-files.js';
import { rowOf } from './change-rows.js';
import { currentLineagesOf, LookedChanges } from './looked-changes.js';

/** Number of journals that a listing reads at once. Journals are few, and a store may be far away. */
const JOURNALS_AT_ONCE = 8;

/** Source of changes. `process` tells if the process of a change is alive. */
export interface RecordSource {
  readonly store: BlobStore;
  readonly process: HolderProcess;
}

/**
 * Returns the changes of the stack, newest first: every one, or a number of the newest, without reading others. One
 * whose journal is damaged is a row that says so, and does not hide the others.
 */
export async function listChanges(
  source: RecordSource,
  id: StackId,
  newest = Infinity,
): Promise<readonly ChangeRow[]> {
  const looked = await LookedChanges.of(source.store, id);
  const journals = newest === Infinity ? (await looked.all()).toReversed() : await firstOf(looked, newest);
  await inFlight(journals, JOURNALS_AT_ONCE, (row) => looked.readable(row));
  const rows: ChangeRow[] = [];
  for await (const row of rowsOf(source, id, looked)) if (rows.push(row) >= newest) break;
  return rows;
}

async function firstOf(looked: LookedChanges, newest: number): Promise<readonly JournalRow[]> {
  const journals: JournalRow[] = [];
  for await (const row of looked.newestFirst()) if (journals.push(row) >= newest) break;
  return journals;
}

/**
 * Returns the newest wanted change, read one after another from the newest on [STORE-14]. Returns undefined if none is
 * wanted.
 */
export async function newestChange(
  source: RecordSource,
  id: StackId,
  isWanted: (row: ChangeRow) => boolean,
): Promise<ChangeRow | undefined> {
  for await (const row of rowsOf(source, id, await LookedChanges.of(source.store, id)))
    if (isWanted(row)) return row;
  return undefined;
}

async function* rowsOf(source: RecordSource, id: StackId, looked: LookedChanges): AsyncGenerator<ChangeRow> {
  const standing = await standingOf(source, id, looked);
  for await (const journal of looked.newestFirst()) {
    try {
      const files = await looked.files(journal);
      if (files !== undefined) yield standing(files);
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      yield await damagedRow(source.store, id, journal, messageOf(thrown));
    }
  }
}

/**
 * Returns a function that makes rows of changes, and knows which run or are unfinished. Damaged journals belong to no
 * lineage.
 */
async function standingOf(
  source: RecordSource,
  id: StackId,
  looked: LookedChanges,
): Promise<(files: ChangeFiles) => ChangeRow> {
  const isRunning = await runningChange(source, id);
  const readable = { newestFirst: () => looked.newestFirst(), files: looked.readable.bind(looked) };
  const open = openNumbers(await currentLineagesOf(source.store, id, readable));
  return (files) => {
    const running = isRunning(files);
    return rowOf(files, running, open.has(files.number) && !running);
  };
}

/**
 * Returns a function that decides if a change runs: it is not closed, its lock exists, and its process is not known to
 * be gone.
 */
export async function runningChange(
  { store, process }: RecordSource,
  id: StackId,
): Promise<(files: Pick<ChangeFiles, 'operation' | 'sealed'>) => boolean> {
  const locks = await lockHolders(store, id);
  const alive = new Set(locks.filter((lock) => !isGone(lock, process)).map((lock) => lock.id));
  return ({ operation, sealed }) => sealed === undefined && alive.has(operation.lock);
}

/** Returns one change with its records. Fails with `CAIRN-CHANGE-UNKNOWN`, or with `CAIRN-JOURNAL-CORRUPT`. */
export async function loadChangeOf(source: RecordSource, id: StackId, number: number): Promise<StoredChange> {
  const { files, row } = await changeAndRow(source, id, number);
  return storedChange(source.store, id, files, row);
}

/** Returns one change as a listing shows it. Fails as {@link loadChangeOf} does. */
export async function changeRow(source: RecordSource, id: StackId, number: number): Promise<ChangeRow> {
  return (await changeAndRow(source, id, number)).row;
}

async function changeAndRow(
  source: RecordSource,
  id: StackId,
  number: number,
): Promise<{ readonly files: ChangeFiles; readonly row: ChangeRow }> {
  const files = await readFiles(source.store, id, { change: changeName(number), number });
  if (files === undefined) throw changeNotFound(id, number);
  const standing = await standingOf(source, id, await LookedChanges.of(source.store, id));
  return { files, row: standing(files) };
}

/** Returns the last changes of the lineages that did not end. */
function openNumbers(lineages: readonly Lineage[]): ReadonlySet<number> {
  const unfinished = lineages.filter((lineage) => lineage.unfinished);
  return new Set(unfinished.flatMap(({ members }) => members.slice(-1).map(({ number }) => number)));
}

/** Reads a change with its records. */
export async function storedChange(
  store: BlobStore,
  id: StackId,
  files: ChangeFiles,
  row: ChangeRow,
): Promise<StoredChange> {
  const { change, directory, operation } = files;
  const records = await segmentRecords(store, directory);
  const found = await readMessages(store, directory);
  return {
    row,
    change,
    operation: recordOf(operation),
    records,
    view: viewOf(records, directory + JOURNAL_FILES.segment),
    base: async () => loadBase(store, directory, operation.base, await loadCheckpoint(store, id)),
    messages: found.flatMap((each) => ('message' in each.found ? [each.found.message] : [])),
  };
}

function recordOf(file: OperationFile): OperationRecord {
  const { change, kind, message, startTime, environment, config, pid, hostname } = file;
  return {
    change,
    kind: recordKind(file),
    update: kind,
    message,
    startTime,
    environment,
    config,
    pid,
    hostname,
    continues: file.continues,
    options: file.options,
    goalKey: file.goalKey,
  };
}

/** Replays records. Records that contradict each other, though each is whole, are damage like any other. */
function viewOf(records: readonly ChangeRecord[], source: string): ChangeView | undefined {
  if (records[0]?.record !== 'change') return undefined;
  try {
    return replayChange(records);
  } catch (thrown) {
    if (isCairnError(thrown)) throw thrown;
    if (thrown instanceof BugError || thrown instanceof Error) throw unreadable(source, messageOf(thrown));
    throw thrown;
  }
}

/** Returns the error for a change without a record. */
export function changeNotFound(id: StackId, number: number): Error {
  return cairnError('CAIRN-CHANGE-UNKNOWN', `stack "${id.stack}" has no record of change ${number}`, {
    hint: 'Run `cairn changes` to list the recorded changes; CAIRN_JOURNAL_RETENTION sets how many a stack keeps.',
  });
}
