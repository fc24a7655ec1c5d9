import { crc32 } from 'node:zlib';
import type { BlobStore, BlobVersion, PutCondition } from '@cairn/blobs';
import type { Claim } from '@cairn/changes';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { goJson, isJsonObject } from '@cairn/state';
import type { Json, JsonObject } from '@cairn/state';
import { isUnixSeconds } from '../backend-context.js';
import type { HistoryEntry } from '../../model/history-entry.js';
import { isChangeResult } from '../../model/change-result.js';
import { isContinues } from '../../model/change-row.js';
import type { ChangeDescription, JournalEnd } from '../../model/change-facts.js';
import type { CheckpointOutline } from '../checkpoint/outline.js';
import { JOURNAL_FILES } from '../layout.js';

/** Description of an operation, written before its first record: the fence, and the state that it started from. */
export interface OperationFile extends ChangeDescription {
  readonly change: string;
  /** Id of the lock under which it runs. */
  readonly lock: string;
  /** Digest of the checkpoint it started from. */
  readonly base: string;
}

/** Announcement of a fold. It distinguishes an interrupted fold from one that never began. */
export interface FoldFile {
  /** Id of the lock under which it folds. It differs from the operation's if a dead operation is taken over. */
  readonly lock: string;
  /** Digests of the replaced checkpoint and of the new one. */
  readonly base: string;
  readonly checkpoint: string;
  /** Nanoseconds since 1970. Names history, backup and retained copies. */
  readonly stamp: string;
  /** Undefined if it leaves no entry in the history and no backup, as for an edit of the state [STATE-10]. */
  readonly history?: HistoryEntry;
  /**
   * End of the operation, for the process that closes the journal after an interrupted fold. Missing in journals of
   * older versions.
   */
  readonly end?: JournalEnd;
  /** Set if the operation recorded no entry: it leaves the state that it started from, which then has no copy. */
  readonly same?: true;
  /**
   * Earlier folds of this journal by other processes, which may still complete during this one. A checkpoint that one
   * of them announced is as good.
   */
  readonly earlier?: readonly FoldPlan[];
}

/** One fold as its file announces it. */
export type FoldPlan = Omit<FoldFile, 'earlier' | 'lock'>;

/** Fold of a closed journal. `stamp` is in nanoseconds since 1970, `checkpoint` the digest of what it left. */
export interface StampedFold {
  readonly change: string;
  readonly stamp: string;
  readonly checkpoint: string | undefined;
}

/** Record of a closed journal. */
export interface SealedFile extends JournalEnd {
  /** Id of the lock under which it was sealed. */
  readonly lock: string;
  /**
   * Digest of the checkpoint that its fold left: of several folds that began, the one that counts. Missing in journals
   * of older versions.
   */
  readonly checkpoint?: string;
  /** Stamp of that fold. Missing in journals of older versions, where the announcement says it. */
  readonly stamp?: string;
  /** Set if that checkpoint is the state that the operation started from, but for its time. See {@link FoldFile}. */
  readonly same?: true;
  /** Outline of that checkpoint, unless it is sealed whole. Missing in journals of older versions. */
  readonly outline?: CheckpointOutline;
  /**
   * Beginning of the change, as its `operation.json` has it, so that one read tells the whole change. Missing in
   * journals of older versions, and in those that another process closed.
   */
  readonly began?: OperationFile;
  /** Records of a change without steps, as the text of the segment that it does not have. */
  readonly records?: string;
}

/** Claims of an operation that has claimed more since it began. */
interface ClaimsFile {
  readonly lock: string;
  readonly claims: readonly Claim[];
}

/** End of an operation whose journal could not be folded yet, because others ran beside it. */
export interface EndedFile {
  readonly lock: string;
  readonly end: JournalEnd;
  readonly history: HistoryEntry;
}

/** Checkpoints that a running operation has written, or was about to write, in place of the one it started from. */
interface ThroughFile {
  readonly lock: string;
  /** Digests of these checkpoints. The stored one is one of them, or the base. */
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

/** Journal of one operation as a listing shows it. `fence` is the version of its `operation.json`, if it is known. */
export interface JournalRow {
  readonly change: string;
  readonly number: number;
  readonly files: ReadonlySet<string>;
  readonly fence?: BlobVersion | undefined;
}

/** Writes one of the small files of a journal. Resolves with false if the condition did not hold. */
export async function putJournalFile<K extends keyof JournalFiles>(
  store: BlobStore,
  directory: string,
  kind: K,
  content: JournalFiles[K],
  condition: PutCondition = {},
): Promise<boolean> {
  return (await writeJournalFile(store, directory, kind, content, condition)) !== undefined;
}

/**
 * Same as {@link putJournalFile}, but resolves with the written version, or undefined if the condition did not hold.
 */
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

/** Returns compact JSON whose last field is the CRC-32 of everything before it. Undefined fields are left out. */
export function summedText(content: JsonObject): Uint8Array {
  const given = Object.entries(content).filter(([, value]) => (value as unknown) !== undefined);
  const text = goJson(Object.fromEntries(given)).slice(0, -1);
  return Buffer.from(`${text},"sum":"${sumOf(text)}"}\n`);
}

/**
 * Reads the output of {@link summedText}, and files of older versions, which have no sum. Fails with
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

/** Reads one of the small files. Resolves with undefined if it does not exist. Fails with `CAIRN-JOURNAL-CORRUPT`. */
export async function getJournalFile<K extends keyof JournalFiles>(
  store: BlobStore,
  directory: string,
  kind: K,
): Promise<JournalFiles[K] | undefined> {
  return (await readJournalFile(store, directory, kind))?.content;
}

/** One of the small files as it was read. `version` serves to replace exactly this one. */
export interface ReadJournalFile<K extends keyof JournalFiles> {
  readonly content: JournalFiles[K];
  readonly version: BlobVersion;
}

/** Same as {@link getJournalFile}, for a caller that is going to replace the file. */
export async function readJournalFile<K extends keyof JournalFiles>(
  store: BlobStore,
  directory: string,
  kind: K,
): Promise<ReadJournalFile<K> | undefined> {
  const key = directory + JOURNAL_FILES[kind];
  const blob = await store.get(key);
  if (blob === undefined) return undefined;
  const parsed = takeSummed(blob.bytes, key);
  const why = faultOf(kind, parsed);
  if (why !== undefined) throw unreadable(key, why);
  return { content: parsed as unknown as JournalFiles[K], version: blob.version };
}

/** Returns what makes a file useless, or undefined for a good one. */
function faultOf(kind: keyof JournalFiles, file: JsonObject): string | undefined {
  const missing = REQUIRED[kind].filter((name) => typeof file[name] !== 'string');
  if (missing.length > 0) return `it lacks ${missing.join(', ')}`;
  return FAULTS[kind].find((fault) => fault.found(file))?.why;
}

/** Names of required text fields. Without them a file is useless. */
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

/** Other faults that make a file useless. */
const FAULTS: Readonly<Record<keyof JournalFiles, readonly Fault[]>> = {
  operation: [
    { why: 'it has no startTime', found: (file) => !isUnixSeconds(file['startTime']) },
    {
      why: 'what it continues cannot be read',
      found: (file) => given(file, 'continues') && !isContinues(file['continues']),
    },
    {
      why: 'its claims are not a list',
      found: (file) => given(file, 'claims') && !Array.isArray(file['claims']),
    },
    {
      why: 'its goalKey is not a string',
      found: (file) => given(file, 'goalKey') && typeof file['goalKey'] !== 'string',
    },
  ],
  fold: [
    {
      why: 'its history is not an entry',
      found: (file) => given(file, 'history') && !isJsonObject(file['history']),
    },
    {
      why: 'its record of earlier folds cannot be read',
      found: (file) => given(file, 'earlier') && !isListOfPlans(file['earlier']),
    },
  ],
  through: [
    {
      why: 'its digests are not a list of strings',
      found: ({ digests }) =>
        !Array.isArray(digests) || !(digests as readonly Json[]).every((each) => typeof each === 'string'),
    },
  ],
  claims: [{ why: 'it lacks claims', found: (file) => !Array.isArray(file['claims']) }],
  ended: [
    { why: 'it lacks history', found: (file) => !isJsonObject(file['history']) },
    { why: 'its end is unknown', found: ({ end }) => !isJsonObject(end) || !isChangeResult(end['result']) },
  ],
  sealed: [
    { why: 'its result is unknown', found: (file) => !isChangeResult(file['result']) },
    {
      why: 'its records are not a text',
      found: (file) => given(file, 'records') && typeof file['records'] !== 'string',
    },
    {
      why: 'the beginning that it repeats cannot be read',
      found: ({ began }) =>
        began !== undefined && !(isJsonObject(began) && faultOf('operation', began) === undefined),
    },
  ],
};

/**
 * Withdraws the fence of a journal that contains nothing else of this process. Files of other processes stay: a journal
 * that another process has closed never becomes an open one.
 */
export async function withdrawFence(store: BlobStore, directory: string): Promise<void> {
  await store.delete(directory + JOURNAL_FILES.operation);
  await store.removeFolder?.(directory);
}

/**
 * Removes a journal: first its records and copies at once, then the file that closes it, and its fence last. A
 * directory that is left over is thus still recognised as a journal.
 */
export async function removeJournal(store: BlobStore, directory: string): Promise<void> {
  const last = [JOURNAL_FILES.sealed, JOURNAL_FILES.operation].map((name) => directory + name);
  const keys = (await store.list(directory)).map((row) => row.key);
  await Promise.all(keys.filter((key) => !last.includes(key)).map((key) => store.delete(key)));
  for (const key of last.filter((each) => keys.includes(each))) await store.delete(key);
  await store.removeFolder?.(directory);
}

/** Returns the error for a useless file of a journal. */
export function unreadable(key: string, why: string): Error {
  return cairnError('CAIRN-JOURNAL-CORRUPT', `cannot read the journal file ${key}: ${why}`, {
    hint: 'Nothing was changed. Restore the file from a backup, or run `cairn state repair` to continue without what it recorded.',
  });
}
