// npm run bench [-- --sizes 100,1000,10000 --runs 3 --only start,sdk,parallel,cairn,pulumi,terraform] [--compare REF]
// npm run bench -- --only floor [--resources 10000] [--runs 3]
// npm run bench -- --only growth [--sizes 1000,10000] [--shapes chain,fan,layers,components] [--most 10.5]
// --compare builds another commit and alternates with it: the rows of `start` and `floor` (--only), with ratios.
// Whole processes, shell to shell, on this machine; quote medians and ratios of one run, not single times.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, root } from '../setup.mjs';
import { floorComparison, floorTable } from './floor.mjs';
import { SHAPES, growthTables } from './growth.mjs';
import { bytesBelow, measure, median } from './measure.mjs';
import { withCommit } from './other-commit.mjs';
import { cairnProgram, pulumiProgram, terraformProgram } from './programs.mjs';
import { OUT_OF_PROCESS, cairn, makeProject, setUp } from './project.mjs';
import { startTables } from './start.mjs';
import { table } from './table.mjs';
import { toolOptions } from '../tool-options.mjs';

const { values, number } = toolOptions(import.meta.url, {
  options: {
    sizes: { type: 'string', default: '100,1000,10000' },
    runs: { type: 'string', default: '3' },
    only: { type: 'string', default: 'start,sdk,parallel,cairn,pulumi,terraform' },
    compare: { type: 'string' },
    resources: { type: 'string', default: '10000' },
    shapes: { type: 'string', default: SHAPES.join(',') },
    most: { type: 'string' },
  },
});
const sizes = values.sizes.split(',').map(Number);
const runs = number('runs');
const only = new Set(values.only.split(','));

ensureInstalled();
ensureBuilt();
// Each Node process reads it when it starts, and nothing here uses the network.
delete process.env.NODE_EXTRA_CA_CERTS;
if (values.compare !== undefined) {
  await withCommit(values.compare, async (other) => {
    if (only.has('start')) await startTables([other, root], Math.max(5, runs));
    if (only.has('floor')) await floorComparison([other, root], Number(values.resources), runs);
  });
  process.exit(0);
}
const work = mkdtempSync(path.join(root, 'e2e', '.bench-'));
try {
  heading();
  if (only.has('start')) await startTables([root], Math.max(5, runs));
  if (only.has('sdk')) await (await import('./sdk/index.mjs')).sdkTables();
  if (only.has('floor')) await floorTable(work, Number(values.resources), runs);
  if (only.has('growth')) await growth();
  if (only.has('parallel')) await parallelTable();
  const rows = [];
  for (const n of sizes) {
    if (only.has('cairn')) {
      rows.push(await cairnRow('our SDK, provider in process', cairnProgram, n, {}));
      rows.push(await cairnRow('our SDK, provider in its own process', cairnProgram, n, OUT_OF_PROCESS));
    }
    if (only.has('pulumi')) {
      rows.push(await cairnRow('@pulumi/pulumi, provider in process', pulumiProgram, n, {}));
      rows.push(
        await cairnRow('@pulumi/pulumi, provider in its own process', pulumiProgram, n, OUT_OF_PROCESS),
      );
    }
    if (only.has('terraform') && terraformVersion() !== undefined && n <= 1000)
      rows.push(await terraformRow(n));
  }
  if (rows.length > 0) operationsTable(rows);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function heading() {
  const processors = cpus();
  console.log(
    `${processors.length} × ${processors[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, node ${process.versions.node}, ${process.platform}`,
  );
  console.log(`terraform: ${terraformVersion() ?? 'not on PATH, left out'}; medians of ${runs} runs\n`);
}

/** Fails if the largest size costs more than `--most` times what the one before it does. */
async function growth() {
  const most = values.most === undefined ? Infinity : Number(values.most);
  const over = await growthTables(work, sizes, values.shapes.split(','), most);
  if (over.length > 0) console.error(`these grow more than ${most} times:\n${over.join('\n')}`);
  process.exitCode = over.length > 0 ? 1 : 0;
}

function terraformVersion() {
  try {
    return execFileSync('terraform', ['version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\n')[0];
  } catch {
    return undefined;
  }
}

/** Questions to a slow provider overlap: a no-op preview of independent resources, one question at a time and 64. */
async function parallelTable() {
  const n = 500;
  const project = makeProject(work, 'parallel', cairnProgram, 'index.ts');
  Object.assign(project.env, { BENCH_N: String(n), BENCH_INDEPENDENT: '1' });
  await setUp(project);
  const go = (words, extra = {}) =>
    measure(process.execPath, [cairn, ...words, '--cwd', project.directory], {
      ...project,
      env: { ...project.env, ...extra },
    });
  await go(['up', '--yes', '--skip-preview', '--parallel', '64']);
  const times = {};
  for (const parallel of ['1', '64']) {
    const results = [];
    for (let run = 0; run < runs; run++)
      results.push((await go(['preview', '--parallel', parallel], { BENCH_CALL_MS: '20' })).seconds);
    times[parallel] = median(results);
  }
  table(
    ['no-op preview, 500 independent resources, Check and Diff take 20 ms each', 'median s'],
    [
      ['--parallel 1', seconds(times['1'])],
      ['--parallel 64', seconds(times['64'])],
    ],
  );
  console.log(`--parallel 64 / --parallel 1: ${(times['64'] / times['1']).toFixed(3)} (aim: at most 0.1)\n`);
}

async function cairnRow(name, program, n, env) {
  const results = [];
  for (let run = 0; run < repeats(n); run++) {
    const project = makeProject(
      work,
      `${n}-${run}-${results.length}-${name.length}-${Object.keys(env).length}`,
      program,
      program === pulumiProgram ? 'index.js' : 'index.ts',
    );
    Object.assign(project.env, env, { BENCH_N: String(n) });
    await setUp(project);
    const go = (words, extra = {}) =>
      measure(process.execPath, [cairn, ...words, '--cwd', project.directory, '--parallel', '64'], {
        ...project,
        env: { ...project.env, ...extra },
      });
    const up = ['up', '--yes', '--skip-preview'];
    const first = await go(up);
    const journalBytes = bytesBelow(path.join(project.state, '.pulumi', 'journals')) / n;
    const preview = await go(['preview']);
    const noop = await go(up);
    const one = await go(up, { BENCH_CHANGED: String(Math.floor(n / 2)) });
    const destroy = await go(['destroy', '--yes', '--skip-preview']);
    results.push({ first, preview, noop, one, destroy, journalBytes });
    rmSync(project.directory, { recursive: true, force: true });
  }
  return summarise(name, n, results);
}

async function terraformRow(n) {
  const results = [];
  for (let run = 0; run < repeats(n); run++) {
    const directory = mkdtempSync(path.join(work, 'tf-'));
    const env = { ...process.env, TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' };
    const go = (words) => measure('terraform', words, { cwd: directory, env });
    const write = (changed) => writeFileSync(path.join(directory, 'main.tf'), terraformProgram(n, changed));
    write(-1);
    await go(['init', '-input=false', '-no-color']);
    const apply = ['apply', '-auto-approve', '-input=false', '-no-color', '-parallelism=64'];
    const first = await go(apply);
    const preview = await go(['plan', '-input=false', '-no-color']);
    const noop = await go(apply);
    write(Math.floor(n / 2));
    const one = await go(apply);
    const destroy = await go(['destroy', '-auto-approve', '-input=false', '-no-color', '-parallelism=64']);
    results.push({ first, preview, noop, one, destroy, journalBytes: undefined });
    rmSync(directory, { recursive: true, force: true });
  }
  return summarise('terraform, local state', n, results);
}

/** Large sizes are run once: they take long and drift less. */
function repeats(n) {
  return n >= 10_000 ? 1 : runs;
}

function summarise(name, n, results) {
  const middle = (key) => median(results.map((result) => result[key].seconds));
  const peaks = results.flatMap((result) => ['first', 'noop', 'one'].map((key) => result[key].peakMb ?? NaN));
  const bytes = results.map((result) => result.journalBytes).filter((value) => value !== undefined);
  return {
    name,
    n,
    cells: [
      ...['first', 'preview', 'noop', 'one', 'destroy'].map((key) => seconds(middle(key))),
      Number.isNaN(Math.max(...peaks)) ? '-' : `${Math.round(Math.max(...peaks))}`,
      bytes.length === 0 ? '-' : `${Math.round(median(bytes))}`,
    ],
    first: middle('first'),
  };
}

function operationsTable(rows) {
  table(
    [
      'what',
      'N',
      'first up',
      'no-op preview',
      'no-op up',
      'one change',
      'destroy',
      'peak MB',
      'journal B/resource',
    ],
    rows.map((row) => [row.name, String(row.n), ...row.cells]),
  );
  const find = (name, n) => rows.find((row) => row.name.startsWith(name) && row.n === n)?.first;
  const ratio = (label, a, b) =>
    a !== undefined && b !== undefined && console.log(`${label}: ${(a / b).toFixed(2)}`);
  ratio(
    'terraform local state / first up of 1,000 (our SDK, provider in its own process)',
    find('terraform', 1000),
    find('our SDK, provider in its own', 1000),
  );
  ratio(
    't(10,000) / t(1,000), first up, our SDK, provider in process',
    find('our SDK, provider in process', 10000),
    find('our SDK, provider in process', 1000),
  );
  ratio(
    't(10,000) / t(1,000), first up, our SDK, provider in its own process',
    find('our SDK, provider in its own', 10000),
    find('our SDK, provider in its own', 1000),
  );
}

function seconds(value) {
  return value.toFixed(2);
}
