// node tools/bench/console-service.mjs [--resources 1000] [--pages 20] [--runs 3] [--history 50] [--times 100]
//   [--postgres | --objects]
// What open pages of the console cost the service: an `up` with pages of its change open beside one without, as the
// processor time of command and service together; and what the calls of each page cost where the history of the stack
// is many times as long. A shorter history than 50 does not fill a page of a list, and then pages show more rows where
// it is long. `--times 0` leaves this out, and `--pages 0` the open pages. The store is a directory, with `--postgres`
// a database, whose own processor time is added, or with `--objects` the test kit's S3 server, whose requests and
// bytes are shown. Processor time, medians.
import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import path from 'node:path';
import pg from 'pg';
import { chromium } from 'playwright-core';
import { startPostgres } from '@cairn/testkit/servers';
import { ensureBuilt, ensureInstalled, root } from '../setup.mjs';
import { toolOptions } from '../tool-options.mjs';
import { measure } from './measure.mjs';
import { cairnProgram } from './programs.mjs';
import { cairn, makeProject, setUp } from './project.mjs';
import { callRoute, firstLine, median, processorOf } from './service-calls.mjs';

const { number, values } = toolOptions(import.meta.url, {
  options: {
    resources: { type: 'string', default: '1000' },
    pages: { type: 'string', default: '20' },
    runs: { type: 'string', default: '3' },
    history: { type: 'string', default: '50' },
    times: { type: 'string', default: '100' },
    postgres: { type: 'boolean', default: false },
    objects: { type: 'boolean', default: false },
  },
});
const runs = number('runs');
const TIMES = number('times');
/** Calls of each route in one measurement. */
const CALLS = 40;
const UP = ['--yes', '--skip-preview'];
const STACK = 'organization/bench/dev';
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const key = randomBytes(32).toString('base64');

/** Versions that changes have made. The ones before come from another place, which is quicker. */
const CHANGES = 50;
const PAST_STATE = { version: 3, deployment: { manifest: { time: '2030-01-01T00:00:00Z' }, resources: [] } };
/** Resources of the stack with a history. */
const RESOURCES = 20;

/** Calls of each page, with the version of the stack at the end of paths that have one. */
const PAGES = {
  Stacks: () => ['/console/stacks?filter='],
  Overview: () => [`/console/stacks/${STACK}`],
  Resources: (version) => [`/console/stacks/${STACK}/resources?newest=${version}`],
  History: (version) => [
    `/api/stacks/${STACK}/updates?pageSize=50&page=1`,
    `/console/stacks/${STACK}/compare?from=${version - 1}&to=${version}`,
  ],
  Plans: () => [`/console/stacks/${STACK}/previews`],
  Settings: () => [`/console/stacks/${STACK}/settings`],
  Change: (_version, change) => [`/console/stacks/${STACK}/changes/${change}`],
};

ensureInstalled();
ensureBuilt();
const work = mkdtempSync(path.join(root, 'e2e', '.bench-'));
const services = [];
const server = values.postgres ? await startPostgres() : undefined;
const objects = values.objects ? await startObjects() : undefined;
try {
  if (number('pages') > 0) await openPages();
  if (TIMES > 0) await historyGrowth();
} finally {
  for (const child of services) child.kill('SIGKILL');
  await server?.close();
  await objects?.close();
  rmSync(work, { recursive: true, force: true });
}

/** Starts a service over a store of its own. Returns its address and a token. */
async function serve(name) {
  const store = await storeOf(name);
  const env = { ...process.env, CAIRN_SERVE_MASTER_KEY: key, ...objects?.env };
  const child = spawn(process.execPath, [cairn, 'serve', ...store, '--listen', '127.0.0.1:0'], {
    ...{ env, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  services.push(child);
  const url = await firstLine(child);
  const made = spawn(
    process.execPath,
    [cairn, 'serve', 'token', 'new', 'bench', '--role', 'admin', ...store],
    { env },
  );
  return { child, url, token: await firstLine(made) };
}

/** Returns the flags of a new store. */
async function storeOf(name) {
  const folder = path.join(work, `store-${name}`);
  mkdirSync(folder);
  if (objects !== undefined) return ['--store', objects.bucketUrl.replace('?', `/${name}?`)];
  if (server === undefined) return ['--store', `file://${folder}`];
  const address = `postgres://${server.user}:${server.password}@${server.host}:${server.port}`;
  const client = new pg.Client({ connectionString: `${address}/postgres` });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return ['--store', `${address}/${name}`, '--blobs', `file://${folder}`];
}

/** Starts the test kit's S3 server in a process of its own. */
async function startObjects() {
  const child = spawn(process.execPath, [path.join(root, 'tools/servers/s3.mjs')], {
    ...{ stdio: ['pipe', 'pipe', 'inherit'] },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const told = async () => JSON.parse((await lines.next()).value);
  return {
    ...(await told()),
    /** Returns the number of requests so far, and the bytes that they were answered with. */
    traffic: () => {
      child.stdin.write('{"requests":true}\n');
      return told();
    },
    close: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

/** Returns the processor time of the processes of the database so far, in milliseconds. */
function databaseTime() {
  if (server === undefined) return 0;
  const own = readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1] === postmaster();
    } catch {
      return false;
    }
  });
  return own.reduce((sum, pid) => sum + processorOf({ pid }), 0);
}

let knownPostmaster;

/** Returns the id of the database's first process: the one with its port among its words. */
function postmaster() {
  knownPostmaster ??= readdirSync('/proc').find((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words[0].endsWith('/postgres') && words.includes(`port=${server.port}`);
  });
  return knownPostmaster;
}

async function openPages() {
  const service = await serve('pages');
  const project = makeProject(work, 'pages', cairnProgram, 'index.ts');
  Object.assign(project.env, {
    BENCH_N: String(number('resources')),
    CAIRN_BACKEND_URL: service.url,
    CAIRN_ACCESS_TOKEN: service.token,
  });
  await setUp(project);
  const browser = await chromium.launch({
    executablePath: CHROMIUM.find((file) => existsSync(file)),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const found = { none: [], open: [] };
  try {
    // The first round warms up.
    for (let run = 0; run <= runs; run += 1)
      for (const side of run % 2 === 0 ? ['none', 'open'] : ['open', 'none']) {
        const contexts = side === 'open' ? await pagesOf(browser, service) : [];
        const before = processorOf(service.child);
        const { cpuSeconds } = await command(project, 'up', ...UP);
        const served = processorOf(service.child) - before;
        if (run > 0) found[side].push({ all: cpuSeconds * 1000 + served, served });
        for (const context of contexts) await context.close();
        await command(project, 'destroy', ...UP);
      }
  } finally {
    await browser.close();
  }
  const of = (side, part) => median(found[side].map((each) => each[part]));
  const parts = (part) => `${of('open', part).toFixed(0)} / ${of('none', part).toFixed(0)} ms`;
  const ratio = (of('open', 'all') / of('none', 'all')).toFixed(2);
  console.log(
    `up of ${number('resources')} with ${number('pages')} open pages / none: ${ratio} (${parts('all')}; the service ${parts('served')})`,
  );
}

/** Opens pages of the stack, each in a browser context of its own, as on several machines. */
async function pagesOf(browser, service) {
  const contexts = [];
  for (let index = 0; index < number('pages'); index += 1) {
    const { path: link } = await post(service, '/console/links');
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    await page.goto(`${service.url}${link}`);
    await page.getByRole('heading', { name: 'Stacks' }).waitFor();
    await page.goto(`${service.url}/s/${STACK}`);
    await page.getByRole('heading', { name: 'Changes' }).waitFor();
  }
  return contexts;
}

function post({ url, token }, route) {
  return callRoute(url, { method: 'POST', route, authorization: `token ${token}`, body: '{}' });
}

async function command(project, ...words) {
  return measure(process.execPath, [project.command, ...words, '--cwd', project.directory], project);
}

async function historyGrowth() {
  const few = number('history');
  const sides = [await grown('few', few), await grown('many', few * TIMES)];
  for (const [page, routesOf] of Object.entries(PAGES)) {
    const found = [[], []];
    const traffic = ['', ''];
    for (let round = 0; round <= runs; round += 1)
      for (const [index, side] of round % 2 === 0 ? [...sides.entries()] : [...sides.entries()].reverse()) {
        const at = () => processorOf(side.child) + databaseTime();
        const before = at();
        const asked = await objects?.traffic();
        for (let call = 0; call < CALLS; call += 1)
          for (const route of routesOf(side.versions, side.change)) await get(side, route);
        if (round > 0) found[index].push((at() - before) / CALLS);
        const now = await objects?.traffic();
        if (now !== undefined)
          traffic[index] =
            `, ${((now.requests - asked.requests) / CALLS).toFixed(1)} requests, ${Math.round((now.sent - asked.sent) / CALLS)} bytes`;
      }
    const [small, large] = found.map(median);
    console.log(
      `${page}, history of ${few * TIMES} / ${few}: ${(large / small).toFixed(2)} (${large.toFixed(2)} ms${traffic[1]} / ${small.toFixed(2)} ms${traffic[0]})`,
    );
  }
}

function get({ url, token }, route) {
  return callRoute(url, { method: 'GET', route, authorization: `token ${token}` });
}

/** Makes a service whose stack has this many versions, the newest 50 each by a change with its records. */
async function grown(name, versions) {
  const service = await serve(name);
  const at = '/api/stacks/organization/bench';
  const send = (route, body, authorization = `token ${service.token}`, method = 'POST') =>
    callRoute(service.url, { method, route, authorization, body: JSON.stringify(body) });
  await send(at, { stackName: 'dev' });
  const change = {
    ...{ operation: 'up', options: {}, goalKey: 'v1:key', username: 'ann', hostname: 'h1' },
    process: { pid: 7, hostname: 'h1', machine: 'm1', started: 's1' },
  };
  const past = Math.max(0, versions - CHANGES);
  for (let version = 1; version <= past; version += 1)
    await send(`${at}/dev/versions`, { info: pastInfo(version), state: PAST_STATE });
  for (let version = past + 1; version <= versions; version += 1) {
    const { updateID } = await send(`${at}/dev/update`, { options: { dryRun: false }, change });
    const route = `${at}/dev/update/${updateID}`;
    const { token } = await send(route, { journalVersion: 1 });
    const holder = `update-token ${token}`;
    const entries =
      version === past + 1 ? Array.from({ length: RESOURCES }, (_each, index) => entriesOf(index + 1)) : [];
    const body = { entries: entries.flat(), records: recordsOf(version - past) };
    await send(`${route}/journalentries`, body, holder, 'PATCH');
    const tasks = { total: 1, done: 1, undone: 0, failed: 0, held: 0, waiting: 0, doubt: 0 };
    const end = { result: 'succeeded', status: 'done', tasks, message: 'm', environment: {}, order: [] };
    await send(`${route}/complete`, { status: 'succeeded', change: end }, holder);
  }
  return { ...service, versions, change: versions };
}

/** Returns the facts of a version that another place had. */
function pastInfo(version) {
  return {
    ...{
      kind: 'update',
      startTime: 1_000_000 + version,
      endTime: 1_000_001 + version,
      message: 'm',
      version,
    },
    ...{ environment: {}, config: {}, result: 'succeeded', resourceChanges: { create: 1 } },
  };
}

/** Returns the journal entries of a step that makes a resource. */
function entriesOf(id) {
  const urn = `urn:pulumi:dev::bench::test:index:Thing::r${id}`;
  const state = { urn, custom: false, type: 'test:index:Thing', outputs: { text: 'x'.repeat(200) } };
  const entry = (kind, sequenceID, more) => ({
    ...{ version: 1, kind, sequenceID, operationID: id, removeOld: null, removeNew: null, ...more },
  });
  return [
    entry(0, 2 * id - 1, { operation: { resource: state, type: 'creating' } }),
    entry(1, 2 * id, { state }),
  ];
}

/** Returns the records of a change with one task that is done. */
function recordsOf(number) {
  return [
    { record: 'change', id: String(number), kind: 'up', summary: '', scope: 's' },
    { record: 'task', id: '1', kind: 'create', summary: 'create r1' },
    { record: 'intent', task: '1', direction: 'do', status: 'doing', attempt: 1 },
    { record: 'outcome', task: '1', direction: 'do', result: 'ok', status: 'done', ms: 1 },
  ].map((record, index) => ({ seq: index + 1, tx: index + 1, at: '2030-01-01T00:00:00.000Z', ...record }));
}
