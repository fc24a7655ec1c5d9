import type { CairnError, ErrorCode } from '@cairn/diagnostics';
import { cairnError, fail, isCairnError, messageOf } from '@cairn/diagnostics';
import { errno } from '@cairn/files';

/** Largest file that Node reads as a whole, in bytes. */
const MAX_FILE_BYTES = 2 ** 31 - 1;

interface FailureKind {
  readonly code: ErrorCode;
  readonly because: string;
  readonly hint: (path: string) => string;
}

const FULL: FailureKind = {
  code: 'CAIRN-STORE-FULL',
  because: 'no space is left',
  hint: (path) =>
    `Free space (or raise the quota) on the disk that holds ${path}, then run the command again. What was recorded before is intact.`,
};
const READ_ONLY: FailureKind = {
  code: 'CAIRN-STORE-READ-ONLY',
  because: 'the file system is read-only',
  hint: (path) =>
    `Mount the file system that holds ${path} for writing, or choose another backend with --backend-url.`,
};
const DENIED: FailureKind = {
  code: 'CAIRN-STORE-DENIED',
  because: 'permission is denied',
  hint: (path) =>
    `Give this user the right to read and write ${path}, or choose another backend with --backend-url.`,
};

const TOO_LARGE: FailureKind = {
  code: 'CAIRN-STATE-TOO-LARGE',
  because: 'it is larger than 2 GiB',
  hint: (path) =>
    `Restore ${path} from its \`.bak\` or from a backup, and divide the stack with \`cairn state move\`.`,
};

/** System errors with a meaning of their own, one row each; all others are `CAIRN-STORE-FAILED`. */
const KINDS: Readonly<Record<string, FailureKind>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: READ_ONLY,
  EACCES: DENIED,
  EPERM: DENIED,
  ERR_FS_FILE_TOO_LARGE: TOO_LARGE,
};

/**
 * Returns the user's error for a failed system call. `doing` completes "cannot …", e.g. `write "a/b.json"`. `path` is
 * the affected file or directory. Errors that are diagnostics already pass through.
 */
export function storeFailure(thrown: unknown, doing: string, path: string): CairnError {
  if (isCairnError(thrown)) return thrown;
  const kind = KINDS[errno(thrown) ?? ''];
  const details = {
    causes: [messageOf(thrown)],
    hint: kind?.hint(path) ?? `Check ${path} and the disk that holds it, then run the command again.`,
  };
  return cairnError(
    kind?.code ?? 'CAIRN-STORE-FAILED',
    `cannot ${doing}: ${kind?.because ?? 'the file system reported an error'}`,
    details,
    thrown,
  );
}

/** Throws `CAIRN-STATE-TOO-LARGE` for content that could not be read again. */
export function checkReadable(bytes: Uint8Array, key: string): void {
  if (bytes.length <= MAX_FILE_BYTES) return;
  fail(TOO_LARGE.code, `cannot write "${key}": ${TOO_LARGE.because}`, {
    causes: [`it would have ${bytes.length} bytes`],
    hint: 'The file remains as it was. Divide the stack with `cairn state move`.',
  });
}
