#!/usr/bin/env node
/**
 * Random operations on random stacks against the real engine: `npm run fuzz -- --seed S --runs N [--state FILE]`.
 * Without a seed it takes one and prints it; the same seed gives the same cases. A failing case is shrunk and printed
 * as a test.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { askedThread } from './asked-thread.mjs';
import { engineModule } from './engine-module.mjs';
import { processors } from './processors.mjs';
import { toolOptions } from './tool-options.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Runs of one seed. Part of what a seed means: independent of how many processors there are. */
const CHUNK = 250;

if (isMainThread) await main();
else await work();

async function main() {
  const { values, number } = toolOptions(import.meta.url, {
    options: { seed: { type: 'string' }, runs: { type: 'string' }, state: { type: 'string' } },
  });
  const seed = number('seed') ?? Math.floor(Math.random() * 2 ** 31);
  const runs = number('runs') ?? 2000;
  const state = values.state === undefined ? undefined : await readFile(values.state, 'utf8');
  console.log(`fuzz: seed ${seed}, ${runs} runs`);
  // Inside the repository, so that packages are found from there.
  const directory = await mkdtemp(join(root, 'node_modules', '.fuzz-'));
  try {
    const module = await engineModule('fuzz/index.ts', join(directory, 'fuzz.mjs'));
    const started = process.hrtime.bigint();
    const failure = await runAll({ module, seed, runs, state });
    const seconds = Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000;
    if (failure === undefined) {
      console.log(`fuzz: ${runs} runs were well (${seconds.toFixed(1)} s)`);
      return;
    }
    console.log(`fuzz: seed ${failure.seed} found, after ${failure.runs} runs and shrinking:\n`);
    console.log(failure.fault);
    console.log(`\n${failure.text}\n`);
    console.log(`Once more: npm run fuzz -- --seed ${failure.seed} --runs ${CHUNK}`);
    process.exitCode = 1;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Spreads chunks of runs, each with a seed of its own, over the processors. Gives the first failure by seed. */
async function runAll({ module, seed, runs, state }) {
  const chunks = Array.from({ length: Math.ceil(runs / CHUNK) }, (_, index) => ({
    seed: seed + index,
    runs: Math.min(CHUNK, runs - index * CHUNK),
  }));
  const failures = [];
  const share = async () => {
    const own = askedThread(new URL(import.meta.url), { module, state });
    for (let chunk = chunks.shift(); chunk !== undefined && failures.length === 0; chunk = chunks.shift()) {
      const failure = await own.ask(chunk);
      if (failure !== undefined) failures.push({ seed: chunk.seed, ...failure });
    }
    await own.end();
  };
  await Promise.all(Array.from({ length: Math.min(processors(), chunks.length) }, share));
  return failures.sort((a, b) => a.seed - b.seed)[0];
}

async function work() {
  const { module, state } = workerData;
  const { fuzz, snapshotOf } = await import(pathToFileURL(module).href);
  const snapshot = state === undefined ? undefined : snapshotOf(state);
  parentPort.on('message', async ({ seed, runs }) => {
    const report = await fuzz({ seed, runs, snapshot });
    const { failure } = report;
    parentPort.postMessage(
      failure && { runs: report.runs, fault: failure.finding.fault, text: failure.text },
    );
  });
}
