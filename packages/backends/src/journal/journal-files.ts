import type { BlobStore } from '@cairn/blobs';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { goJson, isJsonObject } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import type { HistoryEntry, UpdateKind } from '../history/history-entry.js';
import { JOURNAL_FILES, changeNumber, layout } from '../layout.js';
import type { StackId } from '../stack-id.js';

/** What an operation's journal says about it before its first record: the fence and what it started from. */
export interface OperationFile {
  readonly change: string;
  /** Id of the lock under which it runs. */
  readonly lock: string;
  readonly pid: number;
  readonly hostname: string;
  readonly kind: UpdateKind;
  readonly message: string;
  /** Seconds since 1970. */
  readonly startTime: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, Json>>;
  /** Digest of the checkpoint it started from. */
  readonly base: string;
}

/** What folding is about to write, so that a fold that was cut short is told from one that was not. */
export interface FoldFile {
  /** Id of the lock under which it folds: another one than the operation's when a dead operation is taken over. */
  readonly lock: string;
  /** Digest of the checkpoint that is replaced, and of the new one. */
  readonly base: string;
  readonly checkpoint: string;
  /** Nanoseconds since 1970: names history, backup and retained copies. */
  readonly stamp: string;
  readonly history: HistoryEntry;
}

/** How a journal was closed. `nothing`: no entry was recorded. */
export interface SealedFile {
  /** Id of the lock under which it was sealed. */
  readonly lock: string;
  readonly result: 'succeeded' | 'failed' | 'interrupted' | 'nothing';
}

interface JournalFiles {
  readonly operation: OperationFile;
  readonly fold: FoldFile;
  readonly sealed: SealedFile;
}

/** One operation's journal as a listing shows it. */
export interface JournalRow {
  readonly change: string;
  readonly number: number;
  readonly files: ReadonlySet<string>;
}

/** Journals of the stack, oldest first. */
export async function listJournals(store: BlobStore, id: StackId): Promise<readonly JournalRow[]> {
  const prefix = layout.journalsOf(id);
  const rows = new Map<string, { number: number; files: Set<string> }>();
  for (const { key } of await store.list(prefix)) {
    const [change = '', file = ''] = key.slice(prefix.length).split('/');
    const number = changeNumber(change);
    if (number === undefined) continue;
    const row = rows.get(change) ?? { number, files: new Set<string>() };
    row.files.add(file);
    rows.set(change, row);
  }
  return [...rows].map(([change, row]) => ({ change, ...row })).sort((a, b) => a.number - b.number);
}

/** Writes one of the small files of a journal. False: it is there already and `ifAbsent` was asked for. */
export async function putJournalFile<K extends keyof JournalFiles>(
  store: BlobStore,
  directory: string,
  kind: K,
  content: JournalFiles[K],
  ifAbsent = false,
): Promise<boolean> {
  const bytes = Buffer.from(`${goJson({ version: 1, ...(content as unknown as JsonObject) })}\n`);
  return (await store.put(directory + JOURNAL_FILES[kind], bytes, ifAbsent ? { ifAbsent } : {})).ok;
}

/** Reads one of the small files; undefined when it is not there. Fails with `CAIRN-JOURNAL-CORRUPT`. */
export async function getJournalFile<K extends keyof JournalFiles>(
  store: BlobStore,
  directory: string,
  kind: K,
): Promise<JournalFiles[K] | undefined> {
  const key = directory + JOURNAL_FILES[kind];
  const blob = await store.get(key);
  if (blob === undefined) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(blob.bytes).toString('utf8'));
  } catch (thrown) {
    throw unreadable(key, messageOf(thrown));
  }
  if (!isJsonObject(parsed) || parsed['version'] !== 1) throw unreadable(key, 'it is not of version 1');
  const missing = REQUIRED[kind].filter((name) => typeof parsed[name] !== 'string');
  if (missing.length > 0) throw unreadable(key, `it lacks ${missing.join(', ')}`);
  if (kind === 'fold' && !isJsonObject(parsed['history'])) throw unreadable(key, 'it lacks history');
  return parsed as unknown as JournalFiles[K];
}

/** Texts without which a file means nothing. */
const REQUIRED: Readonly<Record<keyof JournalFiles, readonly string[]>> = {
  operation: ['change', 'lock', 'kind', 'base'],
  fold: ['lock', 'base', 'checkpoint', 'stamp'],
  sealed: ['lock', 'result'],
};

/** Removes a journal: its fence last, so that a directory that is left over is still told as one. */
export async function removeJournal(store: BlobStore, directory: string): Promise<void> {
  for (const file of [
    JOURNAL_FILES.segment,
    JOURNAL_FILES.fold,
    JOURNAL_FILES.sealed,
    JOURNAL_FILES.operation,
  ]) {
    await store.delete(directory + file);
  }
}

/** Removes the oldest sealed journals beyond the number to keep; the newest of all stays, because numbers must grow. */
export async function pruneJournals(store: BlobStore, id: StackId, keep: number): Promise<void> {
  const rows = await listJournals(store, id);
  const sealed = rows.slice(0, -1).filter((row) => row.files.has(JOURNAL_FILES.sealed));
  const surplus = rows.length - Math.max(keep, 1);
  for (const row of sealed.slice(0, Math.max(0, surplus)))
    await removeJournal(store, layout.journalOf(id, row.change));
}

function unreadable(key: string, why: string): Error {
  return cairnError('CAIRN-JOURNAL-CORRUPT', `cannot read the journal file ${key}: ${why}`, {
    hint: 'Nothing was changed. Restore the file from a backup, or move the journal directory away to go on without what it recorded.',
  });
}
