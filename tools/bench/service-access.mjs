// Measures the processor time of calls of the state service over PostgreSQL, beside the same calls where stacks,
// members, teams, grants, tokens and audit rows are 100 times as many; in turn, with that of the database.
// Run it after a build: `node tools/bench/service-access.mjs [ROWS]`.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '@cairn/testkit/servers';
import pg from 'pg';
import { toolOptions } from '../tool-options.mjs';
import { callRoute, firstLine, median, processorOf } from './service-calls.mjs';

const { positionals } = toolOptions(import.meta.url, { allowPositionals: true });
const [rows = 20] = positionals.map(Number);
const TIMES = 100;
const CALLS = 40;
const ROUNDS = 5;
const STACK = '/api/stacks/organization/shop/s0';
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const env = { ...process.env, CAIRN_SERVE_MASTER_KEY: randomBytes(32).toString('base64') };
const cairn = path.resolve(import.meta.dirname, '../../packages/edges/cli/bin/cairn.cjs');
const folder = mkdtempSync(path.join(tmpdir(), 'cairn-bench-'));
const server = await startPostgres();
const sides = [];
try {
  for (const [name, count] of [
    ['few', rows],
    ['many', rows * TIMES],
  ])
    sides.push(await open(name, count));
  for (const [name, method, route, body = ''] of [
    ['stack', 'GET', STACK],
    ['user', 'GET', '/api/user'],
    ['encrypt', 'POST', `${STACK}/encrypt`, '{"plaintext":"aHVzaA=="}'],
    ['tags, recorded in the audit log', 'PATCH', `${STACK}/tags`, '{"a":"b"}'],
  ])
    await measure(name, { method, route, body });
} finally {
  for (const { child, client } of sides) {
    child.kill('SIGKILL');
    await client.end();
  }
  agent.destroy();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Starts a service over a database of its own with this many rows. */
async function open(name, count) {
  const at = `postgres://${server.user}:${server.password}@${server.host}:${server.port}`;
  const admin = new pg.Client({ connectionString: `${at}/postgres` });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const store = ['--store', `${at}/${name}`, '--blobs', `file://${folder}`];
  const child = spawn(process.execPath, [cairn, 'serve', ...store, '--listen', '127.0.0.1:0'], {
    ...{ env, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  const url = await firstLine(child);
  const made = spawn(process.execPath, [cairn, 'serve', 'token', 'new', 'bench', ...store], { env });
  const authorization = `token ${await firstLine(made)}`;
  const client = new pg.Client({ connectionString: `${at}/${name}` });
  await client.connect();
  await callRoute(url, {
    ...{ method: 'POST', route: '/api/stacks/organization/shop', authorization, agent },
    body: '{"stackName":"s0"}',
  });
  await fill(client, count);
  return { child, client, url, authorization };
}

/** Adds rows beside those that the calls use. */
async function fill(client, count) {
  const each = `from generate_series(1, ${count}) as n`;
  for (const sql of [
    `insert into cairn.stacks (id, org, project, name, wrapped_key)
       select gen_random_uuid(), 'organization', 'p' || n, 'dev', (select wrapped_key from cairn.stacks limit 1) ${each}`,
    `insert into cairn.users select '', 'u' || n, jsonb_build_object('id', 'u' || n) ${each}`,
    `insert into cairn.members
       select 'organization', 'u' || n, jsonb_build_object('id', 'u' || n, 'role', 'reader') ${each}`,
    `insert into cairn.teams
       select 'organization', 't' || n, jsonb_build_object('id', 't' || n, 'members', jsonb_build_array('u' || n)) ${each}`,
    `insert into cairn.grants
       select 'organization', 'g' || n, jsonb_build_object('id', 'g' || n, 'to', 'user:u' || n, 'role', 'writer') ${each}`,
    `insert into cairn.tokens (hash, record, owner, created)
       select md5(n::text), record, 'user/u' || n, created from (select * from cairn.tokens limit 1) as t, generate_series(1, ${count}) as n`,
    `insert into cairn.audit
       select last.seq + n, last.row, last.hash
         from (select * from cairn.audit order by seq desc limit 1) as last, generate_series(1, ${count}) as n`,
    'analyze',
  ])
    await client.query(sql);
}

async function measure(name, call) {
  const times = sides.map(() => []);
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [index, side] of sides.entries()) {
      const { url, authorization } = side;
      const before = await spent(side);
      for (let time = 0; time < CALLS; time += 1) await callRoute(url, { ...call, authorization, agent });
      if (round > 0) times[index].push(((await spent(side)) - before) / CALLS);
    }
  const [few, many] = times.map(median);
  console.log(
    `${name}: ${few.toFixed(2)} ms of processor, with ${TIMES} times the rows ${many.toFixed(2)} ms: ${(many / few).toFixed(2)}`,
  );
}

/** Processor time of a service and of its connections to the database, in milliseconds. */
async function spent({ child, client }) {
  const { rows: found } = await client.query(
    "select pid from pg_stat_activity where application_name = 'cairn serve' and datname = current_database()",
  );
  return found.reduce((sum, backend) => sum + processorOf(backend), processorOf(child));
}
