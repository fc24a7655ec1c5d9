import type { BlobInfo } from '../blob-store.js';

/**
 * Layout of a segment in an object store: a series of objects, because objects cannot grow.
 * - `<key>`: its mark, written if absent, so that only one writer succeeds. Later it may be the whole content in one
 *   object.
 * - `<key>.p00000001` and following: its parts, each written if absent and never empty. The parts from 1 to the first
 *   gap count.
 * - an empty object in that gap, a tombstone: nothing counts after it, whichever process wrote it.
 */
const PART = /^(?<key>.+)\.p(?<number>\d{8})$/;

/** Text of a mark, with an id that distinguishes two writers. Its length is constant. */
const MARK = /^cairn segment 1 [0-9a-f-]{36}\nits content is in the objects beside it\n$/;

/** Length of every mark, in bytes. */
export const MARK_SIZE = markBytes('00000000-0000-0000-0000-000000000000').length;

/** Returns the mark of a writer. `id` is a fresh UUID. */
export function markBytes(id: string): Uint8Array {
  return Buffer.from(`cairn segment 1 ${id}\nits content is in the objects beside it\n`);
}

/** Recognises the mark of a segment whose content is in its parts. */
export function isMark(bytes: Uint8Array): boolean {
  return bytes.length === MARK_SIZE && MARK.test(Buffer.from(bytes).toString('latin1'));
}

/** Returns the name of a part. `number` counts from 1. */
export function partKey(key: string, number: number): string {
  return `${partPrefix(key)}${String(number).padStart(8, '0')}`;
}

/** Returns the common prefix of the names of a segment's parts. */
export function partPrefix(key: string): string {
  return `${key}.p`;
}

/** Returns the segment and number of a part's name; undefined for any other object. */
export function partOf(name: string): { readonly key: string; readonly number: number } | undefined {
  const { key, number } = PART.exec(name)?.groups ?? {};
  return key === undefined ? undefined : { key, number: Number(number) };
}

/**
 * Returns the parts that count, out of all parts of one segment in order of number: those before the first gap or
 * tombstone.
 */
export function countingParts(rows: readonly BlobInfo[]): readonly BlobInfo[] {
  const end = rows.findIndex((row, index) => row.size === 0 || partOf(row.key)?.number !== index + 1);
  return end < 0 ? rows : rows.slice(0, end);
}

/**
 * Converts the rows of a listing for the store's callers. A segment is one row with the size of its content, and its
 * parts have no rows. A segment without appends has the size of its mark.
 */
export function asBlobs(objects: readonly BlobInfo[]): readonly BlobInfo[] {
  const parts = new Map<string, BlobInfo[]>();
  const rows: BlobInfo[] = [];
  for (const object of objects) {
    const part = partOf(object.key);
    if (part === undefined) rows.push(object);
    else mapped(parts, part.key).push(object);
  }
  return rows.map((row) => {
    const counting = row.size === MARK_SIZE ? countingParts(parts.get(row.key) ?? []) : [];
    return counting.length === 0 ? row : joinedRow(row, counting);
  });
}

function mapped(parts: Map<string, BlobInfo[]>, key: string): BlobInfo[] {
  const found = parts.get(key) ?? [];
  parts.set(key, found);
  return found;
}

function joinedRow(mark: BlobInfo, parts: readonly BlobInfo[]): BlobInfo {
  return {
    key: mark.key,
    size: parts.reduce((sum, part) => sum + part.size, 0),
    modified: parts.reduce((latest, part) => Math.max(latest, part.modified), mark.modified),
  };
}
