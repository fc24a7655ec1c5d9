import { ProviderError } from '@cairn/provider-sdk';
import type { StatusName } from '@cairn/provider-sdk';
import { withDescriptors } from '@cairn/retries';

const CODES: Readonly<Record<string, readonly [StatusName, string]>> = {
  EACCES: ['PERMISSION_DENIED', 'permission denied; check who owns it'],
  EPERM: ['PERMISSION_DENIED', 'not permitted; check who owns it'],
  EROFS: ['PERMISSION_DENIED', 'the file system is read-only'],
  ENOSPC: ['RESOURCE_EXHAUSTED', 'the disk is full'],
  EDQUOT: ['RESOURCE_EXHAUSTED', 'the disk quota is used up'],
  ENOENT: ['NOT_FOUND', 'it does not exist'],
  ENOTDIR: ['FAILED_PRECONDITION', 'a part of its path is not a directory'],
  EISDIR: ['FAILED_PRECONDITION', 'a directory of that name exists'],
  EEXIST: ['FAILED_PRECONDITION', 'something else of that name exists'],
  ELOOP: ['FAILED_PRECONDITION', 'its path has too many symbolic links'],
  ENAMETOOLONG: ['INVALID_ARGUMENT', 'its name is too long'],
};

/**
 * Runs work on a path. Failures of the file system name the action, the path and the reason, and state that nothing was
 * done. Waits if too many files are open; the work must have done nothing then.
 */
export async function withFileErrors<T>(verb: string, file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await withDescriptors(`${verb} ${file}`, work);
  } catch (error) {
    const code = errorCode(error);
    const known = code === undefined ? undefined : CODES[code];
    if (known === undefined) throw error;
    throw new ProviderError(known[0], `cannot ${verb} ${file}: ${known[1]}`, { cause: error });
  }
}

/** Returns the result of the work. Undefined if its file does not exist. */
export async function ifThere<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Returns the name of a system error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
