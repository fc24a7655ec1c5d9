import { constants } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { Disk, DiskFile } from './disk.js';
import { errno, syncDirectory, unlinkIfThere } from './disk.js';

/** Ways to place a finished temporary file: over an existing file, or only if there is none. */
export type Placing = 'replace' | 'exclusive';

/**
 * Creates the directory with its parents and makes the new names durable. `mode` applies to new directories, before the
 * umask. The store's root exists already.
 */
export async function ensureDirectory(disk: Disk, path: string, mode: number | undefined): Promise<void> {
  const first = await disk.mkdir(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made))
    await syncDirectory(disk, dirname(made));
}

/**
 * Options of a write. `mode` is that of a new file, before the umask; it defaults to 0666. With `exactMode` the file
 * has that mode whatever the umask. `folder` holds temporary files and is on the same file system; it defaults to the
 * folder of the target.
 */
interface WritingOptions {
  readonly mode?: number;
  readonly exactMode?: number | undefined;
  readonly folder?: string | undefined;
}

/**
 * Puts the bytes under `path` whole and durable, or not at all. Returns false if placing was exclusive and there is a
 * file already.
 */
export function writeAtomically(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  placing: Placing,
  { mode = 0o666, exactMode, folder }: WritingOptions = {},
): Promise<boolean> {
  return viaTemporary(disk, path, placing, folder, async (temporary) => {
    const handle = await disk.open(temporary, 'wx', mode);
    await fillAndClose(handle, bytes, exactMode);
    return true;
  });
}

/**
 * Puts a copy of the file `from` under `path`, whole and durable, or not at all. `accept` is called with the finished
 * copy. Returns false if it was not accepted.
 */
export function copyAtomically(
  disk: Disk,
  from: string,
  path: string,
  accept: ((copy: string) => Promise<boolean>) | undefined,
  { folder }: Pick<WritingOptions, 'folder'> = {},
): Promise<boolean> {
  return viaTemporary(disk, path, 'replace', folder, async (temporary) => {
    await disk.copyFile(from, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    if (accept !== undefined && !(await accept(temporary))) return false;
    const handle = await disk.open(temporary, 'r+');
    await fillAndClose(handle, undefined);
    return true;
  });
}

async function fillAndClose(
  handle: DiskFile,
  bytes: Uint8Array | undefined,
  exactMode?: number,
): Promise<void> {
  try {
    if (exactMode !== undefined) await handle.chmod(exactMode);
    for (let offset = 0; bytes !== undefined && offset < bytes.length;) {
      offset += (await handle.write(bytes, offset, bytes.length - offset)).bytesWritten;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Fills a temporary file, `<name>.<hex>.tmp`, and places it. The temporary file is gone afterwards in every case. If
 * `fill` returns false, the file is not placed.
 */
async function viaTemporary(
  disk: Disk,
  path: string,
  placing: Placing,
  folder: string | undefined,
  fill: (temporary: string) => Promise<boolean>,
): Promise<boolean> {
  const name = `${basename(path)}.${randomBytes(8).toString('hex')}.tmp`;
  const temporary = join(folder ?? dirname(path), name);
  let renamed = false;
  try {
    if (!(await fill(temporary))) return false;
    if (placing === 'exclusive') {
      if (!(await linkExclusively(disk, temporary, path))) return false;
    } else {
      await disk.rename(temporary, path);
      renamed = true;
    }
  } finally {
    if (!renamed) await unlinkIfThere(disk, temporary).catch(() => false);
  }
  await syncDirectory(disk, dirname(path));
  return true;
}

/**
 * Removes the temporary files that killed processes have left beside a file. The caller sees to it that no other
 * process writes the file meanwhile.
 */
export async function removeDrafts(disk: Disk, path: string): Promise<void> {
  const [folder, own] = [dirname(path), `${basename(path)}.`];
  // A folder that cannot be listed can still be written to.
  const names = await disk.readNames(folder).catch(() => []);
  for (const name of names)
    if (name.startsWith(own) && DRAFT.test(name.slice(own.length)))
      await unlinkIfThere(disk, join(folder, name));
}

/** End of the name of a temporary file. */
const DRAFT = /^[0-9a-f]{16}\.tmp$/;

async function linkExclusively(disk: Disk, temporary: string, path: string): Promise<boolean> {
  try {
    await disk.link(temporary, path);
    return true;
  } catch (thrown) {
    if (errno(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}
