#!/usr/bin/env node
// npm run mutants -- [--package engine] [--sample 100] [--seed 1] [--file src/decide/decide.ts[:LINE]] [--own] How many
// operators can be turned around without a test failing. Draws from the boolean operators of a package, turns one at a
// time and runs the package's own tests that reach the file, then, when those notice nothing, the engine's scenarios.
// Nothing in the working tree is changed: the operator is turned while the tests are compiled.
// Without `--package` as many are drawn from each place of recovery. `--file` takes all operators of a file, or of one
// line; `--own` leaves out the scenarios.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../setup.mjs';
import { packageFolder } from '../workspaces.mjs';
import { drawn, operatorsIn } from './operators.mjs';
import { RECOVERY, sourcesIn } from './places.mjs';
import { toolOptions } from '../tool-options.mjs';

const { values, refuse } = toolOptions(import.meta.url, {
  options: {
    package: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string', multiple: true, default: [] },
    own: { type: 'boolean', default: false },
  },
});
if (values.package === undefined && values.file.length > 0) refuse('--file needs --package');
const MINUTES = 10;
const SCENARIOS = 'machines/engine/test/';
/** Cuts and fuzzing ask the same questions at many more instants. */
const TOO_LONG = ['cut', 'fuzz'];

const config = jestConfig();
try {
  run();
} finally {
  rmSync(path.dirname(config), { recursive: true, force: true });
}

function run() {
  const mutants = chosen();
  const survivors = [];
  mutants.forEach((mutant, index) => {
    const noticed = noticedBy(mutant);
    if (noticed === undefined) survivors.push(mutant);
    console.log(`${index + 1}/${mutants.length} ${named(mutant)}: ${noticed ?? 'NOT NOTICED'}`);
  });
  const share = ((100 * (mutants.length - survivors.length)) / Math.max(1, mutants.length)).toFixed(0);
  console.log(`${mutants.length - survivors.length} of ${mutants.length} noticed (${share} %)`);
  for (const each of survivors) console.log(`  ${named(each)}`);
}

function chosen() {
  const seed = Number(values.seed);
  if (values.package === undefined)
    return RECOVERY.flatMap((place) => drawn(place.flatMap(inSources), Number(values.sample ?? 5), seed));
  const home = packageFolder(values.package);
  if (values.file.length === 0)
    return drawn(inSources(path.join(home, 'src')), Number(values.sample ?? 100), seed);
  return values.file.flatMap((wanted) => {
    const [name, line] = wanted.split(':');
    return inFile(path.join(home, name)).filter((each) => line === undefined || each.line === Number(line));
  });
}

const inSources = (folder) => sourcesIn(folder).flatMap(inFile);

function inFile(file) {
  return operatorsIn(readFileSync(file, 'utf8')).map((each) => ({ ...each, file }));
}

function named({ file, line, was, text }) {
  return `${path.relative(root, file)}:${line} ${was} -> ${text}`;
}

/** Which test failed, or that they did not end; undefined when all of them passed. */
function noticedBy(mutant) {
  const home = mutant.file.split(path.sep + 'src' + path.sep, 1)[0];
  const related = ['--findRelatedTests', mutant.file, '--passWithNoTests'];
  const own = outcome(mutant, home, [...related, '--testPathIgnorePatterns', SCENARIOS]);
  if (own !== undefined) return own;
  if (values.own) return undefined;
  return outcome(mutant, packageFolder('engine'), [SCENARIOS, '--testPathIgnorePatterns', ...TOO_LONG]);
}

function outcome(mutant, directory, more) {
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const options = ['--config', config, '--rootDir', directory, '--bail', '--silent', '--maxWorkers', '2'];
  const { status, stderr, error } = spawnSync(process.execPath, [jest, ...options, ...more], {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, CAIRN_MUTANT: JSON.stringify(mutant) },
    timeout: MINUTES * 60_000,
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) return `no end within ${MINUTES} minutes`;
  if (status === 0) return undefined;
  const failed = /^ {2}● (.*)$/m.exec(stderr)?.[1];
  if (failed === undefined) throw new Error(`the tests cannot be run:\n${stderr.slice(-2000)}`);
  return failed;
}

/** The one of the repository, with the transform that turns an operator around. */
function jestConfig() {
  const shared = createRequire(import.meta.url)(path.join(root, 'jest.config.cjs'));
  const transform = Object.fromEntries(
    Object.entries(shared.transform).map(([files, [, options]]) => [
      files,
      [path.join(root, 'tools', 'mutants', 'transform.cjs'), options],
    ]),
  );
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'cairn-mutants-')), 'jest.config.json');
  writeFileSync(file, JSON.stringify({ ...shared, transform }));
  return file;
}
