// Another commit, built in a worktree of its own that is removed afterwards.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root, step } from '../setup.mjs';

/** Builds a commit and calls `use` with the folder of its checkout. */
export async function withCommit(ref, use) {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'cairn-commit-')), 'checkout');
  const git = (...words) => execFileSync('git', words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  git('worktree', 'add', '--detach', folder, ref);
  try {
    step(`building ${ref} in ${folder}`);
    const run = (...words) =>
      execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    run('ci', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline');
    run('run', '-s', 'build');
    return await use(folder);
  } finally {
    git('worktree', 'remove', '--force', folder);
  }
}
