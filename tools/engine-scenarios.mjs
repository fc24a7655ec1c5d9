#!/usr/bin/env node
/**
 * Which scenarios of the behaviour sheets are shown by which test: writes the table of docs/engine-scenarios.md from the
 * titles of the tests; with `--check`, says whether the table is up to date and every scenario is accounted for.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs', 'engine-scenarios.md');
/** Scenarios of the two sheets together. */
const ALL = 380;
const START = '<!-- by test: written by tools/engine-scenarios.mjs -->';
const END = '<!-- end -->';

const shown = scan();
const text = readFileSync(page, 'utf8');
const [head, rest] = text.split(START);
const [, tail] = (rest ?? '').split(END);
if (head === undefined || tail === undefined) throw new Error(`${page} has no place for the table`);
const next = `${head}${START}\n\n${table(shown)}\n\n${END}${tail}`;
const leftOut = new Set(tail.match(/LT[12]-\d{3}/g) ?? []);
const covered = new Set([...shown.values()].flat());
const problems = [
  ...[...leftOut]
    .filter((id) => covered.has(id))
    .map((id) => `${id} is left out and yet in the title of a test`),
  ...(covered.size + leftOut.size === ALL
    ? []
    : [`${covered.size} shown and ${leftOut.size} left out are not all ${ALL} scenarios`]),
];
if (process.argv.includes('--check')) {
  if (next !== text) problems.push('the table is not up to date: node tools/engine-scenarios.mjs');
} else writeFileSync(page, next);
console.log(`${covered.size} of ${ALL} scenarios are shown (${((100 * covered.size) / ALL).toFixed(1)} %)`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Ids in the titles of tests, by file. */
function scan() {
  const found = new Map();
  for (const file of testFiles(root)) {
    const ids = readFileSync(file, 'utf8').match(/\bLT[12]-\d{3}\b/g);
    if (ids !== null) found.set(relative(root, file), [...new Set(ids)].sort());
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function* testFiles(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* testFiles(path);
    else if (entry.name.endsWith('.test.ts')) yield path;
  }
}

function table(byFile) {
  const rows = [...byFile].map(
    ([file, ids]) =>
      `| [${file.replaceAll('\\', '/')}](../${file.replaceAll('\\', '/')}) | ${ids.join(' ')} |`,
  );
  return ['| tests | scenarios |', '| --- | --- |', ...rows].join('\n');
}
