import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { packageFolders } from '../workspaces.mjs';
import { codes } from '../../packages/ground/diagnostics/src/index.js';

/** The table of error codes holds exactly the codes that there are, and its page and texts are true. */

const root = path.resolve(__dirname, '..', '..');
const table = Object.entries(codes);

test('docs/errors.md says what the table says', () => {
  const said = spawnSync(process.execPath, [path.join(root, 'tools', 'error-reference.mjs'), '--check'], {
    encoding: 'utf8',
  });
  expect({ said: said.stdout + said.stderr, status: said.status }).toEqual({ said: '', status: 0 });
  const page = readFileSync(path.join(root, 'docs', 'errors.md'), 'utf8');
  expect(page.match(/^### CAIRN-/gm)).toHaveLength(table.length);
});

test('every code that is raised is in the table, and every code of the table is raised', () => {
  const raised = new Set<string>();
  for (const [name, folder] of packageFolders)
    if (name !== 'diagnostics')
      for (const file of sources(path.join(folder, 'src')))
        for (const [, code] of readFileSync(file, 'utf8').matchAll(/'(CAIRN(?:-[A-Z]+)+)'/g))
          raised.add(code as string);
  expect([...raised].sort()).toEqual(table.map(([code]) => code).sort());
});

test.each(table)('%s has a cause and a next action that are sentences', (_, { cause, next }) => {
  expect(cause).toMatch(/^[A-Z].*[^.]\.$/);
  expect(next).toMatch(/^(?:[A-Z`].*|docs\/.*)[^.]\.$/);
});

test('commands that next actions name are commands', () => {
  const reference = readFileSync(path.join(root, 'docs', 'cli.md'), 'utf8');
  const named = table.flatMap(([code, { next }]) =>
    [...next.matchAll(/`cairn ((?:[a-z]+(?:-[a-z]+)*)(?: [a-z]+(?:-[a-z]+)*)?)/g)].map(([, words]) => ({
      code,
      words: words as string,
    })),
  );
  expect(named.length).toBeGreaterThan(20);
  const unknown = named.filter(({ words }) => !reference.includes(`\n## ${words}\n`));
  expect(unknown).toEqual([]);
});

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(file);
    else if (/\.ts$/.test(entry.name) && !entry.name.endsWith('.test.ts')) yield file;
  }
}
