import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CairnError, ErrorCode } from '@cairn/diagnostics';
import { cairnError, messageOf } from '@cairn/diagnostics';

/** The `code` of a failed system call, or undefined. */
export function errno(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'CAIRN-STORE-FULL',
  EDQUOT: 'CAIRN-STORE-FULL',
  EROFS: 'CAIRN-STORE-READ-ONLY',
  EACCES: 'CAIRN-STORE-DENIED',
  EPERM: 'CAIRN-STORE-DENIED',
};

function fileFailure(thrown: unknown, doing: string, path: string): CairnError {
  const details = {
    causes: [messageOf(thrown)],
    hint: `Check that ${path} can be read and written by this user, and that its disk has space.`,
  };
  return cairnError(
    CODES[errno(thrown) ?? ''] ?? 'CAIRN-STORE-FAILED',
    `cannot ${doing} ${path}`,
    details,
    thrown,
  );
}

/** The text of a UTF-8 file without a byte order mark, or undefined when there is no file. */
export async function readTextFile(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  } catch (thrown) {
    if (errno(thrown) === 'ENOENT' || errno(thrown) === 'ENOTDIR') return undefined;
    throw fileFailure(thrown, 'read', path);
  }
}

/**
 * `mode`: permissions of the file. `keepMode`: a file that is there keeps its own. `directoryMode`: of folders that are
 * made for it.
 */
export interface WriteOptions {
  readonly mode: number;
  readonly keepMode?: boolean;
  readonly directoryMode?: number;
}

/**
 * Writes the file whole or not at all (temporary file beside it, then rename), creating its directory. A symbolic link
 * stays, and the file it points to is written.
 */
export async function writeTextFile(path: string, text: string, options: WriteOptions): Promise<void> {
  let temporary: string | undefined;
  try {
    await mkdir(dirname(path), { recursive: true, mode: options.directoryMode });
    const target = (await ifThere(realpath(path))) ?? path;
    const old = options.keepMode === true ? await ifThere(stat(target)) : undefined;
    temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`;
    const handle = await open(temporary, 'wx', options.mode);
    try {
      if (old !== undefined) await handle.chmod(old.mode & 0o777);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (thrown) {
    if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => undefined);
    throw fileFailure(thrown, 'write', path);
  }
}

async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (thrown) {
    if (errno(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** Deletes the file if it is there. */
export async function deleteFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (thrown) {
    throw fileFailure(thrown, 'delete', path);
  }
}
