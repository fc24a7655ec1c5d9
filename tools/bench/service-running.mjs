// Measures what the state service costs while it runs, on a directory: memory with updates under way and with idle
// connections, its start with many stacks, calls with a long history, and processor time of a batch.
// Run it after a build: `node tools/bench/service-running.mjs [UPDATES] [RESOURCES] [CONNECTIONS] [STACKS]`.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { toolOptions } from '../tool-options.mjs';
import { callRoute, firstLine, median, processorOf, startUpdate } from './service-calls.mjs';

const { positionals } = toolOptions(import.meta.url, { allowPositionals: true });
const [updates = 200, resources = 50, connections = 1000, stacks = 1000] = positionals.map(Number);
const ENTRIES = 10;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const env = { ...process.env, CAIRN_SERVE_MASTER_KEY: randomBytes(32).toString('base64') };
const cairn = path.resolve(import.meta.dirname, '../../packages/edges/cli/bin/cairn.cjs');
const folder = mkdtempSync(path.join(tmpdir(), 'cairn-bench-'));
try {
  await memory();
  await starts();
  await growth();
} finally {
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}

/** Memory and processor time of one service, as updates and connections are added. */
async function memory() {
  const service = await start('memory');
  const alone = resident(service);
  const holders = [];
  for (let stack = 0; stack < updates; stack += 1)
    holders.push(await startUpdate(service.url, `s${stack}`, service.auth, agent));
  const batches = resources / ENTRIES;
  const cpu = processorOf(service.child);
  await Promise.all(
    holders.map(async ({ route, holder }) => {
      for (let batch = 0; batch < batches; batch += 1)
        await call(service, 'PATCH', `${route}/journalentries`, holder, gzipSync(batchText(batch)));
    }),
  );
  const each = (processorOf(service.child) - cpu) / (updates * batches);
  const full = resident(service);
  console.log(`memory: ${alone} MB alone, ${full} MB with ${updates} updates of ${resources} resources`);
  console.log(
    `a batch of ${ENTRIES}: ${each.toFixed(2)} ms of processor, decoding alone ${decoding().toFixed(2)} ms`,
  );
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(service)));
  await call(service, 'GET', '/api/user', service.auth);
  console.log(`${connections} idle connections: + ${resident(service) - full} MB`);
  for (const socket of sockets) socket.destroy();
  await stop(service);
}

/** Start on a directory with one stack and with many, in turn. */
async function starts() {
  const few = await start('few');
  await call(few, 'POST', '/api/stacks/organization/shop', few.auth, '{"stackName":"s0"}');
  await stop(few);
  const many = await start('many');
  for (let stack = 0; stack < stacks; stack += 1)
    await call(many, 'POST', '/api/stacks/organization/shop', many.auth, `{"stackName":"s${stack}"}`);
  await stop(many);
  const times = { few: [], many: [] };
  for (let round = 0; round < 7; round += 1)
    for (const name of ['few', 'many']) {
      const begin = performance.now();
      const service = await start(name, { token: false });
      times[name].push(performance.now() - begin);
      await stop(service);
    }
  const [one, all] = [median(times.few), median(times.many)];
  console.log(
    `start: ${one.toFixed(0)} ms with 1 stack, ${all.toFixed(0)} ms with ${stacks}: ${(all / one).toFixed(2)}`,
  );
}

/** Processor time of calls about a stack with 2 versions, and about one with 200, in one service. */
async function growth() {
  const service = await start('growth');
  const at = (stack) => `/api/stacks/organization/shop/${stack}`;
  for (const [stack, versions] of [
    ['short', 2],
    ['long', 200],
  ]) {
    await call(service, 'POST', '/api/stacks/organization/shop', service.auth, `{"stackName":"${stack}"}`);
    for (let version = 0; version < versions; version += 1)
      await call(
        service,
        'POST',
        `${at(stack)}/import`,
        service.auth,
        '{"version":3,"deployment":{"manifest":{}}}',
      );
  }
  for (const [name, calls, method, more, body] of [
    ['stack', 200, 'GET', ''],
    ['export', 200, 'GET', '/export'],
    ['newest update', 200, 'GET', '/updates/latest'],
    ['import', 10, 'POST', '/import', '{"version":3,"deployment":{"manifest":{}}}'],
  ]) {
    const times = { short: [], long: [] };
    // The first round warms up.
    for (let round = 0; round <= 7; round += 1)
      for (const stack of ['short', 'long']) {
        const before = processorOf(service.child);
        for (let time = 0; time < calls; time += 1)
          await call(service, method, at(stack) + more, service.auth, body);
        if (round > 0) times[stack].push((processorOf(service.child) - before) / calls);
      }
    const [short, long] = [median(times.short), median(times.long)];
    console.log(
      `${name}: ${short.toFixed(2)} ms of processor, with history × 100 ${long.toFixed(2)} ms: ${(long / short).toFixed(2)}`,
    );
  }
  await stop(service);
}

async function start(name, { token = true } = {}) {
  const place = path.join(folder, name);
  mkdirSync(place, { recursive: true });
  const store = ['--store', `file://${place}`];
  const child = spawn(process.execPath, [cairn, 'serve', ...store, '--listen', '127.0.0.1:0'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await firstLine(child);
  if (!token) return { child, url };
  const made = spawn(process.execPath, [cairn, 'serve', 'token', 'new', 'bench', ...store], { env });
  return { child, url, auth: `token ${await firstLine(made)}` };
}

async function stop({ child }) {
  agent.destroy();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
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

/** Milliseconds for unpacking and parsing a batch, warm. */
function decoding() {
  const packed = gzipSync(batchText(0));
  const rounds = 2000;
  for (let round = 0; round < rounds; round += 1) JSON.parse(gunzipSync(packed).toString('utf8'));
  const begin = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) JSON.parse(gunzipSync(packed).toString('utf8'));
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000 / rounds;
}

function connected({ url }) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Resident memory in MB. */
function resident({ child }) {
  const text = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)[1]) / 1024);
}

function call({ url }, method, route, authorization, body) {
  return callRoute(url, { method, route, authorization, body, agent });
}
