import { execFile, execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';
/** Ends the server when the other end of its standard input closes, for whatever reason. */
const END_WITH_PARENT = '"$@" & server=$!; cat >/dev/null; kill -QUIT $server; wait $server';

/** A running PostgreSQL server with its own data folder, which is deleted with it. */
export interface Postgres {
  readonly host: string;
  readonly port: number;
  /** A superuser, and its password. */
  readonly user: string;
  readonly password: string;
  /** Its major version. */
  readonly version: number;
  /** Environment variables through which libpq and similar libraries find it. */
  readonly env: Readonly<Record<string, string>>;
  /** Kills the server as a crash does, and starts it again over the same data, on the same port. */
  crash(): Promise<void>;
  /** Ends every connection and the server, which also ends together with this process. */
  close(): Promise<void>;
}

/** Returns the reason why no server can be started here, or undefined if one can. */
export function whyNoPostgres(): string | undefined {
  if (process.platform === 'win32') return 'it is not tried on Windows';
  if (folderOfPrograms() === undefined)
    return 'initdb and postgres are not found: on Debian, apt-get install --no-install-recommends postgresql';
  if (process.getuid?.() === 0 && otherUser() === undefined)
    return 'PostgreSQL does not run as root, and there is no user postgres or nobody';
  return undefined;
}

/**
 * Starts one on a free port of the loopback address. As root it runs as another user. It writes without syncs, unless
 * the test is about what a crash leaves: `syncs`. `connections`: most connections at a time. Defaults to 100.
 */
export async function startPostgres({ syncs = false, connections = 100 } = {}): Promise<Postgres> {
  const why = whyNoPostgres();
  const programs = folderOfPrograms();
  if (why !== undefined || programs === undefined) throw new Error(`PostgreSQL cannot be started: ${why}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'postgres-'));
  const as = process.getuid?.() === 0 ? (otherUser() ?? {}) : {};
  if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid);
  const options = { ...as, cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' } };
  const [user, password] = ['cairn', 'test-password'];
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, password);
  const data = path.join(folder, 'data');
  const words = ['-D', data, '-U', user, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync'];
  try {
    await run(path.join(programs, 'initdb'), words, options);
    const port = await freePort();
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      fsync: syncs ? 'on' : 'off',
      max_connections: connections,
    };
    const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const command = [path.join(programs, 'postgres'), '-D', data, ...given];
    const start = async (): Promise<ChildProcess> => {
      const started = spawn('/bin/sh', ['-c', END_WITH_PARENT, 'sh', ...command], {
        ...options,
        stdio: ['pipe', 'ignore', 'pipe'],
      });
      await listening(started);
      return started;
    };
    let child = await start();
    const host = '127.0.0.1';
    const env = { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password };
    return {
      host,
      port,
      user,
      password,
      env,
      version: versionOf(programs),
      crash: async () => {
        await end(child);
        child = await start();
      },
      close: async () => {
        await end(child);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (thrown) {
    rmSync(folder, { recursive: true, force: true });
    throw thrown;
  }
}

/** Ends it without a checkpoint: the next start recovers from its log. */
async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  if (child.exitCode === null && child.signalCode === null) {
    child.stdin?.end();
    await ended;
  }
}

/** Resolves when it accepts connections. Fails with its output if it ends before. */
async function listening(child: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PostgreSQL has ended: ${said}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4096);
      if (said.includes('ready to accept connections')) resolve();
    });
  });
}

function folderOfPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    ...versions.map((version) => path.join(DEBIAN, version, 'bin')),
  ];
  return folders.find((one) => ['initdb', 'postgres'].every((name) => existsSync(path.join(one, name))));
}

function versionOf(programs: string): number {
  const text = execFileSync(path.join(programs, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/(\d+)/.exec(text)?.[1]);
}

function otherUser(): { uid?: number; gid?: number } | undefined {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string): number =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      continue;
    }
  }
  return undefined;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}
