import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
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

/** Descriptor at which `--ask` asks the process that has started this one. */
const ASKED_AT = 3;

/** Digest of the plan that {@link askAgent} asks about; undefined once it has asked. */
let digest: string | undefined;

/** Writes a plan. Only the user may read it. `isAsked`: {@link askAgent} asks about it. */
export async function savePlan(
  { cwd, stderr }: Pick<CommandContext, 'cwd' | 'stderr'>,
  file: string,
  text: string,
  isAsked: boolean,
): Promise<void> {
  await writeFile(path.resolve(cwd, file), text, { mode: 0o600 }).catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot write the plan ${file}`, { causes: [messageOf(error)] }, error);
  });
  if (isAsked) digest = createHash('sha256').update(text).digest('hex');
  else stderr.write(`Saved the plan; follow it with: cairn up --plan ${file}\n`);
}

/** Reads a plan. Throws CAIRN-USAGE. */
export function readPlan({ cwd }: Pick<CommandContext, 'cwd'>, file: string): Promise<string> {
  return readFile(path.resolve(cwd, file), 'utf8').catch((error: unknown) => {
    throw cairnError(
      'CAIRN-USAGE',
      `open ${file}: cannot read the plan`,
      { causes: [messageOf(error)], hint: 'Plans are written by `cairn preview --save-plan FILE`.' },
      error,
    );
  });
}

/**
 * Writes the digest of the saved plan to the descriptor. Resolves with true if the answer is `yes`, and with false for
 * any other one, and if there is none. A process asks once: a state that has moved since needs another plan.
 */
export async function askAgent(): Promise<boolean> {
  if (digest === undefined) return false;
  const question = `${digest}\n`;
  digest = undefined;
  let answer = '';
  try {
    const agent = new Socket({ fd: ASKED_AT });
    agent.write(question);
    for await (const text of agent.setEncoding('utf8')) answer += String(text);
  } catch {
    // The agent has ended.
  }
  return answer === 'yes';
}
