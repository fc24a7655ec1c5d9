import { fstatSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { withDescriptors } from '@cairn/retries';

/** Methods of an open file that Cairn uses. */
export type DiskFile = Pick<
  FileHandle,
  | 'read'
  | 'write'
  | 'writev'
  | 'readFile'
  | 'chmod'
  | 'stat'
  | 'sync'
  | 'datasync'
  | 'truncate'
  | 'close'
  | 'fd'
>;

/** Functions of the file system that Cairn uses; tests pass one that fails where they choose. */
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
  /** Names in a directory, in no order, without their kinds. */
  readonly readNames: (path: string) => Promise<readonly string[]>;
  readonly readlink: (path: string) => Promise<string>;
  readonly rename: typeof fs.rename;
  readonly stat: (path: string) => Promise<DiskStat>;
  /** Returns the kind of the file system of a path, as a number that Linux defines. */
  readonly statfs: (path: string) => Promise<{ readonly type: number }>;
  /** Tells whether there is something at a path, at once: another thread would take longer to start. */
  readonly isThere: (path: string) => boolean | Promise<boolean>;
  /** Number of names of an open file by its descriptor, at once. */
  readonly linksOf: (fd: number) => number | Promise<number>;
  readonly symlink: (target: string, path: string) => Promise<void>;
  readonly rmdir: (path: string) => Promise<void>;
  readonly unlink: typeof fs.unlink;
}

/** Entry of a directory. */
export interface DirectoryRow {
  readonly name: string;
  isDirectory(): boolean;
}

/** Facts about a file that a listing needs. */
interface DiskStat {
  readonly size: number;
  readonly ino: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/**
 * File system of the machine. Functions that open files wait for free descriptors, then fail with CAIRN-DESCRIPTORS.
 */
export const realDisk: Disk = {
  ...fs,
  isThere: (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
  linksOf: (fd) => fstatSync(fd).nlink,
  open: (path, flags, mode) => withDescriptors(`open ${path}`, () => fs.open(path, flags, mode)),
  copyFile: (from, to, mode) => withDescriptors(`copy ${String(from)}`, () => fs.copyFile(from, to, mode)),
  readNames: (path) => withDescriptors(`list ${path}`, () => fs.readdir(path)),
  readdir: (path, options) => withDescriptors(`list ${path}`, () => fs.readdir(path, options)),
};

/** Returns the `code` of a failed system call, or `undefined`. */
export function errno(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Tells whether a failed call means that there is nothing. A file where a directory is expected also means that. */
export function isAbsent(thrown: unknown): boolean {
  const code = errno(thrown);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Removes a file. Returns false if there is none. */
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
 * Makes the names in a directory durable. Systems that cannot open or sync a directory (Windows, some network disks)
 * make names durable themselves.
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
