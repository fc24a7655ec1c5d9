#!/usr/bin/env node
/**
 * node tools/where.mjs REG-4 …: prints where rules are kept and shown: the heading in docs/rules, the code that cites
 * them and the tests: those that cite them, and those that are beside the code. Without ids: every rule for which it
 * finds no test in this way.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolOptions } from './tool-options.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SKIPPED = new Set(['node_modules', 'dist', 'generated']);

function* filesBelow(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name) || entry.name.startsWith('.')) continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.name.endsWith('.ts')) yield relative(root, path).replaceAll('\\', '/');
  }
}

/** By id: the page and the title of a rule. */
const rules = new Map();
for (const page of readdirSync(join(root, 'docs/rules'))) {
  for (const [, id, title] of readFileSync(join(root, 'docs/rules', page), 'utf8').matchAll(
    /^### ([A-Z]+-\d+) (.*)$/gm,
  ))
    rules.set(id, { page: `docs/rules/${page}`, title, code: new Set(), tests: new Set() });
}

for (const folder of ['packages', 'e2e']) {
  for (const file of filesBelow(join(root, folder))) {
    const cited = readFileSync(join(root, file), 'utf8').matchAll(/\[([A-Z]+-\d+)\]/g);
    for (const [, id] of cited) {
      const rule = rules.get(id);
      if (rule === undefined) continue;
      if (file.endsWith('.test.ts')) rule.tests.add(file);
      else {
        rule.code.add(file);
        const beside = file.replace(/\.ts$/, '.test.ts');
        if (existsSync(join(root, beside))) rule.tests.add(beside);
      }
    }
  }
}

const wanted = toolOptions(import.meta.url, { allowPositionals: true }).positionals.map((id) =>
  id.toUpperCase(),
);
const unknown = wanted.filter((id) => !rules.has(id));
for (const id of unknown) console.error(`there is no rule ${id}`);
process.exitCode = unknown.length > 0 ? 1 : 0;
const shown =
  wanted.length > 0 ? wanted : [...rules].flatMap(([id, { tests }]) => (tests.size === 0 ? [id] : []));
for (const id of shown) {
  const rule = rules.get(id);
  if (rule === undefined) continue;
  console.log(`${id} ${rule.title} (${rule.page})`);
  for (const file of [...rule.code].sort()) console.log(`  code  ${file}`);
  for (const file of [...rule.tests].sort()) console.log(`  test  ${file}`);
}
