import { closeSync, openSync, writeSync } from 'node:fs';
import { cairnError, messageOf } from '@cairn/diagnostics';

/** A file of lines that somebody reads later. Only our user may read it. */
interface LineFile {
  /** Never throws: what follows a write that fails is lost, and told of at the end. */
  write(line: string): void;
  /** Why something was lost; undefined: nothing was. Never throws. */
  close(): string | undefined;
}

/**
 * Opens a file: `a` adds to it, `ax` makes a new one, `w` empties it. Fails (CAIRN-USAGE) with `problem` when it
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
