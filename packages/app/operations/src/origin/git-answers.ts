import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Env } from '@cairn/workspace';
import { withoutOwnSecrets } from '@cairn/values/own-secrets';

/** A question to git that runs beside the operation. */
interface GitQuestion<T> {
  /**
   * Resolves with the answer, or with `undefined` if git is missing, fails, or does not answer within the milliseconds.
   * Ends git.
   */
  answer(withinMs: number): Promise<T | undefined>;
}

/**
 * Asks if files of the checkout differ from its commit, or are unknown to git. Git takes no locks and starts no helpers
 * for it.
 */
export function askDirty(root: string, env: Env): GitQuestion<boolean> {
  const arguments_ = ['-c', 'core.fsmonitor=false', 'status', '--porcelain', '-z'];
  return ask(root, env, arguments_, (output) => output !== '');
}

/** Asks for the text of a commit object. */
export function askCommit(root: string, env: Env, commit: string): GitQuestion<string> {
  return ask(root, env, ['cat-file', 'commit', commit], (output) => output);
}

function ask<T>(
  cwd: string,
  env: Env,
  words: readonly string[],
  read: (output: string) => T,
): GitQuestion<T> {
  const variables = { ...withoutOwnSecrets(env), GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };
  const child = spawn('git', words, {
    cwd,
    env: variables as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const output = collected(child);
  return {
    answer: async (withinMs) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), withinMs);
      });
      const text = await Promise.race([output, late]);
      clearTimeout(timer);
      child.kill();
      return text === undefined ? undefined : read(text);
    },
  };
}

/** Returns the output of a process, or `undefined` if it fails. */
function collected(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined));
  });
}
