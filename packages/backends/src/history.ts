import type { BlobStore } from '@cairn/blobs';
import { gunzipSync } from 'node:zlib';
import { layout } from './layout.js';
import type { StackIdentity } from './layout.js';

/** What kind of operation a history entry is about, in the file's words (state.md 5.6). */
export type HistoryKind =
  'update' | 'refresh' | 'destroy' | 'resource-import' | 'preview' | 'import' | 'rename';

/** One entry of a stack's history (state.md 5.6). Times are Unix seconds. */
export interface HistoryEntry {
  readonly kind: HistoryKind;
  readonly startTime: number;
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `ns:name` to text, structured value, or `{secure: ciphertext}`. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly version: number;
  readonly result: 'succeeded' | 'failed' | 'in-progress';
  readonly endTime: number;
  readonly resourceChanges?: Readonly<Record<string, number>> | undefined;
}

/** The file of an entry, keys in the order of the format. */
export function encodeHistoryEntry(entry: HistoryEntry): Uint8Array {
  const { kind, startTime, message, environment, config, result, endTime, resourceChanges } = entry;
  const changes =
    resourceChanges === undefined || Object.keys(resourceChanges).length === 0 ? {} : { resourceChanges };
  return Buffer.from(
    JSON.stringify({
      kind,
      startTime,
      message,
      environment,
      config,
      version: 0,
      result,
      endTime,
      ...changes,
    }),
  );
}

/** Entries of a stack, newest first; `page` counts from 1. A file that cannot be read is left out. */
export async function readHistory(
  store: BlobStore,
  id: StackIdentity,
  page: number,
  pageSize: number,
): Promise<readonly HistoryEntry[]> {
  const keys = (await store.list(layout.history(id)))
    .map((info) => info.key)
    .filter((key) => /\.history\.json(\.gz)?$/.test(key))
    .reverse();
  const entries: HistoryEntry[] = [];
  for (const key of keys.slice((page - 1) * pageSize, page * pageSize)) {
    const blob = await store.get(key);
    const entry = blob === undefined ? undefined : parseEntry(blob.bytes);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

function parseEntry(bytes: Uint8Array): HistoryEntry | undefined {
  try {
    const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : Buffer.from(bytes);
    return JSON.parse(plain.toString('utf8')) as HistoryEntry;
  } catch {
    return undefined;
  }
}
