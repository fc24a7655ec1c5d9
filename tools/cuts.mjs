#!/usr/bin/env node
/**
 * Stops operations of the real engine at their instants and continues them, both ways: `npm run cuts -- [--only
 * TEXT] [--help-by tokens,progress,lookup,nothing] [--every N] [--from N] [--again N] [--show
 * N]`. Without options: every instant of every scenario, with every way of helping. With `--every N` each way begins
 * with the next instant: together they still stop at every one if there are N of them. With `--random N [--seed S]
 * [--isolate component|resource]` it stops N random operations at random instants instead; a failing one is shrunk and
 * printed as a test. `--only` takes scenarios whose title has the text; `--from 12 --every 1000` is the one instant
 * that a fault names.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { askedThread } from './asked-thread.mjs';
import { engineModule } from './engine-module.mjs';
import { processors } from './processors.mjs';
import { toolOptions } from './tool-options.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Seconds after which a scenario counts as endless. */
const SCENARIO_SECONDS = 300;

if (isMainThread) await main();
else await work();

async function main() {
  const { values, number, refuse } = toolOptions(import.meta.url, {
    options: {
      only: { type: 'string', default: '' },
      'help-by': { type: 'string' },
      every: { type: 'string', default: '1' },
      from: { type: 'string' },
      again: { type: 'string', default: '7' },
      show: { type: 'string', default: '1' },
      random: { type: 'string' },
      seed: { type: 'string' },
      isolate: { type: 'string' },
    },
  });
  const { isolate } = values;
  if (![undefined, 'component', 'resource'].includes(isolate))
    refuse(`--isolate knows component and resource, not ${isolate}`);
  const randomRuns = number('random');
  const seed = number('seed') ?? Math.floor(Math.random() * 2 ** 31);
  const instants = { every: number('every'), from: number('from'), again: number('again') };
  const show = number('show');
  const directory = await mkdtemp(join(root, 'node_modules', '.cuts-'));
  try {
    const module = await engineModule('cut/index.ts', join(directory, 'cuts.mjs'));
    const { CUT_SCENARIOS, HELPS } = await import(pathToFileURL(module).href);
    if (randomRuns !== undefined) return await random(module, randomRuns, seed, isolate);
    const helps = values['help-by']?.split(',') ?? HELPS;
    const unknown = helps.filter((help) => !HELPS.includes(help));
    if (unknown.length > 0) {
      console.error(`cuts: --help-by knows ${HELPS.join(', ')}, not ${unknown.join(', ')}; see --help`);
      process.exitCode = 2;
      return;
    }
    const choice = { helps, ...instants };
    const titles = CUT_SCENARIOS.map(({ title }) => title).filter((title) => title.includes(values.only));
    const started = process.hrtime.bigint();
    const reports = await runAll(module, titles, choice);
    const seconds = Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000;
    for (const { title, report } of reports) print(title, report, show);
    const sum = (key) => reports.reduce((total, { report }) => total + report[key], 0);
    const faults = reports.reduce((total, { report }) => total + report.faults.length, 0);
    console.log(
      `cuts: ${titles.length} scenarios, ${sum('cuts')} cuts, ${sum('runs')} operations went on, ${faults} were wrong (${seconds.toFixed(1)} s)`,
    );
    if (faults > 0) process.exitCode = 1;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function random(module, runs, seed, isolate) {
  console.log(
    `cuts: seed ${seed}, ${runs} random cuts${isolate === undefined ? '' : `, isolating each ${isolate}`}`,
  );
  const { fuzzCuts } = await import(pathToFileURL(module).href);
  const { runs: done, failure } = await fuzzCuts({ seed, runs, isolate });
  console.log(failure === undefined ? `cuts: ${done} were well` : `after ${done}:\n\n${failure}\n`);
  if (failure !== undefined) process.exitCode = 1;
}

function print(title, { runs, faults }, show) {
  if (faults.length === 0) return;
  console.log(`${title}: ${faults.length} of ${runs}`);
  for (const fault of faults.slice(0, show))
    console.log(
      `  ${fault.where}, stopped after ${fault.after}; ${fault.how}:\n${fault.faults.map((line) => `    ${line}`).join('\n')}`,
    );
}

/** One scenario after the other on every processor. In the order of the scenarios. */
async function runAll(module, titles, choice) {
  const reports = [];
  const rest = [...titles];
  const share = async () => {
    const own = askedThread(new URL(import.meta.url), { module, choice }, SCENARIO_SECONDS);
    for (let title = rest.shift(); title !== undefined; title = rest.shift())
      reports.push({ title, report: await reportOf(own, title) });
    await own.end();
  };
  await Promise.all(Array.from({ length: Math.min(processors(), titles.length) }, share));
  return reports.sort((a, b) => titles.indexOf(a.title) - titles.indexOf(b.title));
}

/** Asks for the report of one scenario. */
async function reportOf(thread, title) {
  try {
    return await thread.ask(title);
  } catch (cause) {
    throw new Error(`${title}: no report, and at most ${SCENARIO_SECONDS} s are waited for one`, { cause });
  }
}

async function work() {
  const { module, choice } = workerData;
  const { CUT_SCENARIOS, cutScenario } = await import(pathToFileURL(module).href);
  parentPort.on('message', async (title) => {
    const scenario = CUT_SCENARIOS.find((each) => each.title === title);
    const { cuts, runs, faults } = await cutScenario(scenario, choice);
    parentPort.postMessage({ cuts, runs, faults });
  });
}
