// Measures the processor time that the state service takes for a journal batch on a directory. Beside it, in turn and
// warm: a bare route of the same HTTP libraries that unpacks and parses the body, the least that a durable route takes
// (Node's HTTP alone, unpacking, parsing, one durable append), and unpacking and parsing alone.
// Run it after a build: `node tools/bench/service-batch.mjs [UPDATES] [BATCHES]`.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { toolOptions } from '../tool-options.mjs';
import { callRoute, firstLine, median, processorOf, startUpdate } from './service-calls.mjs';

const { positionals } = toolOptions(import.meta.url, { allowPositionals: true });
const [updates = 50, batches = 20] = positionals.map(Number);
const ENTRIES = 10;
const WARM_UP = 3;
const ROUNDS = 9;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const folder = mkdtempSync(path.join(tmpdir(), 'cairn-bench-'));
const env = { ...process.env, CAIRN_SERVE_MASTER_KEY: randomBytes(32).toString('base64') };
const cairn = path.resolve(import.meta.dirname, '../../packages/edges/cli/bin/cairn.cjs');
const store = ['--store', `file://${folder}`];
const service = spawn(
  process.execPath,
  [...profiled(), cairn, 'serve', ...store, '--listen', '127.0.0.1:0'],
  {
    ...{ env, stdio: ['ignore', 'pipe', 'ignore'] },
  },
);
const bare = bareRoute();
const durable = bareRoute(mkdtempSync(path.join(folder, 'bare-')));
try {
  const url = await firstLine(service);
  const bareUrl = await firstLine(bare);
  const durableUrl = await firstLine(durable);
  const token = await firstLine(
    spawn(process.execPath, [cairn, 'serve', 'token', 'new', 'bench', ...store], { env }),
  );
  const holders = [];
  for (let stack = 0; stack < updates; stack += 1)
    holders.push(await startUpdate(url, `s${stack}`, `token ${token}`, agent));
  const times = { service: [], bare: [], durable: [], decoding: [] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const found = {
      service: await costOf(service, () => send(url, holders, round)),
      bare: await costOf(bare, () => send(bareUrl, holders, round)),
      durable: await costOf(durable, () => send(durableUrl, holders, round)),
      decoding: decoding(round),
    };
    if (round >= WARM_UP) for (const name of Object.keys(times)) times[name].push(found[name]);
  }
  for (const [name, found] of Object.entries(times))
    console.log(`${name}: ${median(found).toFixed(3)} ms (${found.map((ms) => ms.toFixed(3)).join(' ')})`);
  for (const name of ['bare', 'durable', 'decoding'])
    console.log(`service / ${name}: ${(median(times.service) / median(times[name])).toFixed(2)}`);
} finally {
  for (const child of [service, bare, durable]) child.kill('SIGINT');
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}

function bareRoute(...more) {
  return spawn(process.execPath, [path.join(import.meta.dirname, 'bare-route.mjs'), ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Flags that write a profile of the processor, if a folder for it is named. */
function profiled() {
  const { BENCH_PROFILE: place } = process.env;
  return place === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${place}`];
}

/** Returns the milliseconds of processor time of a process for each batch. */
async function costOf(child, work) {
  const before = processorOf(child);
  await work();
  return (processorOf(child) - before) / (updates * batches);
}

async function send(url, holders, round) {
  await Promise.all(
    holders.map(async ({ route, holder }) => {
      for (let batch = 0; batch < batches; batch += 1) {
        const body = gzipSync(batchText(round * batches + batch));
        const call = {
          method: 'PATCH',
          route: `${route}/journalentries`,
          authorization: holder,
          body,
          agent,
        };
        await callRoute(url, call);
      }
    }),
  );
}

function batchText(batch) {
  const entries = Array.from({ length: ENTRIES }, (_each, index) => {
    const sequence = batch * ENTRIES + index + 1;
    const urn = `urn:pulumi:dev::shop::test:index:Thing::r${sequence}`;
    const state = { urn, custom: false, type: 'test:index:Thing', outputs: { text: 'x'.repeat(800) } };
    return { version: 1, kind: 1, sequenceID: sequence, operationID: sequence, state };
  });
  return JSON.stringify({ entries });
}

/** Milliseconds for unpacking and parsing a batch. */
function decoding(round) {
  const packed = gzipSync(batchText(round));
  const times = 2000;
  const begin = process.cpuUsage();
  for (let time = 0; time < times; time += 1) JSON.parse(gunzipSync(packed).toString('utf8'));
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000 / times;
}
