import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { serveStore } from '../support/served.js';
import type { ServedProcess } from '../support/served.js';

/** Clients that open connections and send nothing. */
const CLIENTS = 10_000;
/** Files that a process needs besides its connections. */
const OTHER_FILES = 500;
/** Connections that are opened at once. More would not fit into the queue of a socket that listens. */
const AT_ONCE = 100;
/** The most memory that an idle connection may take, in kB. */
const MEMORY_KB = 40;

let box: Sandbox;
let service: ServedProcess;
const sockets: Socket[] = [];
beforeAll(async () => {
  box = sandbox({});
  service = await serveStore(box, { words: ['--store', String(box.env['CAIRN_BACKEND_URL'])], env: {} });
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  service?.running.process.kill('SIGKILL');
  box.remove();
});

/** Returns the number of files that a process of this machine may open. */
function mostFiles(): number {
  const [, limit = 'unlimited'] =
    /^Max open files +\S+ +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
}

function memoryOf(pid: number | undefined): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

async function openConnection(): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
}

const linuxTest = process.platform === 'linux' ? test : test.skip;

linuxTest('a service with 10,000 open connections answers others, within its memory', async () => {
  const count = Math.min(CLIENTS, mostFiles() - OTHER_FILES);
  const { pid } = service.running.process;
  const before = memoryOf(pid);
  while (sockets.length < count)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, openConnection));
  const answer = await fetch(`${service.url}/api/user`, {
    headers: { authorization: `token ${service.client['CAIRN_ACCESS_TOKEN']}` },
  });
  expect([answer.status, ((await answer.json()) as { githubLogin: string }).githubLogin]).toEqual([
    200,
    'alice',
  ]);
  expect((memoryOf(pid) - before) / count).toBeLessThan(MEMORY_KB);
  for (const socket of sockets.splice(0)) socket.destroy();
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});
