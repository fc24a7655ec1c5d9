import { inFlight } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { decodeSegment, replayChange } from '@cairn/changes';
import type { ChangeRecord, ChangeView } from '@cairn/changes';
import { BugError, cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import { isUnixSeconds, timeOf } from '../backend-context.js';
import { damagedRow, isDamage, undefinedIfDamaged } from './damaged-row.js';
import { loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import { readMessages } from '../control/control-files.js';
import { getJournalFile, unreadable } from '../journal/journal-files.js';
import { Journals } from '../journal/journals.js';
import type { JournalName } from '../journal/journals.js';
import type {
  FoldFile,
  JournalEnd,
  JournalRow,
  OperationFile,
  SealedFile,
  StampedFold,
} from '../journal/journal-files.js';
import { JOURNAL_FILES, changeName, changeNumber, layout } from '../layout.js';
import { lockHolders } from '../locks/lock-file.js';
import { isGone } from '../locks/holder-state.js';
import type { StackId } from '../../stack-id.js';
import { loadBase } from './base-copy.js';
import { KIND_OF_UPDATE } from '../../model/operation-kind.js';
import type { ChangeRow, OperationRecord, StoredChange } from '../../model/change-row.js';
import { SET_ASIDE, currentLineages } from '../../model/lineages.js';
import type { Lineage, LineageMember } from '../../model/lineages.js';
import { NO_TASKS, tallyOf } from '../../model/tally.js';
import type { Tally } from '../../model/tally.js';
import type { HolderProcess } from '../../model/lock-holder.js';

/** Number of journals that a listing reads at once. Journals are few, and a store may be far away. */
const JOURNALS_AT_ONCE = 8;

/** Number of changes that say how a stack in order was left: the newest one, and the one before it. */
const READ_AHEAD = 2;

/** Source of changes. `process` tells if the process of a change is alive. */
export interface RecordSource {
  readonly store: BlobStore;
  readonly process: HolderProcess;
}

/** Change without its records: the content of its small files. */
export interface ChangeFiles extends LineageMember {
  readonly change: string;
  readonly directory: string;
  readonly operation: OperationFile;
  readonly sealed: SealedFile | undefined;
  readonly fold: FoldFile | undefined;
  /** End of a change whose journal is not closed: its process was storing that, or still is. */
  readonly over: JournalEnd | undefined;
  /** Counted from the records if the journal is not closed, or was closed by a version that did not count. */
  readonly tally: Tally | undefined;
  /** Digests of checkpoints that it has written while it ran. Empty once its journal is closed. */
  readonly through: readonly string[];
}

/** Changes of one look at the journals, each read once. */
export class LookedChanges {
  readonly #read = new Map<JournalRow, Promise<ChangeFiles | undefined>>();
  readonly #store: BlobStore;
  readonly #id: StackId;
  readonly #journals: Journals;

  constructor(store: BlobStore, id: StackId, journals: Journals) {
    this.#store = store;
    this.#id = id;
    this.#journals = journals;
  }

  static async of(store: BlobStore, id: StackId): Promise<LookedChanges> {
    return new LookedChanges(store, id, await Journals.of(store, id));
  }

  newestFirst(): AsyncGenerator<JournalRow> {
    return this.#journals.newestFirst();
  }

  /** Returns every journal, oldest first. */
  all(): Promise<readonly JournalRow[]> {
    return this.#journals.all();
  }

  /** Reads a change as {@link readFiles} does. Also returns undefined for one whose journal is damaged. */
  readable(row: JournalRow): Promise<ChangeFiles | undefined> {
    return this.files(row).catch(undefinedIfDamaged);
  }

  /** Reads a change as {@link readFiles} does. */
  files(row: JournalRow): Promise<ChangeFiles | undefined> {
    const files = this.#read.get(row) ?? readFiles(this.#store, this.#id, row, row.files);
    this.#read.set(row, files);
    return files;
  }

  /** Returns the fold of the newest journal, if it is closed and says so. */
  async newestFold(): Promise<StampedFold | undefined> {
    for await (const row of this.newestFirst()) {
      const { change } = row;
      const files = row.files.has(JOURNAL_FILES.fold)
        ? await this.files(row).catch(() => undefined)
        : undefined;
      const stamp = files?.sealed?.stamp;
      return stamp === undefined ? undefined : { change, stamp };
    }
    return undefined;
  }

  /** Begins to read the newest changes, which every lease asks for. It never fails: {@link files} does. */
  async readAhead(): Promise<void> {
    const newest = this.#journals.names.slice(-READ_AHEAD);
    const readNow = async (name: JournalName): Promise<void> => {
      const row = await this.#journals.row(name);
      if (row !== undefined) await this.files(row);
    };
    await Promise.allSettled(newest.map(readNow));
  }
}

/**
 * Reads the small files of a journal, and its records only if those do not say enough. Returns `undefined` for a
 * directory without `operation.json`: an operation that never began, or one that is being removed. `listed` are the
 * names of its files at one look. Others are not read.
 */
export async function readFiles(
  store: BlobStore,
  id: StackId,
  { change, number }: JournalName,
  listed?: ReadonlySet<string>,
): Promise<ChangeFiles | undefined> {
  const directory = layout.journalOf(id, change);
  const read = async <K extends 'operation' | 'sealed' | 'fold' | 'ended'>(kind: K) =>
    listed?.has(JOURNAL_FILES[kind]) === false ? undefined : getJournalFile(store, directory, kind);
  const isClosed = listed?.has(JOURNAL_FILES.sealed) === true;
  const [operation, closed, ended, announced] = await Promise.all([
    read('operation'),
    read('sealed'),
    read('ended'),
    isClosed ? undefined : read('fold'),
  ]);
  // The file that closes a journal says what the announcement does, unless an older version wrote it.
  const complete = closed?.checkpoint !== undefined && closed.ended !== undefined;
  const fold = isClosed && !complete ? await read('fold') : announced;
  if (operation === undefined) return undefined;
  // An operation that ended beside others is over, though its journal is not closed.
  const sealed = closed ?? (ended && { lock: ended.lock, ...ended.end });
  const over = closed === undefined ? (ended?.end ?? fold?.end) : undefined;
  const told = sealed ?? over;
  const tally = told?.tasks === undefined ? tallyOf(await readRecords(store, directory)) : undefined;
  const through = sealed === undefined ? await getJournalFile(store, directory, 'through') : undefined;
  return {
    ...memberOf(number, operation, closed, fold),
    result: told?.result,
    tasks: told?.tasks ?? tally?.counts() ?? NO_TASKS,
    change,
    directory,
    operation,
    sealed,
    fold,
    over,
    tally,
    through: through?.digests ?? [],
  };
}

/**
 * Returns a change as lineages see it, from the files of a journal, any of which may be missing. Its result and tasks
 * are those of its closing.
 */
export function memberOf(
  number: number,
  operation?: OperationFile,
  closed?: SealedFile,
  fold?: FoldFile,
): LineageMember {
  const continues = operation?.continues;
  return {
    number,
    kind: operation === undefined ? 'up' : recordKind(operation),
    continues: continues && { number: changeNumber(continues.change) ?? 0, how: continues.how },
    result: closed?.result,
    tasks: closed?.tasks ?? NO_TASKS,
    base: operation?.base ?? '',
    left: leftOf(closed, fold),
  };
}

/** Returns the digest of the state that a closed change left. */
function leftOf(closed: SealedFile | undefined, fold: FoldFile | undefined): string | undefined {
  if (closed === undefined || closed.result === 'nothing') return undefined;
  return closed.setAside === true ? SET_ASIDE : (closed.checkpoint ?? fold?.checkpoint);
}

/** Returns every record of a journal; a torn end is cut. Fails with `CAIRN-JOURNAL-CORRUPT`. */
async function readRecords(store: BlobStore, directory: string): Promise<readonly ChangeRecord[]> {
  const name = directory + JOURNAL_FILES.segment;
  const blob = await store.get(name);
  return decodeSegment(blob?.bytes ?? new Uint8Array(), { name }).records;
}

/**
 * Returns every change of the stack, newest first. One whose journal is damaged is a row that says so, and does not
 * hide the others.
 */
export async function listChanges(source: RecordSource, id: StackId): Promise<readonly ChangeRow[]> {
  const looked = await LookedChanges.of(source.store, id);
  const journals = await looked.all();
  await inFlight(journals.toReversed(), JOURNALS_AT_ONCE, (row) => looked.readable(row));
  const rows: ChangeRow[] = [];
  for await (const row of rowsOf(source, id, looked)) rows.push(row);
  return rows;
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

/** Returns one row of a listing. */
export function rowOf(files: ChangeFiles, running: boolean, unfinished: boolean): ChangeRow {
  const { number, kind, operation, continues } = files;
  const end = endOf(files, running);
  const spawned = new Date(operation.startTime * 1000).toISOString();
  return {
    id: String(number),
    number,
    kind,
    status: statusOf(files, end),
    result: end?.result,
    running,
    unfinished,
    spawned,
    ended: laterOf(spawned, end?.ended ?? recordedEnd(files)),
    summary: operation.message,
    tasks: files.tasks,
    continues: continues && { change: String(continues.number), how: continues.how },
    ...(!running && files.over !== undefined && { unstored: true as const }),
  };
}

/** Returns the end of a change, or undefined while its process stores it. */
function endOf({ sealed, over }: ChangeFiles, running: boolean): JournalEnd | undefined {
  return sealed ?? (running ? undefined : over);
}

/** Returns the status of a change: that of its tasks. A change without tasks has the status that fits its result. */
function statusOf({ tally, tasks, over }: ChangeFiles, end: JournalEnd | undefined): ChangeRow['status'] {
  const derived = (end ?? over)?.status ?? tally?.status() ?? 'hold';
  if (tasks.total > 0 || derived !== 'hold') return derived;
  switch (end?.result) {
    case 'succeeded':
      return 'done';
    case 'rolled-back':
      return 'undone';
    case 'failed':
      return 'error';
    default:
      return derived;
  }
}

/** Returns the end of a change, which is never before its beginning, though the clock was set back between them. */
function laterOf(spawned: string, ended: string | undefined): string | undefined {
  const end = timeOf(ended);
  return end !== undefined && Date.parse(end) < Date.parse(spawned) ? spawned : end;
}

/** Returns the end of a change from its history entry, for journals of older versions. */
function recordedEnd({ sealed, fold }: ChangeFiles): string | undefined {
  if (sealed === undefined || !isUnixSeconds(fold?.history?.endTime)) return undefined;
  return new Date(fold.history.endTime * 1000).toISOString();
}

/** Returns the requested operation. */
export function recordKind({ operation, kind }: OperationFile): OperationRecord['kind'] {
  return operation ?? KIND_OF_UPDATE[kind];
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

/** Returns the lineages that nothing supersedes. Reads no more journals than they need. */
export async function currentLineagesOf(
  store: BlobStore,
  id: StackId,
  looked?: Pick<LookedChanges, 'newestFirst' | 'files'>,
): Promise<readonly Lineage<ChangeFiles>[]> {
  const all = looked ?? (await LookedChanges.of(store, id));
  const changes: ChangeFiles[] = [];
  const wanted = new Set<number>();
  let newest: ChangeFiles | undefined;
  let beside = true;
  for await (const row of all.newestFirst()) {
    if (!beside && !wanted.has(row.number)) {
      if ([...wanted].every((number) => number > row.number)) break;
      continue;
    }
    const files = await all.files(row);
    if (files === undefined) continue;
    if (files.result !== 'nothing') {
      newest ??= files;
      beside &&= files.base === newest.base;
    }
    if (!beside && !wanted.has(row.number)) continue;
    changes.push(files);
    if (files.continues !== undefined) wanted.add(files.continues.number);
  }
  return currentLineages(changes);
}

/** Reads a change with its records. */
export async function storedChange(
  store: BlobStore,
  id: StackId,
  files: ChangeFiles,
  row: ChangeRow,
): Promise<StoredChange> {
  const { change, directory, operation } = files;
  const records = await readRecords(store, directory);
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
