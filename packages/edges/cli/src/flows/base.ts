import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { RunOptions } from '@cairn/operations';
import type { CommandContext } from '../command-context.js';

type State = Parameters<NonNullable<RunOptions['onState']>>[0];

const SHA256 = 'sha256:';

/**
 * Compares the state from which an operation starts with the digest of `--base`, or writes its digest to the file of
 * `--base`. Throws CAIRN-UNEXPECTED-CHANGES if they differ, and CAIRN-USAGE if the file cannot be written.
 */
export async function compareBase(
  { cwd }: Pick<CommandContext, 'cwd'>,
  base: string,
  state: State,
): Promise<void> {
  const digest = digestOfState(state);
  if (!base.startsWith(SHA256))
    return writeFile(path.resolve(cwd, base), digest, { mode: 0o600 }).catch((error: unknown) => {
      throw cairnError('CAIRN-USAGE', `cannot write ${base}`, { causes: [messageOf(error)] }, error);
    });
  if (base !== digest)
    throw cairnError('CAIRN-UNEXPECTED-CHANGES', 'the state of the stack is not the one that --base names', {
      hint: 'Nothing was done. Preview again.',
    });
}

/**
 * Returns a digest of the resources of a stored state and of its unfinished steps. The rest of a state moves with an
 * operation that died before its first step. O(size of the state).
 */
export function digestOfState(state: State): string {
  const hash = createHash('sha256');
  for (const part of [state?.resources ?? [], state?.pendingOperations ?? []]) {
    for (const each of part) hash.update(`${JSON.stringify(each)}\n`);
    hash.update('\n');
  }
  return SHA256 + hash.digest('hex');
}
