import * as fs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { withDescriptors } from '@cairn/retries';

/** The part of an open file that is used. */
export type DiskFile = Pick<
  FileHandle,
  'read' | 'write' | 'writev' | 'readFile' | 'chmod' | 'stat' | 'sync' | 'datasync' | 'truncate' | 'close'
>;

/** The part of the file system that is used; tests hand in one that fails where they say. */
export interface Disk {
  readonly open: (path: string, flags: string | number, mode?: number) => Promise<DiskFile>;
  readonly copyFile: typeof fs.copyFile;
  readonly link: typeof fs.link;
  readonly mkdir: (
    path: string,
    options: { readonly recursive: true; readonly mode?: number | undefined },
  ) => Promise<string | undefined>;
  readonly readdir: (
    path: string,
    options: { readonly withFileTypes: true },
  ) => Promise<readonly DirectoryRow[]>;
  readonly readlink: (path: string) => Promise<string>;
  readonly rename: typeof fs.rename;
  readonly stat: (path: string) => Promise<DiskStat>;
  readonly symlink: (target: string, path: string) => Promise<void>;
  readonly rmdir: (path: string) => Promise<void>;
  readonly unlink: typeof fs.unlink;
}

/** One name in a directory. */
export interface DirectoryRow {
  readonly name: string;
  isDirectory(): boolean;
}

/** What a listing needs to know of a file. */
interface DiskStat {
  readonly size: number;
  readonly mtimeMs: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** The machine's own file system. What opens files waits for some to be free, then fails with CAIRN-DESCRIPTORS. */
export const realDisk: Disk = {
  ...fs,
  open: (path, flags, mode) => withDescriptors(`open ${path}`, () => fs.open(path, flags, mode)),
  copyFile: (from, to, mode) => withDescriptors(`copy ${String(from)}`, () => fs.copyFile(from, to, mode)),
  readdir: (path, options) => withDescriptors(`list ${path}`, () => fs.readdir(path, options)),
};

/** The `code` of a failed system call, or undefined. */
export function errno(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Whether a failed call says that nothing is there. A file where a directory is expected also means that. */
export function isAbsent(thrown: unknown): boolean {
  const code = errno(thrown);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Removes a file; one that is not there is no failure. */
export async function unlinkIfThere(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.unlink(path);
    return true;
  } catch (thrown) {
    if (isAbsent(thrown)) return false;
    throw thrown;
  }
}

/**
 * Makes the names in a directory durable. Systems that cannot open or sync a directory (Windows, some network disks) do
 * it themselves.
 */
export async function syncDirectory(disk: Disk, path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await disk.open(path, 'r');
  try {
    await handle.sync();
  } catch (thrown) {
    if (errno(thrown) !== 'EINVAL' && errno(thrown) !== 'ENOTSUP') throw thrown;
  } finally {
    await handle.close();
  }
}
