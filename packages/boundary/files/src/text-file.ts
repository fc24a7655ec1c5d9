import { mkdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CairnError, ErrorCode } from '@cairn/diagnostics';
import { cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import { withDescriptors } from '@cairn/retries';
import { removeDrafts, writeAtomically } from './atomic-write.js';
import { errno, isAbsent, realDisk } from './disk.js';
import { FileLocks } from './file-locks.js';

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

/** Returns the text of a UTF-8 file without a byte order mark, or `undefined` if there is no file. */
export async function readTextFile(path: string): Promise<string | undefined> {
  try {
    const text = await withDescriptors(`read ${path}`, () => readFile(path, 'utf8'));
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw isCairnError(thrown) ? thrown : fileFailure(thrown, 'read', path);
  }
}

/**
 * Options of a write. `mode` is the permissions of the file. With `keepMode` an existing file keeps its own.
 * `directoryMode` is that of folders created for it.
 */
interface WriteOptions {
  readonly mode: number;
  readonly keepMode?: boolean;
  readonly directoryMode?: number;
}

/**
 * Writes the file whole and durable, or not at all, and creates its directory. A symbolic link remains: the file it
 * points to is written. What killed processes have left beside it is removed.
 */
export async function writeTextFile(path: string, text: string, options: WriteOptions): Promise<void> {
  await attempt('write', path, async () => {
    await mkdir(dirname(path), { recursive: true, mode: options.directoryMode });
    const target = await targetOf(path);
    await locks.run(target, () => replace(target, text, options));
  });
}

/**
 * Changes a file that other processes may change at the same time. `edit` gets the current text, or `undefined` without
 * a file, and returns the new text. `undefined` leaves the file as it is; the empty text deletes it. No other process
 * edits it meanwhile.
 *
 * Resolves with the result of `edit`; errors of `edit` pass through. Throws CAIRN-STORE-CONFLICT when another edit
 * takes longer than ten seconds.
 */
export async function editTextFile(
  path: string,
  options: WriteOptions,
  edit: (text: string | undefined) => string | undefined | Promise<string | undefined>,
): Promise<string | undefined> {
  const target = await attempt('write', path, async () => {
    await mkdir(dirname(path), { recursive: true, mode: options.directoryMode });
    return targetOf(path);
  });
  return attempt('write', path, () =>
    locks.run(target, async () => {
      const before = await readTextFile(target);
      const after = likeBefore(before, await edit(before));
      if (after === '') await deleteFile(target);
      else if (after !== undefined && after !== before) await replace(target, after, options);
      return after;
    }),
  );
}

/** Gives a text the line ends of the text that it replaces. */
function likeBefore(before: string | undefined, after: string | undefined): string | undefined {
  return before !== undefined && /^[^\n]*\r\n/.test(before) ? after?.replace(/\r?\n/g, '\r\n') : after;
}

const locks = new FileLocks(realDisk);

/** Called under the lock of the file. */
async function replace(target: string, text: string, { mode, keepMode }: WriteOptions): Promise<void> {
  await removeDrafts(realDisk, target);
  const old = keepMode === true ? await ifThere(stat(target)) : undefined;
  const exactMode = old === undefined ? undefined : old.mode & 0o777;
  await writeAtomically(realDisk, target, Buffer.from(text), 'replace', { mode, exactMode });
}

/** Returns the file a symbolic link leads to, or the path itself if there is nothing yet. */
async function targetOf(path: string): Promise<string> {
  return (await ifThere(realpath(path))) ?? path;
}

/** Gives errors of failed system calls a code and a message. */
export async function attempt<T>(doing: string, path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (isCairnError(thrown) || errno(thrown) === undefined) throw thrown;
    throw fileFailure(thrown, doing, path);
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
async function deleteFile(path: string): Promise<void> {
  await attempt('delete', path, () => rm(path, { force: true }));
}
