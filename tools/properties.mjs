#!/usr/bin/env node
/**
 * The property tests with many seeds: `npm run properties -- [--seed S] [--runs N] [PATTERN]`. Run number i has the
 * seed S + i; without a seed it takes one and prints it. A pattern takes test files whose path has it.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processors } from './processors.mjs';
import { root } from './setup.mjs';
import { packageFolders } from './workspaces.mjs';
import { toolOptions } from './tool-options.mjs';

const { positionals, number, refuse } = toolOptions(import.meta.url, {
  options: { seed: { type: 'string' }, runs: { type: 'string', default: '40' } },
  allowPositionals: true,
});
const seed = number('seed') ?? randomInt(2 ** 20);
const runs = number('runs');
const files = propertyTests().filter((file) => positionals.every((pattern) => file.includes(pattern)));
if (files.length === 0) refuse(`no property test has ${positionals.join(' and ')} in its path`);
const base = createRequire(import.meta.url)('../jest.config.cjs');
const config = { ...base, rootDir: root, testMatch: files.map((file) => `<rootDir>/${file}`) };
const folder = mkdtempSync(path.join(tmpdir(), 'properties-'));
const bad = [];
console.log(`properties: ${files.length} files, seeds ${seed} to ${seed + runs - 1}`);
try {
  for (let run = 0; run < runs; run += 1) once(seed + run);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `properties: ${runs} runs, ${bad.length} with failures${bad.length > 0 ? `: ${bad.join(' ')}` : ''}`,
);
process.exitCode = bad.length > 0 ? 1 : 0;

function once(of) {
  const report = path.join(folder, `${of}.json`);
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
      ...['--config', JSON.stringify(config), '--maxWorkers', String(processors())],
      ...['--json', '--outputFile', report],
    ],
    {
      cwd: root,
      env: { ...process.env, CAIRN_PROPERTY_SEED: String(of), FORCE_COLOR: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (status === 0) {
    console.log(`seed ${of}: ${JSON.parse(readFileSync(report, 'utf8')).numPassedTests} passed`);
    return;
  }
  bad.push(of);
  console.log(`seed ${of}: FAILED\n${stderr}`);
}

/** Test files of packages that draw random values. */
function propertyTests() {
  return [...packageFolders.values()].flatMap((folder) =>
    ['src', 'test'].flatMap((part) => draws(path.relative(root, path.join(folder, part)))),
  );
}

function draws(folder) {
  let entries;
  try {
    entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return draws(file);
    const isTest = entry.name.endsWith('.test.ts');
    return isTest && readFileSync(path.join(root, file), 'utf8').includes("from 'fast-check'") ? [file] : [];
  });
}
