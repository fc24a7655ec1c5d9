import { setTimeout as pause } from 'node:timers/promises';
import type { BlobStore } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import type { BackupWriter } from './backup-files.js';

/** Looks at a bucket until nothing changed between two of them. */
const MOST_LOOKS = 30;
/** Milliseconds before the second look. Each later look waits as much longer. */
const PAUSE_MS = 50;
const FOLDER = 'bucket/';
/** The process that serves the bucket is none of its contents. */
const PROCESS = '.pulumi/service/process.json';
/** Files that only grow. What a copy has of one is a beginning of it, which is enough. */
const GROWING = /^\.pulumi\/service\/updates\/[^/]+\/[^/]+\/[a-z]+\/\d{6}$/;

/** Marks of the files in a bucket, by key. */
type Look = ReadonlyMap<string, string>;

/**
 * Copies a bucket while it is in use. What was copied was there at one moment: the copy ends when nothing changed from
 * one look to the next. Fails with `CAIRN-STORE-CONFLICT` if the bucket never rests.
 */
export async function copyBucket(blobs: BlobStore, to: BackupWriter): Promise<void> {
  const copied = new Map<string, string>();
  let before = await look(blobs);
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const isSame = await bringUpToDate(blobs, to, before, copied);
    await pause(PAUSE_MS * (looks + 1));
    const now = await look(blobs);
    if (isSame && same(before, now)) return;
    before = now;
  }
  throw cairnError('CAIRN-STORE-CONFLICT', `cannot back up ${blobs.url}: it changes all the time`, {
    hint: 'Run the backup while fewer updates run, or stop the service for it.',
  });
}

/** Puts the files of a backup into an empty bucket. */
export async function fillBucket(
  blobs: BlobStore,
  names: readonly string[],
  read: (name: string) => Promise<Uint8Array>,
): Promise<void> {
  for (const name of names)
    if (name.startsWith(FOLDER)) await blobs.put(name.slice(FOLDER.length), await read(name));
}

async function look(blobs: BlobStore): Promise<Look> {
  const rows = await blobs.list('');
  return new Map(
    rows
      .filter(({ key }) => key !== PROCESS)
      .map(({ key, size, modified }) => [key, GROWING.test(key) ? 'grows' : `${size} ${modified}`]),
  );
}

/** Copies what is new or changed, and removes what is gone. Returns true if every copy is of the file of the look. */
async function bringUpToDate(
  blobs: BlobStore,
  to: BackupWriter,
  files: Look,
  copied: Map<string, string>,
): Promise<boolean> {
  let isSame = true;
  for (const [key, mark] of files) {
    if (copied.get(key) === mark) continue;
    const blob = await blobs.get(key);
    if (blob === undefined) {
      isSame = false;
      continue;
    }
    await to.put(FOLDER + key, blob.bytes);
    const found = GROWING.test(key) ? 'grows' : `${blob.bytes.length} ${blob.modified}`;
    copied.set(key, found);
    if (found !== mark) isSame = false;
  }
  for (const key of copied.keys())
    if (!files.has(key)) {
      copied.delete(key);
      await to.remove(FOLDER + key);
    }
  return isSame;
}

function same(a: Look, b: Look): boolean {
  return a.size === b.size && [...a].every(([key, mark]) => b.get(key) === mark);
}
