// Cairn beside the floor: the thinnest engine with the same guarantees (floor/command.mjs), program and provider.
// Both run in turn, whole commands, shell to shell. Quote the ratios. Or one commit beside another, in the same rows.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { processorSeconds, timed } from '../timed.mjs';
import { cairnProgram } from './programs.mjs';
import { OUT_OF_PROCESS, makeProject, setUp } from './project.mjs';
import { table } from './table.mjs';

const PARALLEL = '64';
const FLOOR = path.join(import.meta.dirname, 'floor', 'command.mjs');
const UP = ['up', '--yes', '--skip-preview'];
/** Name, words of the command, words of the floor, and true if one resource has another input. */
const OPERATIONS = [
  ['first up', UP, 'up', false],
  ['no-op up', UP, 'up', false],
  ['one change', UP, 'up', true],
  ['destroy', ['destroy', '--yes', '--skip-preview'], 'destroy', false],
];

/** Prints seconds and processor seconds of each operation, with ratios to the floor: least and most of the runs. */
export async function floorTable(work, resources, runs) {
  const results = new Map(OPERATIONS.map(([name]) => [name, []]));
  for (let run = 0; run < runs; run += 1) {
    const engines = await makeEngines(work, resources, run);
    for (const [name, ...operation] of OPERATIONS) {
      const measured = [];
      for (const engine of engines) measured.push(await engine(operation));
      results.get(name).push(measured);
    }
    rmSync(path.join(work, `floor-${run}`), { recursive: true, force: true });
  }
  const heads = ['floor s', 'in process s', 'ratio', 'apart s', 'ratio'];
  const processor = ['processor: floor s', 'in process s', 'ratio', 'apart s', 'ratio'];
  table(
    [`${resources} resources`, ...heads, ...processor],
    [...results].map(([name, list]) => [name, ...cells(list, 'seconds'), ...cells(list, 'processor')]),
  );
}

/** The floor, Cairn with the provider in its process, and Cairn with the provider apart, in this order. */
async function makeEngines(work, resources, run) {
  const folder = path.join(work, `floor-${run}`);
  const floor = path.join(folder, 'floor');
  mkdirSync(floor, { recursive: true });
  const projects = [];
  for (const more of [{}, OUT_OF_PROCESS]) {
    const project = makeProject(folder, `cairn-${projects.length}`, cairnProgram, 'index.ts');
    Object.assign(project.env, more);
    await setUp(project);
    projects.push(project);
  }
  return [
    ([, words, isChanged]) =>
      measured([FLOOR, words, floor], floor, { ...process.env, ...environment(resources, isChanged) }),
    ...projects.map((project) => (operation) => ofProject(project, operation, resources)),
  ];
}

/**
 * Prints processor time, wall time and peak memory of the command in two checkouts, and ratios of the second to the
 * first. Their runs alternate.
 */
export async function floorComparison(checkouts, resources, runs) {
  const rows = [];
  for (const [where, more] of [
    ['in process', {}],
    ['apart', OUT_OF_PROCESS],
  ]) {
    const results = new Map(OPERATIONS.map(([name]) => [name, []]));
    for (let run = 0; run < runs; run += 1) {
      const projects = [];
      for (const checkout of checkouts) projects.push(await projectIn(checkout, more));
      for (const [name, ...operation] of OPERATIONS) {
        const found = [];
        for (const index of run % 2 === 0 ? [0, 1] : [1, 0])
          found[index] = await ofProject(projects[index], operation, resources, ['--import', PEAK]);
        results.get(name).push(found);
      }
      for (const { work } of projects) rmSync(work, { recursive: true, force: true });
    }
    for (const [name, list] of results) rows.push([`${name}, provider ${where}`, ...comparison(list)]);
  }
  table([`${resources} resources`, ...COMPARED.flatMap(([, title]) => [title, 'here', 'ratio'])], rows);
}

const PEAK = path.join(import.meta.dirname, 'peak.mjs');
/** Figures that are compared, and their titles for the other commit. */
const COMPARED = [
  ['processor', 'processor s there'],
  ['seconds', 's there'],
  ['peakMb', 'peak MB there'],
];

async function projectIn(checkout, more) {
  const work = mkdtempSync(path.join(checkout, 'e2e', '.bench-'));
  const project = makeProject(work, 'cairn', cairnProgram, 'index.ts', checkout);
  Object.assign(project.env, more);
  await setUp(project);
  return { ...project, work };
}

function comparison(list) {
  return COMPARED.flatMap(([key]) => [
    range(list.map(([there]) => there[key])),
    range(list.map(([, here]) => here[key])),
    range(list.map(([there, here]) => here[key] / there[key])),
  ]);
}

function environment(resources, isChanged) {
  return {
    ...{ BENCH_N: String(resources), BENCH_PARALLEL: PARALLEL },
    ...(isChanged ? { BENCH_CHANGED: String(Math.floor(resources / 2)) } : {}),
  };
}

/** Runs an operation of Cairn on a project, with further options of Node. */
function ofProject({ command, directory, env }, [words, , isChanged], resources, options = []) {
  return measured([...options, command, ...words, '--parallel', PARALLEL], directory, {
    ...env,
    ...environment(resources, isChanged),
  });
}

/**
 * Runs a script of Node. Returns its wall time, the processor time of it and its children, and its peak memory if it
 * prints that.
 */
function measured(words, cwd, env) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn('bash', timed([process.execPath, ...words]), {
      ...{ cwd, env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    let output = '';
    let times = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output = (output + chunk).slice(-20_000)));
    child.stdio[3].on('data', (chunk) => (times += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const seconds = (performance.now() - started) / 1000;
      const peakMb = Number(/peak (\d+) kB\n$/.exec(output)?.[1]) / 1024;
      if (code === 0) resolve({ seconds, processor: processorSeconds(times), peakMb });
      else reject(new Error(`${words.join(' ')} ended with ${code}:\n${output}`));
    });
  });
}

/** Least and most of some numbers. */
function range(numbers) {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)].map((value) => value.toFixed(2));
  return least === most ? least : `${least}–${most}`;
}

function cells(runs, key) {
  const of = (index) => runs.map((engines) => engines[index][key]);
  const ratio = (index) => runs.map((engines) => engines[index][key] / engines[0][key]);
  return [range(of(0)), range(of(1)), range(ratio(1)), range(of(2)), range(ratio(2))];
}
