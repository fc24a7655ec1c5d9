// Measures the end of an update of 10,000 resources in the state service (replay, check, store) beside what the command
// does with the same journal itself: reading its entries, replaying and checking them, and storing the state. In turn;
// processor time and time that passes. On a directory, or over PostgreSQL with syncs. With `--replay`, two processes
// get the batches in turn, so that the one that ends the update has to read the stored journal.
// Run it after a build: `node tools/bench/service-complete.mjs [RESOURCES]`.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  Replayer,
  checkIntegrity,
  checkpointBytes,
  emptyDeployment,
  newManifest,
  takeJournalEntry,
} from '@cairn/state';
import { startPostgres } from '@cairn/testkit/servers';
import { toolOptions } from '../tool-options.mjs';
import { callRoute, firstLine, median, processorOf, startUpdate } from './service-calls.mjs';

const { values, positionals, refuse } = toolOptions(import.meta.url, {
  options: { postgres: { type: 'boolean' }, replay: { type: 'boolean' } },
  allowPositionals: true,
});
if (values.replay && !values.postgres) refuse('--replay needs --postgres');
const [resources = 10_000] = positionals.map(Number);
const BATCH = 250;
const ROUNDS = 8;
const agent = new Agent({ keepAlive: true });
const folder = mkdtempSync(path.join(tmpdir(), 'cairn-bench-'));
const env = { ...process.env, CAIRN_SERVE_MASTER_KEY: randomBytes(32).toString('base64') };
const cairn = path.resolve(import.meta.dirname, '../../packages/edges/cli/bin/cairn.cjs');
const database = values.postgres ? await startPostgres({ syncs: true }) : undefined;
const store = storeWords();
const services = [startService(), ...(values.replay ? [startService()] : [])];
const [service] = services;
try {
  const urls = [];
  for (const each of services) urls.push(await firstLine(each));
  const made = spawn(process.execPath, [cairn, 'serve', 'token', 'new', 'bench', ...store], { env });
  const auth = `token ${await firstLine(made)}`;
  const texts = Array.from({ length: resources }, (_each, index) => entryTexts(index + 1)).flat();
  const times = { service: [], fold: [] };
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const found = {
      service: await completed(urls, auth, `s${round}`, texts),
      fold: folded(texts, `f${round}`),
    };
    if (round > 0) for (const name of Object.keys(times)) times[name].push(found[name]);
  }
  const of = (name, field) => median(times[name].map((each) => each[field]));
  for (const name of ['service', 'fold'])
    console.log(`${name}: ${of(name, 'cpu').toFixed(0)} ms of processor, ${of(name, 'ms').toFixed(0)} ms`);
  for (const field of ['cpu', 'ms'])
    console.log(`service / fold, ${field}: ${(of('service', field) / of('fold', field)).toFixed(2)}`);
} finally {
  for (const each of services) {
    each.kill('SIGINT');
    await new Promise((r) => each.once('exit', r));
  }
  agent.destroy();
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
}

function storeWords() {
  if (database === undefined) return ['--store', `file://${folder}`];
  const { host, port, user, password } = database;
  return [
    '--store',
    `postgres://${user}:${password}@${host}:${port}/postgres`,
    '--blobs',
    `file://${folder}`,
  ];
}

function startService() {
  return spawn(process.execPath, [...profiled(), cairn, 'serve', ...store, '--listen', '127.0.0.1:0'], {
    ...{ env, stdio: ['ignore', 'pipe', 'ignore'] },
  });
}

/** Entries of a step that makes a resource. */
function entryTexts(id) {
  const urn = `urn:pulumi:dev::shop::test:index:Thing::r${id}`;
  const state = { urn, custom: false, type: 'test:index:Thing', outputs: { text: 'x'.repeat(800) } };
  const entry = (kind, sequenceID, more) =>
    JSON.stringify({
      ...{ version: 1, kind, sequenceID, operationID: id, removeOld: null, removeNew: null, ...more },
    });
  return [
    entry(0, 2 * id - 1, { operation: { resource: state, type: 'creating' } }),
    entry(1, 2 * id, { state }),
  ];
}

/** Sends the entries of an update to the services in turn, and measures its end in the first one. */
async function completed(urls, auth, stack, texts) {
  const { route, holder } = await startUpdate(urls[0], stack, auth, agent);
  const call = (url, method, more, body) =>
    callRoute(url, { method, route: route + more, authorization: holder, body, agent });
  for (let at = 0; at < texts.length; at += BATCH) {
    const body = `{"entries":[${texts.slice(at, at + BATCH)}]}`;
    await call(urls[(at / BATCH) % urls.length], 'PATCH', '/journalentries', body);
  }
  const before = processorOf(service);
  const begin = performance.now();
  await call(urls[0], 'POST', '/complete', '{"status":"succeeded"}');
  return { ms: performance.now() - begin, cpu: processorOf(service) - before };
}

/** Does what the command does with a journal, and returns its cost. */
function folded(texts, name) {
  const begin = performance.now();
  const before = process.cpuUsage();
  const replayer = new Replayer(emptyDeployment, 'here');
  for (const text of texts) replayer.add(takeJournalEntry(JSON.parse(text), 'here'));
  const deployment = replayer.generate(newManifest(new Date(), 'v0.0.0'));
  checkIntegrity(deployment, 'write');
  const file = openSync(path.join(folder, name), 'w');
  writeSync(file, checkpointBytes('organization/shop/dev', deployment));
  fsyncSync(file);
  closeSync(file);
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - begin, cpu: (user + system) / 1000 };
}

/** Flags that write a profile of the processor, if a folder for it is named. */
function profiled() {
  const { BENCH_PROFILE: place } = process.env;
  return place === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${place}`];
}
