#!/usr/bin/env node
/**
 * Checks that a branch with changes that users may notice has a changeset: `node tools/checks/changesets.mjs [BASE]`.
 * BASE defaults to `origin/main`. A branch without such changes, and `main` itself, pass.
 */
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { root } from '../setup.mjs';

const SOURCES = /^packages\/(?!testing\/)[^/]+\/[^/]+\/src\/(?!.*(?:\.test\.|\/testdata\/))/;
const CHANGESET = /^\.changeset\/(?!README\.md$)[^/]+\.md$/;

/** Returns the message about a missing changeset, or undefined. `changed` and `added` are paths of the branch. */
export function missingChangeset(changed, added) {
  const sources = changed.filter((file) => SOURCES.test(file));
  if (sources.length === 0 || added.some((file) => CHANGESET.test(file))) return undefined;
  return [
    `no changeset describes ${sources.length} changed source files, such as ${sources[0]}`,
    'Run `npx changeset`, or `npx changeset --empty` if users do not notice the change, and commit the file.',
  ].join('\n');
}

/** Paths that the branch changes since it left the base. `filter` selects kinds of changes, as git does. */
function pathsSince(base, filter) {
  const words = ['diff', '--name-only', '-z', ...filter, `${base}...HEAD`];
  const listed = execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  return listed.split('\0').filter((file) => file !== '');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const base = process.argv[2] ?? 'origin/main';
  const missing = missingChangeset(pathsSince(base, []), pathsSince(base, ['--diff-filter=A']));
  if (missing !== undefined) console.error(missing);
  process.exitCode = missing === undefined ? 0 : 1;
}
