import { crc32 } from 'node:zlib';
import type { BlobStore, BlobVersion, PutCondition } from '@cairn/blobs';
import type { Claim, Status } from '@cairn/changes';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { goJson, isJsonObject } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import { isUnixSeconds } from '../backend-context.js';
import type { HistoryEntry } from '../history/history-entry.js';
import type { UpdateKind } from '../records/operation-kind.js';
import { isChangeResult } from '../records/change-result.js';
import { isContinues } from '../records/change-row.js';
import type { ChangeResult } from '../records/change-result.js';
import type { Continues, TaskCounts } from '../records/change-row.js';
import type { OperationKind } from '../records/operation-kind.js';
import { JOURNAL_FILES } from '../layout.js';

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
  /** What was asked for; absent in journals of older versions, where `kind` tells it. */
  readonly operation?: OperationKind;
  /** The change that it goes on with. */
  readonly continues?: Continues;
  /** What whoever goes on with it needs to know of how it was asked for. */
  readonly options?: Json;
  /** Key of the digests of goals, sealed. */
  readonly goalKey?: string;
  /** Claims of an operation that may run beside others. Without them it holds the whole stack, all journals closed. */
  readonly claims?: readonly Claim[];
  /** With claims: number up to which every journal was closed before it began. Absent: not known. */
  readonly closed?: number;
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
  /** Absent: it leaves no entry in the history and no backup, as an edit of the state [STATE-10]. */
  readonly history?: HistoryEntry;
  /**
   * How the operation ended, for whoever closes the journal when the fold is cut short; absent in journals of older
   * versions.
   */
  readonly end?: JournalEnd;
  /**
   * Folds of this journal that others had begun before, and that may still come to their end while this one is made: a
   * checkpoint that one of them announced is as good.
   */
  readonly earlier?: readonly FoldPlan[];
}

/** One fold as its file announces it. */
export type FoldPlan = Omit<FoldFile, 'earlier' | 'lock'>;

/** How an operation ended, with what a listing shows of it. */
export type JournalEnd = Omit<SealedFile, 'lock' | 'checkpoint'>;

/**
 * How a journal was closed. The rest is what a listing shows, so that it needs no records; absent in journals of older
 * versions.
 */
export interface SealedFile {
  /** Id of the lock under which it was sealed. */
  readonly lock: string;
  readonly result: ChangeResult;
  /**
   * Digest of the checkpoint that its fold left: of several folds that were begun, the one that counts. Absent in
   * journals of older versions.
   */
  readonly checkpoint?: string;
  readonly status?: Status;
  readonly tasks?: TaskCounts;
  /** It was set aside: what it recorded is not part of any state, and it cannot be gone on with. */
  readonly setAside?: true;
  /** RFC 3339: when it ended, or for one that died when it was taken over. */
  readonly ended?: string;
}

/** What an operation holds that has claimed more since it began. */
interface ClaimsFile {
  readonly lock: string;
  readonly claims: readonly Claim[];
}

/** How an operation ended whose journal could not be folded yet, because others ran beside it. */
export interface EndedFile {
  readonly lock: string;
  readonly end: JournalEnd;
  readonly history: HistoryEntry;
}

/**
 * Which checkpoints an operation has put, or was about to put, in the place of the one it started from, while it ran.
 */
interface ThroughFile {
  readonly lock: string;
  /** Their digests: what lies there is one of them, or the base. */
  readonly digests: readonly string[];
}

interface JournalFiles {
  readonly through: ThroughFile;
  readonly claims: ClaimsFile;
  readonly ended: EndedFile;
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

/** Writes one of the small files of a journal. False: the condition did not hold. */
export async function putJournalFile<K extends keyof JournalFiles>(
  store: BlobStore,
  directory: string,
  kind: K,
  content: JournalFiles[K],
  condition: PutCondition = {},
): Promise<boolean> {
  return (await writeJournalFile(store, directory, kind, content, condition)) !== undefined;
}

/** As {@link putJournalFile}; resolves with the version that was written, undefined when the condition did not hold. */
export async function writeJournalFile<K extends keyof JournalFiles>(
  store: BlobStore,
  directory: string,
  kind: K,
  content: JournalFiles[K],
  condition: PutCondition,
): Promise<BlobVersion | undefined> {
  const bytes = summedText({ version: 1, ...(content as unknown as JsonObject) });
  const result = await store.put(directory + JOURNAL_FILES[kind], bytes, condition);
  return result.ok ? result.version : undefined;
}

/** Compact JSON with the CRC-32 of everything before it as its last field. Undefined fields are left out. */
export function summedText(content: JsonObject): Uint8Array {
  const given = Object.entries(content).filter(([, value]) => (value as unknown) !== undefined);
  const text = goJson(Object.fromEntries(given)).slice(0, -1);
  return Buffer.from(`${text},"sum":"${sumOf(text)}"}\n`);
}

/**
 * Reads what {@link summedText} wrote, and files of older versions, which have no sum. Fails with
 * `CAIRN-JOURNAL-CORRUPT`.
 */
export function takeSummed(bytes: Uint8Array, key: string): JsonObject {
  const text = Buffer.from(bytes).toString('utf8');
  const sum = /,"sum":"(?<sum>[0-9a-f]{8})"\}\s*$/.exec(text);
  if (sum !== null && sumOf(text.slice(0, sum.index)) !== sum.groups?.['sum'])
    throw unreadable(key, 'its content does not match its checksum');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (thrown) {
    throw unreadable(key, messageOf(thrown));
  }
  if (!isJsonObject(parsed) || parsed['version'] !== 1) throw unreadable(key, 'it is not of version 1');
  return parsed;
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** Reads one of the small files; undefined when it is not there. Fails with `CAIRN-JOURNAL-CORRUPT`. */
export async function getJournalFile<K extends keyof JournalFiles>(
  store: BlobStore,
  directory: string,
  kind: K,
): Promise<JournalFiles[K] | undefined> {
  return (await readJournalFile(store, directory, kind))?.content;
}

/** One of the small files as it was read. `version`: to replace exactly this one. */
export interface ReadJournalFile<K extends keyof JournalFiles> {
  readonly content: JournalFiles[K];
  readonly version: BlobVersion;
}

/** As {@link getJournalFile}, for who is going to replace it. */
export async function readJournalFile<K extends keyof JournalFiles>(
  store: BlobStore,
  directory: string,
  kind: K,
): Promise<ReadJournalFile<K> | undefined> {
  const key = directory + JOURNAL_FILES[kind];
  const blob = await store.get(key);
  if (blob === undefined) return undefined;
  const parsed = takeSummed(blob.bytes, key);
  const missing = REQUIRED[kind].filter((name) => typeof parsed[name] !== 'string');
  if (missing.length > 0) throw unreadable(key, `it lacks ${missing.join(', ')}`);
  const wrong = FAULTS[kind].find((fault) => fault.found(parsed));
  if (wrong !== undefined) throw unreadable(key, wrong.why);
  return { content: parsed as unknown as JournalFiles[K], version: blob.version };
}

/** Texts without which a file means nothing. */
const REQUIRED: Readonly<Record<keyof JournalFiles, readonly string[]>> = {
  operation: ['change', 'lock', 'kind', 'base'],
  fold: ['lock', 'base', 'checkpoint', 'stamp'],
  sealed: ['lock', 'result'],
  claims: ['lock'],
  ended: ['lock'],
  through: ['lock'],
};

interface Fault {
  readonly why: string;
  readonly found: (file: JsonObject) => boolean;
}

const given = (file: JsonObject, name: string): boolean => file[name] !== undefined;

const isListOfPlans = (value: Json | undefined): boolean =>
  Array.isArray(value) &&
  (value as readonly Json[]).every(
    (plan) =>
      isJsonObject(plan) && typeof plan['checkpoint'] === 'string' && typeof plan['stamp'] === 'string',
  );

/** What else makes a file useless. */
const FAULTS: Readonly<Record<keyof JournalFiles, readonly Fault[]>> = {
  operation: [
    { why: 'it lacks startTime', found: (file) => !isUnixSeconds(file['startTime']) },
    {
      why: 'what it continues cannot be read',
      found: (file) => given(file, 'continues') && !isContinues(file['continues']),
    },
    {
      why: 'its claims are no list',
      found: (file) => given(file, 'claims') && !Array.isArray(file['claims']),
    },
    {
      why: 'its goalKey is no text',
      found: (file) => given(file, 'goalKey') && typeof file['goalKey'] !== 'string',
    },
  ],
  fold: [
    {
      why: 'its history is no entry',
      found: (file) => given(file, 'history') && !isJsonObject(file['history']),
    },
    {
      why: 'what it says of earlier folds cannot be read',
      found: (file) => given(file, 'earlier') && !isListOfPlans(file['earlier']),
    },
  ],
  through: [
    {
      why: 'its digests are no list of texts',
      found: ({ digests }) =>
        !Array.isArray(digests) || !(digests as readonly Json[]).every((each) => typeof each === 'string'),
    },
  ],
  claims: [{ why: 'it lacks claims', found: (file) => !Array.isArray(file['claims']) }],
  ended: [
    { why: 'it lacks history', found: (file) => !isJsonObject(file['history']) },
    { why: 'its end is unknown', found: ({ end }) => !isJsonObject(end) || !isChangeResult(end['result']) },
  ],
  sealed: [{ why: 'its result is unknown', found: (file) => !isChangeResult(file['result']) }],
};

/**
 * Takes back the fence of a journal that has nothing else of this process. What another process has put there meanwhile
 * stays: a journal that it has closed never becomes an open one.
 */
export async function withdrawFence(store: BlobStore, directory: string): Promise<void> {
  await store.delete(directory + JOURNAL_FILES.operation);
  await store.removeFolder?.(directory);
}

/**
 * Removes a journal: first its records and copies at once, then what closes it, and its fence last, so that a directory
 * that is left over is still told as one.
 */
export async function removeJournal(store: BlobStore, directory: string): Promise<void> {
  const last = [JOURNAL_FILES.sealed, JOURNAL_FILES.operation].map((name) => directory + name);
  const keys = (await store.list(directory)).map((row) => row.key);
  await Promise.all(keys.filter((key) => !last.includes(key)).map((key) => store.delete(key)));
  for (const key of last.filter((each) => keys.includes(each))) await store.delete(key);
  await store.removeFolder?.(directory);
}

/** The error for a file of a journal that means nothing. */
export function unreadable(key: string, why: string): Error {
  return cairnError('CAIRN-JOURNAL-CORRUPT', `cannot read the journal file ${key}: ${why}`, {
    hint: 'Nothing was changed. Restore the file from a backup, or go on without what it recorded: `cairn state repair` sets it aside.',
  });
}
