import type { BlobStore } from '@cairn/blobs';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { goJson, isJsonObject, readCheckpoint } from '@cairn/state';
import type { Json, SerializedDeployment } from '@cairn/state';
import { allDone } from '../all-done.js';
import { isUnixSeconds } from '../backend-context.js';
import type { WrittenCheckpoint } from '../checkpoint/checkpoint-file.js';
import { COMPRESSION_OF, compress, decompress } from '../checkpoint/compression.js';
import { checkpointEnd, layout } from '../layout.js';
import { ENTRY_END, historyNames } from './history-names.js';
import type { BackendSettings } from '../settings.js';
import type { StackId } from '../../stack-id.js';
import { isChangeResult } from '../../model/change-result.js';
import { isOperationKind } from '../../model/operation-kind.js';
import type { HistoryDetail, HistoryEntry, HistoryPage, HistoryRow } from '../../model/history-entry.js';

/** Returns the bytes of an entry before compression: compact, keys in the order of the format [STORE-9]. */
export function historyEntryText(entry: HistoryEntry): string {
  const { kind, startTime, message, environment, config, version, result, endTime, cairn } = entry;
  const changes = entry.resourceChanges ?? {};
  const resourceChanges = Object.keys(changes).length === 0 ? undefined : changes;
  const start = { kind, startTime, message, environment, config, version, result, endTime };
  const written = Object.entries({ ...start, resourceChanges, cairn }).flatMap(([key, value]) =>
    value === undefined ? [] : [`"${key}":${goJson(value as Json)}`],
  );
  return `{${written.join(',')}}`;
}

/**
 * Update to write to the history. `stamp` is in nanoseconds since 1970; writing the same update twice changes nothing.
 */
interface HistoryWrite {
  readonly id: StackId;
  readonly stamp: string;
  readonly entry: HistoryEntry;
  /** Checkpoint that the update wrote. Undefined if it no longer exists. */
  readonly checkpoint: WrittenCheckpoint | undefined;
  readonly settings: BackendSettings;
}

/**
 * Writes the entry with a copy of the checkpoint beside it, and the backup copy unless backups are off [STORE-9].
 * Copies nothing if the stored state is not the one that the update wrote.
 */
export async function writeHistory(store: BlobStore, write: HistoryWrite): Promise<void> {
  await allDone([putEntry(store, write), ...copiesOf(store, write)]);
}

/**
 * Compresses as the checkpoint is compressed, so that a process that finishes the work of another one writes the same
 * file.
 */
async function putEntry(store: BlobStore, { id, stamp, entry, checkpoint }: HistoryWrite): Promise<void> {
  const any = layout.historyEntry(id, stamp, '.json');
  if (checkpoint === undefined && (await store.list(any)).length > 0) return;
  const end = checkpoint === undefined ? '.json' : checkpointEnd(checkpoint.key);
  const text = await compress(Buffer.from(historyEntryText(entry)), COMPRESSION_OF[end]);
  await store.put(layout.historyEntry(id, stamp, end), text, { ifAbsent: true });
}

function copiesOf(
  store: BlobStore,
  { id, stamp, settings, checkpoint }: HistoryWrite,
): readonly Promise<unknown>[] {
  if (checkpoint === undefined) return [];
  const { key, version, bytes } = checkpoint;
  const end = checkpointEnd(key);
  const backups = settings.backups ? [layout.backup(id, stamp, end)] : [];
  const targets = [layout.historyCheckpoint(id, stamp, end), ...backups];
  // A copy takes several requests where the server does not honour its condition.
  if (store.remote === true && bytes !== undefined) return targets.map((to) => store.put(to, bytes));
  return targets.map((to) => store.copy(key, to, { ifVersion: version }));
}

/** Returns true if the copy of the checkpoint that belongs to an update was written. */
export async function hasHistory(store: BlobStore, id: StackId, stamp: string): Promise<boolean> {
  return (await store.list(layout.historyCheckpoint(id, stamp, ''))).length > 0;
}

/** Returns updates, newest first [STORE-9]. An unreadable entry fails with `CAIRN-STATE-CORRUPT` and names its file. */
export async function readHistory(
  store: BlobStore,
  id: StackId,
  page: HistoryPage,
): Promise<readonly HistoryRow[]> {
  const { entries } = await historyNames(store, id);
  const size = page.size ?? entries.length;
  const newest = entries.length - size * ((page.page ?? 1) - 1);
  const rows: HistoryRow[] = [];
  for (let number = newest; number > Math.max(0, newest - size); number -= 1) {
    const entry = await readEntry(store, entries[number - 1] as string);
    if (entry !== undefined) rows.push({ ...entry, number });
  }
  return rows;
}

/** Returns the stamp of the newest entry, or undefined if there is none that has one. */
export async function newestStamp(store: BlobStore, id: StackId): Promise<bigint | undefined> {
  const { entries } = await historyNames(store, id);
  const [, stamp] = /-(\d{1,30})$/.exec((entries.at(-1) ?? '').replace(ENTRY_END, '')) ?? [];
  return stamp === undefined ? undefined : BigInt(stamp);
}

/**
 * Returns the state after an update: the copy of the checkpoint beside its entry. Fails with `CAIRN-USAGE` for a number
 * that the history does not have, and for one whose copy is gone.
 */
export async function readHistoryState(
  store: BlobStore,
  id: StackId,
  number: number,
): Promise<SerializedDeployment | undefined> {
  const { text, key } = await readHistoryText(store, id, number);
  return readCheckpoint(text, key).deployment;
}

/** Returns the text of the stack file after an update, before compression. Fails as {@link readHistoryState} does. */
export async function readHistoryText(
  store: BlobStore,
  id: StackId,
  number: number,
): Promise<{ readonly text: Uint8Array; readonly key: string }> {
  const { entries, copyOf } = await historyNames(store, id);
  const entry = entries[number - 1];
  const key = entry && copyOf(entry);
  const blob = key && (await store.get(key));
  if (!key || !blob) throw noVersion(id, number, entries.length);
  return { text: await decompress(blob.bytes, key), key };
}

function noVersion(id: StackId, number: number, count: number): Error {
  return cairnError('CAIRN-USAGE', `the state of stack "${id.stack}" after update ${number} is not stored`, {
    hint:
      count === 0
        ? 'Run `cairn up` first: the stack has no updates yet.'
        : `Choose a version from 1 to ${count}, as \`cairn stack history\` lists them.`,
  });
}

/** Returns the entry under a key, or undefined if there is none. Fails with `CAIRN-STATE-CORRUPT`. */
export async function readEntry(store: BlobStore, key: string): Promise<HistoryEntry | undefined> {
  const blob = await store.get(key);
  if (blob === undefined) return undefined;
  const text = Buffer.from(await decompress(blob.bytes, key)).toString('utf8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (thrown) {
    throw unreadable(key, messageOf(thrown));
  }
  if (!isJsonObject(parsed)) throw unreadable(key, 'it is not an object');
  return {
    kind: textOr(parsed['kind'], 'update') as HistoryEntry['kind'],
    startTime: numberOr0(parsed['startTime'], isUnixSeconds),
    message: textOr(parsed['message'], ''),
    environment: valuesOf<string>(parsed['environment'], isText) ?? {},
    config: (isJsonObject(parsed['config']) ? parsed['config'] : {}) as HistoryEntry['config'],
    version: numberOr0(parsed['version'], Number.isSafeInteger),
    result: textOr(parsed['result'], 'failed') as HistoryEntry['result'],
    endTime: numberOr0(parsed['endTime'], isUnixSeconds),
    resourceChanges: valuesOf<number>(parsed['resourceChanges'], Number.isSafeInteger),
    ...(isDetail(parsed['cairn']) && { cairn: parsed['cairn'] }),
  };
}

/** Returns the fitting values of an object of a file, or undefined for something else. */
function valuesOf<T>(value: unknown, fits: (value: unknown) => boolean): Record<string, T> | undefined {
  return isJsonObject(value)
    ? (Object.fromEntries(Object.entries(value).filter(([, each]) => fits(each))) as Record<string, T>)
    : undefined;
}

function textOr(value: unknown, otherwise: string): string {
  return isText(value) ? value : otherwise;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Returns a number of a file, or 0: a wrong number is not worth a refusal. */
function numberOr0(value: unknown, fits: (value: unknown) => boolean): number {
  return fits(value) ? (value as number) : 0;
}

function isDetail(value: unknown): value is HistoryDetail {
  return (
    isJsonObject(value) &&
    isText(value['change']) &&
    isOperationKind(value['kind']) &&
    isChangeResult(value['result'])
  );
}

function unreadable(key: string, why: string): Error {
  return cairnError('CAIRN-STATE-CORRUPT', `cannot read the history entry ${key}: ${why}`, {
    hint: 'Move the file away to see the rest of the history.',
  });
}
