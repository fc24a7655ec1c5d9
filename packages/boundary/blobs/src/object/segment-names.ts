import type { BlobInfo } from '../blob-store.js';

/**
 * A segment in an object store is a series of objects, because objects cannot grow:
 *
 * - `<key>`: its mark, written if absent, which is what only one writer can do; later perhaps the whole content in one
 *   object;
 * - `<key>.p00000001` and on: its parts, each written if absent and never empty. What counts are the parts from 1 to
 *   the first gap;
 * - an empty object in that gap, a tombstone: nothing counts after it, whoever writes it.
 */
const PART = /^(?<key>.+)\.p(?<number>\d{8})$/;

/** Text of a mark, with an id that tells two writers apart. Always so many bytes. */
const MARK = /^cairn segment 1 [0-9a-f-]{36}\nits content is in the objects beside it\n$/;

/** Length of every mark, in bytes. */
export const MARK_SIZE = markBytes('00000000-0000-0000-0000-000000000000').length;

/** The mark of a writer. `id`: a fresh UUID. */
export function markBytes(id: string): Uint8Array {
  return Buffer.from(`cairn segment 1 ${id}\nits content is in the objects beside it\n`);
}

/** Whether an object is the mark of a segment whose content lies in its parts. */
export function isMark(bytes: Uint8Array): boolean {
  return bytes.length === MARK_SIZE && MARK.test(Buffer.from(bytes).toString('latin1'));
}

/** Name of a part. `number`: from 1. */
export function partKey(key: string, number: number): string {
  return `${partPrefix(key)}${String(number).padStart(8, '0')}`;
}

/** What the names of a segment's parts begin with. */
export function partPrefix(key: string): string {
  return `${key}.p`;
}

/** The segment and number that a name stands for; undefined for any other object. */
export function partOf(name: string): { readonly key: string; readonly number: number } | undefined {
  const { key, number } = PART.exec(name)?.groups ?? {};
  return key === undefined ? undefined : { key, number: Number(number) };
}

/**
 * The parts that count, out of every part of one segment in order of number: those before the first gap or tombstone.
 */
export function countingParts(rows: readonly BlobInfo[]): readonly BlobInfo[] {
  const end = rows.findIndex((row, index) => row.size === 0 || partOf(row.key)?.number !== index + 1);
  return end < 0 ? rows : rows.slice(0, end);
}

/**
 * The rows of a listing as the store's callers see them: a segment is one row with the size of its content, its parts
 * are none. A segment in which nothing was appended yet shows the size of its mark.
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
