import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unpackArchive } from '@cairn/archives';

/**
 * Unpacks an archive into a directory, completely or not at all, because other processes may do the same at the same
 * time. The folders above it are created with mode 0700.
 */
export async function unpackTo(archive: string, directory: string): Promise<void> {
  const partial = `${directory}.${randomBytes(6).toString('hex')}.partial`;
  try {
    await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
    await unpackArchive(archive, partial);
    await rename(partial, directory);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if ((await stat(directory).catch(() => undefined)) === undefined) throw error;
  }
}

/** Returns the directory below `root` in which an archive is unpacked. A changed archive gets another one. */
export async function unpacked(archive: string, root: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(archive);
  const key = createHash('sha256').update(JSON.stringify([archive, size, mtimeMs, ino]));
  const directory = join(root, key.digest('hex').slice(0, 32));
  const there = await stat(directory).catch(() => undefined);
  if (there === undefined) await unpackTo(archive, directory);
  return directory;
}
