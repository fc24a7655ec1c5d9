// node tools/bench/service-up.mjs [--resources 1000] [--runs 5]
// A first `up` of the whole command on a directory, through a state service on a directory, and through one over
// PostgreSQL with syncs, in turn. Prints medians of the time that passes, and of processor time: of the command, and of
// the service beside it.
import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startPostgres } from '@cairn/testkit/servers';
import { ensureBuilt, ensureInstalled, root } from '../setup.mjs';
import { toolOptions } from '../tool-options.mjs';
import { measure } from './measure.mjs';
import { cairnProgram } from './programs.mjs';
import { cairn, makeProject, setUp } from './project.mjs';
import { firstLine, median, processorOf } from './service-calls.mjs';

const { number } = toolOptions(import.meta.url, {
  options: {
    resources: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '5' },
  },
});
const runs = number('runs');
const KINDS = ['directory', 'service', 'postgres'];
const UP = ['--yes', '--skip-preview'];
const key = randomBytes(32).toString('base64');
const services = [];

ensureInstalled();
ensureBuilt();
const work = mkdtempSync(path.join(root, 'e2e', '.bench-'));
const server = await startPostgres({ syncs: true });
try {
  const projects = {
    directory: await project('directory'),
    service: await project('service', storeIn('service')),
    postgres: await project('postgres', [
      ...['--store', `postgres://${server.user}:${server.password}@${server.host}:${server.port}/postgres`],
      ...['--blobs', storeIn('postgres')[1]],
    ]),
  };
  const results = { directory: [], service: [], postgres: [] };
  // The first round warms up.
  for (let run = 0; run <= runs; run += 1)
    for (const kind of run % 2 === 0 ? KINDS : KINDS.toReversed()) {
      const result = await firstUp(projects[kind]);
      if (run > 0) results[kind].push(result);
    }
  print(results);
} finally {
  for (const { child } of services) child.kill('SIGKILL');
  await server.close();
  rmSync(work, { recursive: true, force: true });
}

function storeIn(name) {
  const folder = path.join(work, `store-${name}`);
  mkdirSync(folder);
  return ['--store', `file://${folder}`];
}

/** Makes a project, on a directory of its own or through a service over a store. */
async function project(name, store) {
  const made = makeProject(work, name, cairnProgram, 'index.ts');
  made.env.BENCH_N = String(number('resources'));
  if (store !== undefined) Object.assign(made.env, (made.service = await serve(store)).env);
  await setUp(made);
  return made;
}

async function serve(store) {
  const env = { ...process.env, CAIRN_SERVE_MASTER_KEY: key };
  const child = spawn(process.execPath, [cairn, 'serve', ...store, '--listen', '127.0.0.1:0'], {
    ...{ env, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  const url = await firstLine(child);
  const made = spawn(process.execPath, [cairn, 'serve', 'token', 'new', 'bench', ...store], { env });
  const service = { child, env: { CAIRN_BACKEND_URL: url, CAIRN_ACCESS_TOKEN: await firstLine(made) } };
  services.push(service);
  return service;
}

async function firstUp(made) {
  const run = (command) => measure(process.execPath, [cairn, command, ...UP, '--cwd', made.directory], made);
  const before = made.service === undefined ? 0 : processorOf(made.service.child);
  const { seconds, cpuSeconds } = await run('up');
  const served = made.service === undefined ? 0 : (processorOf(made.service.child) - before) / 1000;
  await run('destroy');
  return { seconds, command: cpuSeconds, served };
}

function print(results) {
  const of = (kind, field) => median(results[kind].map((result) => result[field]));
  for (const kind of KINDS) {
    const ratio = (field) => (of(kind, field) / of('directory', field)).toFixed(2);
    console.log(
      `${kind}: ${of(kind, 'seconds').toFixed(2)} s (${ratio('seconds')}), processor of the command ` +
        `${of(kind, 'command').toFixed(2)} s (${ratio('command')}), of the service ${of(kind, 'served').toFixed(2)} s`,
    );
  }
}
