// The pre-commit hook: eslint and prettier on the files that are staged, as they are in the working tree. Ends with 1
// when one of them complains.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const words = ['diff', '--cached', '--name-only', '--diff-filter=ACMR', '-z'];
const staged = execFileSync('git', words, { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));
const code = staged.filter((file) => /\.[cm]?[jt]s$/.test(file));

process.exitCode =
  passes('eslint/bin/eslint.js', ['--no-warn-ignored', ...code], code) &&
  passes('prettier/bin/prettier.cjs', ['--check', '--ignore-unknown', ...staged], staged)
    ? 0
    : 1;

function passes(script, args, files) {
  if (files.length === 0) return true;
  const file = path.join(root, 'node_modules', script);
  return spawnSync(process.execPath, [file, ...args], { cwd: root, stdio: 'inherit' }).status === 0;
}
