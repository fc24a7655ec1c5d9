#!/usr/bin/env node
/**
 * Writes the page of error codes, docs/errors.md, from the table in `packages/ground/diagnostics/src/codes.ts`. With
 * `--check`, tells whether it is up to date.
 */
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs', 'errors.md');
const source = join(root, 'packages', 'ground', 'diagnostics', 'src', 'codes.ts');

const built = await build({ entryPoints: [source], bundle: true, write: false, format: 'esm' });
const { codes, exitStatusFor } = await import(
  `data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString('base64')}`
);
const text = reference();
if (process.argv.includes('--check')) {
  const upToDate = readFileSync(page, 'utf8').replaceAll('\r\n', '\n') === text;
  if (!upToDate)
    console.log(`${relative(root, page)} is not up to date: node ${relative(root, process.argv[1])}`);
  process.exitCode = upToDate ? 0 : 1;
} else writeFileSync(page, text);

function reference() {
  return `${[
    '# Errors',
    '<!-- written by tools/error-reference.mjs from packages/ground/diagnostics/src/codes.ts -->',
    `For people who look up an error code. Every error and warning has a code, which never changes. The message names the
resource or file, the cause and what to do. This page says what each code means in general. A command that fails with
an error ends with the exit code given here; the second one applies with \`CAIRN_EXIT_CODES=fine\`.
[Operations](operations.md) lists all exit codes.`,
    ...Object.entries(areas()).map(([area, rows]) => `## ${area}\n\n${rows.map(entry).join('\n\n')}`),
  ].join('\n\n')}\n`;
}

/** Codes by the comment above their first row. */
function areas() {
  const found = {};
  let area;
  for (const line of readFileSync(source, 'utf8').split('\n')) {
    const heading = /^ {2}\/\/ (.*)$/.exec(line)?.[1];
    if (heading !== undefined) area = heading[0].toUpperCase() + heading.slice(1);
    const code = /^ {2}'(CAIRN-[A-Z-]+)'/.exec(line)?.[1];
    if (code !== undefined) (found[area] ??= []).push(code);
  }
  return found;
}

function entry(code) {
  const { cause, next } = codes[code];
  const [exit, fine] = ['as-pulumi', 'fine'].map((detail) => exitStatusFor(code, detail));
  return `### ${code}\n\n${cause}\n\nWhat to do: ${next} Exit code ${exit}${fine === exit ? '' : `, fine ${fine}`}.`;
}
