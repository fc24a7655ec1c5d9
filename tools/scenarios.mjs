/**
 * Writes pages that list which test shows which scenario. The ids are in the titles of the tests; a page has its table
 * between two marks and, behind it, the scenarios that are left out and why.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const END = '<!-- end -->';

/**
 * Writes the table of a page; with `--check` on the command line only says whether it is up to date. `id`: matches ids,
 * with the flag g. `all`: how many there are. `table(shown, before)`: the table, from the ids by test file and the
 * table as it was. Ends with 1 when a scenario is neither shown nor left out, or both.
 */
export function scenarioPage({ file, tool, id, all, table }) {
  const page = join(root, 'docs', file);
  const start = `<!-- by test: written by ${tool} -->`;
  const text = readFileSync(page, 'utf8');
  const [head, rest] = text.split(start);
  const [before, tail] = (rest ?? '').split(END);
  if (head === undefined || tail === undefined) throw new Error(`${page} has no place for the table`);
  const shown = scan(id);
  const next = `${head}${start}\n\n${table(shown, before)}\n\n${END}${tail}`;
  const leftOut = new Set(tail.match(id) ?? []);
  const covered = new Set([...shown.values()].flat());
  const problems = [
    ...[...leftOut]
      .filter((one) => covered.has(one))
      .map((one) => `${one} is left out and yet in the title of a test`),
    ...(covered.size + leftOut.size === all
      ? []
      : [`${covered.size} shown and ${leftOut.size} left out are not all ${all} scenarios`]),
  ];
  if (process.argv.includes('--check')) {
    if (next !== text) problems.push(`the table is not up to date: node ${tool}`);
  } else writeFileSync(page, next);
  console.log(`${covered.size} of ${all} scenarios are shown (${((100 * covered.size) / all).toFixed(1)} %)`);
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/** A link from a page in docs/maintainers to a file, by its path from the root. */
export function linkTo(file) {
  return `[${file}](../../${file})`;
}

/** Ids in the titles of tests, by file, in order. */
function scan(id) {
  const found = new Map();
  for (const file of testFiles(root)) {
    const ids = readFileSync(file, 'utf8').match(id);
    if (ids !== null) found.set(relative(root, file).replaceAll('\\', '/'), [...new Set(ids)].sort());
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
