// Measures journal batches a second of the state service over PostgreSQL, and of its store without HTTP, against a bare
// script that stores the same rows, gathered into one statement.
// Run it after a build: `node tools/bench/service-journal.mjs [UPDATES] [BATCHES]`.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openPostgresStore } from '@cairn/state-server';
import { textItems } from '@cairn/state';
import { startPostgres } from '@cairn/testkit/servers';
import pg from 'pg';
import { toolOptions } from '../tool-options.mjs';
import { firstLine, median, openSender, startUpdate } from './service-calls.mjs';

const { positionals } = toolOptions(import.meta.url, { allowPositionals: true });
const [updates = 200, batches = 20] = positionals.map(Number);
const ENTRIES = 10;
const LANES = 4;
const ROUNDS = 3;
const agent = new Agent({ keepAlive: true, maxSockets: updates });

const folder = mkdtempSync(path.join(tmpdir(), 'cairn-bench-'));
const server = await startPostgres({ syncs: true });
const database = `postgres://${server.user}:${server.password}@${server.host}:${server.port}/postgres`;
const store = ['--store', database, '--blobs', `file://${folder}`];
const env = { ...process.env, CAIRN_SERVE_MASTER_KEY: randomBytes(32).toString('base64') };
const cairn = path.resolve(import.meta.dirname, '../../packages/edges/cli/bin/cairn.cjs');
const service = spawn(process.execPath, [cairn, 'serve', ...store, '--listen', '127.0.0.1:0'], {
  env,
  stdio: ['ignore', 'pipe', 'ignore'],
});
try {
  const url = await firstLine(service);
  const token = await firstLine(
    spawn(process.execPath, [cairn, 'serve', 'token', 'new', 'bench', ...store], { env }),
  );
  const holders = [];
  for (let stack = 0; stack < updates; stack += 1)
    holders.push(await startUpdate(url, `s${stack}`, `token ${token}`, agent));
  const opened = { now: () => new Date(), version: 'v0.0.0' };
  const alone = await openPostgresStore({ database, blobs: `file://${folder}` }, opened, {});
  const rates = { bare: [], store: [], service: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.bare.push(await rate(() => bareRound(round)));
    rates.store.push(await rate(() => storeRound(alone, holders, ROUNDS + round)));
    rates.service.push(await rate(() => serviceRound(url, holders, round)));
  }
  for (const [name, found] of Object.entries(rates)) console.log(name, found.map(Math.round).join(' '));
  await alone.close();
  for (const name of ['store', 'service'])
    console.log(`bare / ${name}`, (median(rates.bare) / median(rates[name])).toFixed(2));
} finally {
  service.kill('SIGKILL');
  agent.destroy();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a round and returns its batches a second. */
async function rate(round) {
  const start = performance.now();
  await round();
  return (updates * batches * 1000) / (performance.now() - start);
}

function entryText(sequence) {
  const urn = `urn:pulumi:dev::shop::test:index:Thing::r${sequence}`;
  const state = { urn, custom: false, type: 'test:index:Thing', outputs: { text: 'x'.repeat(800) } };
  return JSON.stringify({
    ...{ version: 1, kind: 1, sequenceID: sequence, operationID: sequence },
    ...{ removeOld: null, removeNew: null, state },
  });
}

function batchOf(round, batch) {
  const first = (round * batches + batch) * ENTRIES + 1;
  return Array.from({ length: ENTRIES }, (_each, index) => entryText(first + index));
}

async function serviceRound(url, holders, round) {
  await Promise.all(
    holders.map(async ({ route, holder }) => {
      const sender = await openSender(url);
      for (let batch = 0; batch < batches; batch += 1)
        await sender.send(`${route}/journalentries`, holder, `{"entries":[${batchOf(round, batch)}]}`);
      sender.close();
    }),
  );
}

/** Stores batches without HTTP: reading, the rules and the rows. */
async function storeRound(store, holders, round) {
  await Promise.all(
    holders.map(async ({ stack, id }) => {
      const update = { stack: { project: 'shop', stack }, id };
      for (let batch = 0; batch < batches; batch += 1)
        await store.appendEntries(update, ({ record }) => record, {
          entries: textItems(`[${batchOf(round, batch)}]`, 'here'),
          records: [],
        });
    }),
  );
}

/** Stores the rows of a round: those that wait at the same moment go into one statement. */
async function bareRound(round) {
  const pool = new pg.Pool({ connectionString: database, max: LANES });
  await pool.query('create table if not exists bare (id int, seq bigint, entry text, primary key (id, seq))');
  let waiting = [];
  let busy = 0;
  const next = () => {
    while (busy < LANES && waiting.length > 0) {
      const group = waiting;
      waiting = [];
      busy += 1;
      const rows = group.flatMap(({ rows }) => rows);
      pool
        .query('insert into bare select * from unnest($1::int[], $2::bigint[], $3::text[])', [
          ...[rows.map(({ id }) => id), rows.map(({ seq }) => seq), rows.map(({ text }) => text)],
        ])
        .then(() => {
          busy -= 1;
          for (const { resolve } of group) resolve();
          next();
        });
    }
  };
  await Promise.all(
    Array.from({ length: updates }, async (_each, id) => {
      for (let batch = 0; batch < batches; batch += 1) {
        const first = (round * batches + batch) * ENTRIES + 1;
        const rows = batchOf(round, batch).map((text, index) => ({ id, seq: first + index, text }));
        await new Promise((resolve) => {
          waiting.push({ rows, resolve });
          next();
        });
      }
    }),
  );
  await pool.end();
}
