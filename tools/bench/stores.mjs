// node tools/bench/stores.mjs [--sizes 100,1000,10000] [--latency 20] [--runs 3] [--only steps,latency,journal,pace]
// Cost of a store: bytes and requests of an operation by size, an update on a bucket whose every answer is late against
// the file store, journal writing against a plain loop of append and fdatasync, and a checkpoint that follows an
// operation at a pace against one that is written once, at the end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  fdatasyncSync,
  closeSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writevSync,
} from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { openBlobStore } from '../../packages/boundary/blobs/dist/index.js';
import { root } from '../setup.mjs';
import { bytesBelow, measure, median } from './measure.mjs';
import { cairnProgram } from './programs.mjs';
import { toolOptions } from '../tool-options.mjs';

const { values, number } = toolOptions(import.meta.url, {
  options: {
    sizes: { type: 'string', default: '100,1000,10000' },
    latency: { type: 'string', default: '20' },
    runs: { type: 'string', default: '3' },
    only: { type: 'string', default: 'steps,latency,journal,pace' },
    traffic: { type: 'boolean', default: false },
  },
});
const runs = number('runs');
const latency = number('latency');
const only = new Set(values.only.split(','));
const cairn = path.join(root, 'packages', 'edges', 'cli', 'bin', 'cairn.cjs');
const UP = ['up', '--yes', '--skip-preview', '--parallel', '64'];

const work = mkdtempSync(path.join(root, 'e2e', '.bench-'));
try {
  if (only.has('steps')) await steps(values.sizes.split(',').map(Number));
  if (only.has('latency')) await late(latency);
  if (only.has('journal')) await journal();
  if (only.has('pace')) await pace(values.sizes.split(',').map(Number));
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Bytes that are written for a step, by the size of the stack: an update of one resource, and the first one of all. */
async function steps(sizes) {
  const rows = [];
  for (const n of sizes) {
    const files = project('file', n);
    await go(files, ['stack', 'init', 'dev']);
    const first = await go(files, UP);
    const perStep = bytesBelow(path.join(files.state, '.pulumi', 'journals')) / n;
    rows.push(['file', n, seconds(first), '', round(perStep), '']);
    rmSync(files.directory, { recursive: true, force: true });
    const server = await s3Server(0);
    const bucket = project('s3', n, server);
    await go(bucket, ['stack', 'init', 'dev']);
    const before = await server.traffic();
    const up = await go(bucket, UP);
    const after = await server.traffic();
    const requests = after.requests - before.requests;
    rows.push([
      'S3',
      n,
      seconds(up),
      requests,
      round((after.partBytes - before.partBytes) / n),
      after.parts - before.parts,
    ]);
    rmSync(bucket.directory, { recursive: true, force: true });
    await server.stop();
  }
  table(['store', 'resources', 'up s', 'requests', 'journal bytes a resource', 'journal objects'], rows);
}

/** An update of 1,000 resources on a bucket far away, and on the file store. */
async function late(latency) {
  const n = 1000;
  const times = { file: [], s3: [] };
  let requests = 0;
  for (let run = 0; run < runs; run += 1) {
    const files = project('file', n);
    await go(files, ['stack', 'init', 'dev']);
    times.file.push((await go(files, UP)).seconds);
    rmSync(files.directory, { recursive: true, force: true });
    const server = await s3Server(latency);
    const bucket = project('s3', n, server);
    await go(bucket, ['stack', 'init', 'dev']);
    const before = await server.traffic();
    times.s3.push((await go(bucket, UP)).seconds);
    const after = await server.traffic();
    requests = after.requests - before.requests;
    if (values.traffic) console.log(after.byKind);
    rmSync(bucket.directory, { recursive: true, force: true });
    await server.stop();
  }
  const ratio = median(times.s3) / median(times.file);
  table(
    [`up of ${n} resources`, 'median s', 'requests'],
    [
      ['file store', median(times.file).toFixed(2), ''],
      [`S3, ${latency} ms late`, median(times.s3).toFixed(2), requests],
    ],
  );
  console.log(`S3 / file: ${ratio.toFixed(2)} (aim: at most 3)\n`);
}

/** The first update and the change of one resource: the checkpoint at its pace against one at the end, in turns. */
async function pace(sizes) {
  const rows = [];
  for (const n of sizes)
    for (const store of ['file', 'S3']) {
      const measured = { paced: { first: [], one: [] }, end: { first: [], one: [] } };
      for (let run = 0; run < runs; run += 1)
        for (const mode of run % 2 === 0 ? ['paced', 'end'] : ['end', 'paced']) {
          const server = store === 'S3' ? await s3Server(0) : undefined;
          const where = project(mode, n, server);
          if (mode === 'end') where.env.CAIRN_CHECKPOINT = 'end';
          await go(where, ['stack', 'init', 'dev']);
          measured[mode].first.push(await go(where, UP));
          where.env.BENCH_CHANGED = String(n - 1);
          measured[mode].one.push(await go(where, UP));
          rmSync(where.directory, { recursive: true, force: true });
          await server?.stop();
        }
      for (const what of ['first', 'one']) {
        const of = (mode, key) => median(measured[mode][what].map((result) => result[key]));
        rows.push([
          store,
          n,
          what === 'first' ? 'first `up`' : '`up` that changes one',
          ...['seconds', 'cpuSeconds'].flatMap((key) => [
            of('paced', key).toFixed(2),
            of('end', key).toFixed(2),
            (of('paced', key) / of('end', key)).toFixed(2),
          ]),
        ]);
      }
    }
  table(
    [
      'store',
      'resources',
      'operation',
      'paced s',
      'at the end s',
      'ratio',
      'paced processor s',
      'at the end processor s',
      'ratio',
    ],
    rows,
  );
}

/** The same records in the same groups: through the store's segment, and with nothing around the system calls. */
async function journal() {
  const record = Buffer.alloc(700, 'r');
  const rows = [];
  for (const group of [1, 8, 64]) {
    const groups = 2000 / Math.sqrt(group);
    const ours = [];
    const plain = [];
    for (let run = 0; run < Math.max(3, runs); run += 1) {
      ours.push(await throughSegment(record, group, groups));
      plain.push(plainLoop(record, group, groups));
    }
    const ratio = median(ours) / median(plain);
    rows.push([
      group,
      Math.round(groups),
      median(ours).toFixed(3),
      median(plain).toFixed(3),
      ratio.toFixed(2),
    ]);
  }
  table(['records a group', 'groups', 'segment s', 'append + fdatasync s', 'ratio (aim: at most 1.5)'], rows);
}

async function throughSegment(record, group, groups) {
  const folder = mkdtempSync(path.join(work, 'segment-'));
  const store = await openBlobStore(pathToFileURL(folder).href);
  const { segment } = await store.openSegment('journal.log', { create: 'exclusive' });
  const start = performance.now();
  for (let at = 0; at < groups; at += 1)
    await Promise.all(Array.from({ length: group }, () => segment.append(record)));
  const took = (performance.now() - start) / 1000;
  await segment.close();
  await store.close();
  return took;
}

function plainLoop(record, group, groups) {
  const file = openSync(path.join(mkdtempSync(path.join(work, 'plain-')), 'journal.log'), 'ax');
  const records = Array.from({ length: group }, () => record);
  const start = performance.now();
  for (let at = 0; at < groups; at += 1) {
    writevSync(file, records);
    fdatasyncSync(file);
  }
  const took = (performance.now() - start) / 1000;
  closeSync(file);
  return took;
}

function project(name, n, server) {
  const directory = mkdtempSync(path.join(work, `${name}-`));
  const state = path.join(directory, '.state');
  mkdirSync(path.join(directory, 'node_modules'), { recursive: true });
  mkdirSync(state);
  const dependencies = { '@cairn/sdk': '*', 'cairn-bench-provider': '*' };
  writeFileSync(path.join(directory, 'Cairn.yaml'), 'name: bench\nruntime: nodejs\nmain: index.ts\n');
  writeFileSync(
    path.join(directory, 'package.json'),
    JSON.stringify({ name: 'bench', private: true, type: 'module', dependencies }),
  );
  writeFileSync(path.join(directory, 'index.ts'), cairnProgram);
  symlinkSync(
    path.join(root, 'tools', 'bench', 'provider'),
    path.join(directory, 'node_modules', 'cairn-bench-provider'),
  );
  const env = {
    ...process.env,
    ...server?.env,
    CI: 'true',
    NO_COLOR: '1',
    BENCH_N: String(n),
    CAIRN_HOME: path.join(directory, '.home'),
    CAIRN_BACKEND_URL: server?.bucketUrl ?? pathToFileURL(state).href,
    CAIRN_CONFIG_PASSPHRASE: 'bench',
  };
  return { directory, state, env, cwd: directory };
}

function go(where, words) {
  return measure(process.execPath, [cairn, ...words, '--cwd', where.directory], where);
}

/** The test kit's server in a process of its own. */
async function s3Server(latency) {
  const program = path.join(root, 'tools', 'servers', 's3.mjs');
  const child = spawn(process.execPath, [program, '--latency', String(latency)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const told = async () => JSON.parse((await lines.next()).value);
  const { env, bucketUrl } = await told();
  return {
    env,
    bucketUrl,
    traffic: async () => {
      child.stdin.write('{"requests":true}\n');
      return told();
    },
    stop: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows];
  console.log(`${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`);
}

function seconds(result) {
  return result.seconds.toFixed(2);
}

function round(value) {
  return Math.round(value);
}
