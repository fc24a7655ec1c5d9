import type { Blob, BlobInfo } from '../blob-store.js';
import { versionOf } from '../blob-version.js';
import { inFlight } from '../in-flight.js';
import { ObjectFailure } from './object-client.js';
import type { ObjectClient } from './object-client.js';
import { MARK_SIZE, countingParts, isMark, partOf, partPrefix } from './segment-names.js';

/** Number of requests of one read that are under way at the same time. */
const READS = 16;

/** Lists every object whose name begins with the prefix, in order. */
export async function listAll(client: ObjectClient, prefix: string): Promise<readonly BlobInfo[]> {
  const rows: BlobInfo[] = [];
  let token: string | undefined;
  do {
    const page = await client.listPage(prefix, token);
    for (const row of page.rows) rows.push(row);
    token = page.next;
  } while (token !== undefined);
  return rows;
}

/** Lists every part of a segment, including those that do not count, in order of number. */
export async function listParts(client: ObjectClient, key: string): Promise<readonly BlobInfo[]> {
  return (await listAll(client, partPrefix(key))).filter((row) => partOf(row.key)?.key === key);
}

/** Reads an object, or the content of a segment if the object is its mark. */
export async function readJoined(client: ObjectClient, key: string): Promise<Blob | undefined> {
  const there = await client.get(key);
  if (there === undefined || !isMark(there.bytes)) return there;
  return whileMarked(client, key, async () => {
    const parts = countingParts(await listParts(client, key));
    const bytes = await readParts(client, parts);
    if (bytes === undefined) return undefined;
    const modified = parts.reduce((latest, part) => Math.max(latest, part.modified), there.modified);
    return { bytes, version: versionOf(bytes), modified };
  });
}

/**
 * Reads the bytes of an object or segment from an offset on; undefined if it does not exist. Without new bytes it is
 * one request.
 */
export async function readJoinedFrom(
  client: ObjectClient,
  key: string,
  offset: number,
): Promise<Uint8Array | undefined> {
  const rows = await listAll(client, key);
  const base = rows.find((row) => row.key === key);
  if (base === undefined) return undefined;
  const parts = countingParts(rows.filter((row) => partOf(row.key)?.key === key));
  if (base.size !== MARK_SIZE) return (await client.get(key, offset))?.bytes;
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (parts.length > 0 && size <= offset) return new Uint8Array();
  const { skipped, rest } = partsFrom(parts, offset);
  const found = await whileMarked(client, key, async () => {
    const bytes = await readParts(client, rest);
    return bytes === undefined ? undefined : { bytes, version: '', modified: 0 };
  });
  if (found === undefined) return undefined;
  return found.version === '' ? found.bytes.subarray(offset - skipped) : found.bytes.subarray(offset);
}

function partsFrom(
  parts: readonly BlobInfo[],
  offset: number,
): { readonly skipped: number; readonly rest: readonly BlobInfo[] } {
  let skipped = 0;
  let index = 0;
  for (const part of parts) {
    if (skipped + part.size > offset) break;
    skipped += part.size;
    index += 1;
  }
  return { skipped, rest: parts.slice(index) };
}

/**
 * Returns the result of `read` if the mark still exists afterwards: then no part was missing. Otherwise returns the
 * object that has replaced the mark and has the whole content.
 */
async function whileMarked(
  client: ObjectClient,
  key: string,
  read: () => Promise<Blob | undefined>,
): Promise<Blob | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const found = await read();
    const there = await client.get(key);
    if (there === undefined || !isMark(there.bytes)) return there;
    if (found !== undefined) return found;
  }
  throw new ObjectFailure('protocol', `parts of ${key} that were listed cannot be read`);
}

const TRIES = 5;

/** Reads and joins the parts; undefined if one of them no longer exists. */
async function readParts(client: ObjectClient, parts: readonly BlobInfo[]): Promise<Uint8Array | undefined> {
  const blobs = await inFlight(parts, READS, (part) => client.get(part.key));
  const found = blobs.flatMap((blob) => (blob === undefined ? [] : [blob.bytes]));
  return found.length < parts.length ? undefined : Buffer.concat(found);
}
