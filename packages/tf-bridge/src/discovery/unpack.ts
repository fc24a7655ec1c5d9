import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Entry, ZipFile } from 'yauzl';

/** Bytes that are unpacked of one package at most. */
const LARGEST_PACKAGE = 8 * 1024 ** 3;

/**
 * Unpacks an archive into a directory, which is there as a whole or not at all: others may do the same at the same
 * time. Links, and names that lead out of the directory, are refused.
 */
export async function unpackTo(archive: string, directory: string): Promise<void> {
  const partial = `${directory}.${randomBytes(6).toString('hex')}.partial`;
  try {
    await mkdir(partial, { recursive: true });
    await unpack(archive, partial);
    await rename(partial, directory);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if ((await stat(directory).catch(() => undefined)) === undefined) throw error;
  }
}

/** The directory below `root` in which an archive is unpacked: another one when the archive is another. */
export async function unpacked(archive: string, root: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(archive);
  const key = createHash('sha256').update(JSON.stringify([archive, size, mtimeMs, ino]));
  const directory = join(root, key.digest('hex').slice(0, 32));
  const there = await stat(directory).catch(() => undefined);
  if (there === undefined) await unpackTo(archive, directory);
  return directory;
}

async function unpack(archive: string, directory: string): Promise<void> {
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(archive, { autoClose: false });
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      bytes += entry.uncompressedSize;
      if (bytes > LARGEST_PACKAGE)
        throw new Error(`${archive} unpacks to more than ${LARGEST_PACKAGE} bytes`);
      await unpackEntry(zip, entry, archive, directory);
    }
  } finally {
    zip.close();
  }
}

const FILE_TYPE = 0o170_000;
const LINK = 0o120_000;

async function unpackEntry(zip: ZipFile, entry: Entry, archive: string, directory: string): Promise<void> {
  const name = entry.fileName;
  const mode = entry.externalFileAttributes >>> 16;
  if ((mode & FILE_TYPE) === LINK) throw new Error(`${archive} has a link, ${name}`);
  if (name.endsWith('/')) return;
  const file = join(directory, name);
  await mkdir(dirname(file), { recursive: true });
  // All files may be executed: packages that are made on Windows do not say which are to be.
  await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file, { mode: 0o755 }));
}
