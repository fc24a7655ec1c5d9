import { execFileSync } from 'node:child_process';
import type { Sandbox } from './cairn.js';

/** Runs git in the project of a box, as an author of its own. Returns what it prints. */
export function gitIn({ directory, home }: Sandbox, ...words: readonly string[]): string {
  return execFileSync('git', words, {
    cwd: directory,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com' },
      ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' },
    },
  }).trim();
}
