import { cairnError, isCairnError, messageOf } from './errors.js';
import type { CairnError } from './errors.js';

/** Hint for a process that has no open files left. */
export const DESCRIPTORS_HINT = 'Raise the limit, for instance with `ulimit -n 4096`, or lower --parallel.';

/**
 * Tells whether something failed because this process, or the machine, has no open files left. Searches the error and
 * its causes.
 */
export function isOutOfDescriptors(thrown: unknown): boolean {
  let error = thrown;
  for (let depth = 0; depth < 5 && typeof error === 'object' && error !== null; depth += 1) {
    const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
    if (code === 'EMFILE' || code === 'ENFILE') return true;
    error = cause;
  }
  return false;
}

/** Tells whether a text, such as output of another process, reports that no open files are left. */
export const saysOutOfDescriptors = (text: string): boolean =>
  /\bE[MN]FILE\b|too many open files/i.test(text);

/** Makes the error CAIRN-DESCRIPTORS. `what` names the thing that cannot be done, such as `start git`. */
export function outOfDescriptors(what: string, thrown: unknown): CairnError {
  if (isCairnError(thrown)) return thrown;
  const limit = descriptorLimit();
  const reached =
    limit === undefined
      ? 'no more files can be opened'
      : `all ${limit} files that a process may have are open`;
  return cairnError(
    'CAIRN-DESCRIPTORS',
    `cannot ${what}: ${reached}`,
    { causes: [messageOf(thrown)], hint: DESCRIPTORS_HINT },
    thrown,
  );
}

/**
 * Returns the number of files that this process may have open, or `undefined` if the report lacks it. Slow: for errors
 * only.
 */
function descriptorLimit(): number | undefined {
  try {
    const { userLimits } = process.report.getReport() as {
      readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } };
    };
    const soft = Number(userLimits?.open_files?.soft);
    return Number.isSafeInteger(soft) ? soft : undefined;
  } catch {
    return undefined;
  }
}
