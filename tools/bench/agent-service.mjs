// node tools/bench/agent-service.mjs [--runs 48] [--resources 20] [--rounds 2] [--first 5]
// Three agents with 8 places each that update many stacks of a service over PostgreSQL, beside 24 `cairn up` at once
// that do the same: processor time of agents and commands, less that of agents with nothing to do, and of the service.
// Then the time from the request of one update to the first line of its operation, beside that of `cairn up`. Prints
// medians.
import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { startPostgres } from '@cairn/testkit/servers';
import { ensureBuilt, ensureInstalled, root } from '../setup.mjs';
import { toolOptions } from '../tool-options.mjs';
import { measure, median } from './measure.mjs';
import { cairnProgram } from './programs.mjs';
import { cairn, makeProject } from './project.mjs';
import { callRoute, firstLine, processorOf } from './service-calls.mjs';

const { number } = toolOptions(import.meta.url, {
  options: {
    runs: { type: 'string', default: '48' },
    resources: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '2' },
    first: { type: 'string', default: '5' },
  },
});
const AGENTS = ['one', 'two', 'three'];
const PLACES = 8;
const YES = ['--yes', '--non-interactive'];

ensureInstalled();
ensureBuilt();
const work = mkdtempSync(path.join(root, 'e2e', '.bench-'));
const server = await startPostgres({ syncs: true });
const ends = [];
try {
  const service = await serve();
  const found = { up: [], skipped: [], agents: [], upService: [], agentsService: [] };
  for (let round = 0; round < number('rounds'); round += 1) {
    const before = processorOf(service.child);
    const up = project(`up${round}`, service);
    found.up.push(await shellLoop(up, await stacksOf(up, service)));
    const between = processorOf(service.child);
    found.upService.push((between - before) / 1000);
    const skipped = project(`skipped${round}`, service);
    found.skipped.push(await shellLoop(skipped, await stacksOf(skipped, service), ['--skip-preview']));
    const asked = project(`agents${round}`, service);
    const names = await stacksOf(asked, service);
    const idle = await fleet(service, `idle${round}`);
    const start = processorOf(service.child);
    for (const name of names) await ask(service, name);
    found.agents.push((await fleet(service, `run${round}`)) - idle);
    found.agentsService.push((processorOf(service.child) - start) / 1000);
  }
  const spent = median(found.agents);
  for (const [words, of] of [
    ['up', found.up],
    ['up --skip-preview', found.skipped],
  ])
    console.log(
      `${number('runs')} updates: agents ${spent.toFixed(2)} s, ${words} ${median(of).toFixed(2)} s, ratio ${(spent / median(of)).toFixed(2)}`,
    );
  console.log(
    `of the service: agents ${median(found.agentsService).toFixed(2)} s, up ${median(found.upService).toFixed(2)} s`,
  );
  await firstLines(service);
} finally {
  for (const child of ends) child.kill('SIGKILL');
  await server.close();
  rmSync(work, { recursive: true, force: true });
}

/** Starts a service over PostgreSQL. */
async function serve() {
  const env = { ...process.env, CAIRN_SERVE_MASTER_KEY: randomBytes(32).toString('base64') };
  mkdirSync(path.join(work, 'blobs'));
  const store = [
    ...['--store', `postgres://${server.user}:${server.password}@${server.host}:${server.port}/postgres`],
    ...['--blobs', `file://${path.join(work, 'blobs')}`],
  ];
  const child = spawn(process.execPath, [cairn, 'serve', ...store, '--listen', '127.0.0.1:0'], {
    ...{ env, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  ends.push(child);
  const url = await firstLine(child);
  const made = spawn(process.execPath, [cairn, 'serve', 'token', 'new', 'bench', ...store], { env });
  const token = await firstLine(made);
  return { child, url, token, env: { CAIRN_BACKEND_URL: url, CAIRN_ACCESS_TOKEN: token } };
}

/** Makes a project whose stacks are those of the service. Its name is that of its folder. */
function project(name, service) {
  const made = makeProject(work, name, cairnProgram, 'index.ts');
  const env = { ...made.env, ...service.env, BENCH_N: String(number('resources')) };
  return { ...made, name, env: { ...env, CAIRN_CODE_CACHE: path.join(work, 'code') } };
}

/** Makes the stacks of a round, each with the settings with which agents update it. */
async function stacksOf({ name, directory, env }, service) {
  const given = ['CAIRN_CODE_CACHE', 'BENCH_N', 'NO_COLOR'].map((key) => [key, env[key]]);
  const names = Array.from({ length: number('runs') }, (_, at) => `${name}-${at}`);
  for (const stackName of names) {
    await post(service, '', { stackName });
    await post(service, `/${stackName}/deployments/settings`, {
      operationContext: { environmentVariables: Object.fromEntries(given) },
      cairn: { source: { directory } },
    });
  }
  return names;
}

function post({ url, token }, route, body) {
  const authorization = `token ${token}`;
  const at = `/api/stacks/organization/bench${route}`;
  return callRoute(url, { method: 'POST', route: at, authorization, body: JSON.stringify(body) });
}

function ask(service, name) {
  return post(service, `/${name}/deployments`, { operation: 'update' });
}

/** Updates stacks with as many `up` at once as the agents have places. Returns their processor time. */
async function shellLoop(options, names, more = []) {
  const left = [...names];
  let spent = 0;
  const worker = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const words = [options.command, 'up', ...YES, ...more, '--stack', name];
      const { cpuSeconds } = await measure(process.execPath, words, options);
      spent += cpuSeconds;
    }
  };
  await Promise.all(Array.from({ length: AGENTS.length * PLACES }, worker));
  return spent;
}

function agentWords({ url }, name, folder) {
  const words = ['agent', '--service', url, '--name', name, '--local-sources', '--places', String(PLACES)];
  return [cairn, ...words, '--state', path.join(work, `${folder}-${name}`)];
}

/** Runs three agents until there is nothing to do. Returns the processor time of them and of what they have started. */
async function fleet(service, folder) {
  const env = { ...process.env, ...service.env };
  const all = AGENTS.map((name) =>
    measure(process.execPath, [...agentWords(service, name, folder), '--once'], { cwd: work, env }),
  );
  return (await Promise.all(all)).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}

/** Prints the time until an operation prints its first line, asked of an agent that waits and started by hand. */
async function firstLines(service) {
  const own = project('first', service);
  const [name] = await stacksOf(own, service);
  const env = { ...process.env, ...service.env };
  const agent = spawn(process.execPath, agentWords(service, 'one', 'first'), {
    cwd: work,
    env,
    stdio: 'ignore',
  });
  ends.push(agent);
  const runs = path.join(work, 'first-one', 'runs');
  await until(() => statSync(path.dirname(runs), { throwIfNoEntry: false }) !== undefined);
  const asked = [];
  const byHand = [];
  for (let round = 0; round <= number('first'); round += 1) {
    const known = logsIn(runs);
    const start = performance.now();
    await ask(service, name);
    await until(() => logsIn(runs) > known);
    const seen = performance.now() - start;
    await pass(3_000);
    const began = performance.now();
    const words = [own.command, 'up', ...YES, '--stack', name];
    const child = spawn(process.execPath, words, { ...own, stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const printed = performance.now() - began;
    child.stdout.resume();
    await new Promise((resolve) => child.once('exit', resolve));
    // The first round warms up.
    if (round > 0) [asked, byHand].forEach((list, at) => list.push([seen, printed][at]));
  }
  const [one, other] = [median(asked), median(byHand)];
  console.log(
    `request to first line: agent ${one.toFixed(0)} ms, up ${other.toFixed(0)} ms, ratio ${(one / other).toFixed(2)}`,
  );
}

/** Counts the logs of runs that have a line. */
function logsIn(runs) {
  const folders = statSync(runs, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(runs);
  return folders
    .flatMap((run) => readdirSync(path.join(runs, run)).map((file) => path.join(runs, run, file)))
    .filter((file) => file.endsWith('.log') && statSync(file).size > 0).length;
}

async function until(holds) {
  while (!holds()) await pass(2);
}
