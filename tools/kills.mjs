#!/usr/bin/env node
/**
 * Whole commands on real providers, killed and continued:
 * `npm run kills -- [--seed S] [--runs N] [--workers W] [--kinds K,…] [--bucket] [--service KIND] [--keep] [--show]`.
 * Run number i has the seed S + i, so that `--seed` of a run with faults and `--runs 1` repeat it (when it was killed
 * after some time rather than at an effect, only about). Without a seed it takes one and prints it. `--bucket` keeps
 * the stacks in a bucket of the S3 protocol, `--service` behind a state service: `bucket`, `postgres` or `three`
 * (`e2e/support/service-front.ts`). `--keep` leaves the folders of runs with faults, `--show` prints every transcript;
 * `--kinds` has resources of some kinds only (`e2e/kills/model.ts`). Needs the built command and Linux.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startS3Server } from '../packages/testing/testkit/dist/servers/index.js';
import { importBundled } from './import-bundled.mjs';
import { processors } from './processors.mjs';
import { toolOptions } from './tool-options.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, number } = toolOptions(import.meta.url, {
  options: {
    seed: { type: 'string' },
    runs: { type: 'string', default: '30' },
    workers: { type: 'string', default: String(processors()) },
    kinds: { type: 'string' },
    bucket: { type: 'boolean', default: false },
    service: { type: 'string' },
    keep: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
  },
});
const seed = number('seed') ?? Math.floor(Math.random() * 2 ** 20);
const runs = number('runs');
const workers = number('workers');
if (process.platform !== 'linux') {
  console.log('kills: skipped, it finds processes by /proc, which is Linux');
  process.exit(0);
}
console.log(`kills: seed ${seed}, ${runs} runs`);

const { killRun } = await importBundled('e2e/kills/run.ts');
const { bucketStore, servedStore } = await importBundled('e2e/kills/store.ts');
const server = values.bucket ? await startS3Server() : undefined;
const front = values.service === undefined ? undefined : await startFront(values.service);
const storeOf = (mine) => {
  if (front !== undefined) return front.storeOf();
  const url = server?.bucketUrl('bucket', String(mine));
  return server && bucketStore({ url, env: server.env }, String(mine), server.buckets.get('bucket'));
};
const verdicts = [];
let next = 0;
const worker = async () => {
  while (next < runs) {
    const mine = seed + next++;
    const options = { keep: values.keep, kinds: values.kinds?.split(','), store: storeOf(mine) };
    const verdict = await killRun(root, mine, options);
    verdicts.push(verdict);
    const { kills, questions, faults } = verdict;
    console.log(`seed ${mine}: ${kills} kills, ${questions} questions, ${faults.length} faults`);
    if (values.show || verdict.faults.length > 0) console.log(`\n${verdict.transcript}`);
  }
};
await Promise.all(Array.from({ length: workers }, worker));
await server?.close();
await front?.end();
const sum = (of) => verdicts.reduce((total, verdict) => total + of(verdict), 0);
const faulty = verdicts.filter(({ faults }) => faults.length > 0).map((verdict) => verdict.seed);
const counts = `${sum(({ kills }) => kills)} kills, ${sum(({ questions }) => questions)} questions answered`;
console.log(`kills: ${runs} runs, ${counts}, ${faulty.length} with faults`);
if (faulty.length > 0) {
  console.log(`seeds with faults: ${faulty.toSorted((a, b) => a - b).join(' ')}`);
  for (const { seed: mine, faults } of verdicts)
    for (const fault of faults) console.log(`seed ${mine}: ${fault}`);
  process.exitCode = 1;
}

/** Starts the services that stacks are behind, each over a folder of its own. */
async function startFront(kind) {
  const { FRONT_TOKEN, ServiceFront } = await importBundled('e2e/support/service-front.ts', [
    ...['pg', '@cairn/state-server', '@cairn/testkit/servers'],
  ]);
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-kills-'));
  const services = new ServiceFront(kind);
  await services.start();
  const env = { CAIRN_ACCESS_TOKEN: FRONT_TOKEN };
  return {
    storeOf: () => {
      const own = mkdtempSync(path.join(folder, 'stack-'));
      return servedStore({ url: services.add(own), env }, own);
    },
    end: async () => {
      await services.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
