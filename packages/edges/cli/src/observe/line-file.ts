import { closeSync, openSync, writeSync } from 'node:fs';
import { cairnError, messageOf } from '@cairn/diagnostics';

/** A file of lines for later reading. Only the user may read it. */
interface LineFile {
  /** Never throws. After a failed write, the rest is lost, and the end reports it. */
  write(line: string): void;
  /** Returns the reason for a loss, or undefined if nothing was lost. Never throws. */
  close(): string | undefined;
}

/**
 * Opens a file: `a` appends to it, `ax` creates a new one, `w` empties it. Fails (CAIRN-USAGE) with `problem` if it
 * cannot be written.
 */
export function openLineFile(
  file: string,
  mode: 'a' | 'ax' | 'w',
  problem: { readonly summary: string; readonly hint?: string },
): LineFile {
  const descriptor = opened(file, mode, problem);
  let failure: string | undefined;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      failure ??= `${problem.summary}: ${messageOf(error)}`;
    }
  };
  return {
    write(line) {
      if (failure === undefined) attempt(() => void writeSync(descriptor, `${line}\n`));
    },
    close() {
      attempt(() => closeSync(descriptor));
      return failure;
    },
  };
}

function opened(
  file: string,
  mode: string,
  { summary, hint }: { readonly summary: string; readonly hint?: string },
): number {
  try {
    return openSync(file, mode, 0o600);
  } catch (error) {
    throw cairnError('CAIRN-USAGE', summary, { causes: [messageOf(error)], hint }, error);
  }
}
