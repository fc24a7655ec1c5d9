import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Postgres } from '@cairn/testkit/servers';
import type { RunningService, ServiceStore } from '@cairn/state-server';

/** Kind of store of the services. `three`: three of them over PostgreSQL, which requests reach in turn. */
export type ServiceKind = 'bucket' | 'postgres' | 'three';

/** Connections to PostgreSQL. Each service has up to 14, and some files keep their boxes until their end. */
const MOST_CONNECTIONS = 1000;

/** Token that every service of a front accepts. */
export const FRONT_TOKEN = 'cairn-end-to-end-tests';

/**
 * State services for the boxes of a test file, at one address: the first segment of a path is the number of a box. A
 * service starts with the first request for it, and ends with its box: each looks for lapsed updates every few seconds.
 * A service over a bucket keeps the folder of the box, so that tests find there what they look for.
 */
export class ServiceFront {
  readonly #kind: ServiceKind;
  readonly #folders: string[] = [];
  readonly #services = new Map<number, Promise<readonly RunningService[]>>();
  readonly #ends = new Map<number, Promise<unknown>>();
  readonly #taken = new Set<string>();
  #turn = 0;
  #server: Server | undefined;
  #postgres: Promise<Postgres> | undefined;

  constructor(kind: ServiceKind) {
    this.#kind = kind;
  }

  async start(): Promise<void> {
    const server = createServer(
      (incoming, outgoing) => void this.#pass(incoming, outgoing).catch(() => outgoing.destroy()),
    );
    this.#server = server;
    // As that of a service: a client that is slow finds its connection open.
    server.keepAliveTimeout = 65_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }

  /** Returns the address of the service of a folder. */
  add(folder: string): string {
    const { port } = this.#server?.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${this.#folders.push(folder) - 1}/state`;
  }

  /** Ends the services of a folder, whose box is removed. Later requests find no service. */
  remove(folder: string): void {
    this.#stop(this.#folders.indexOf(folder));
  }

  #stop(box: number): void {
    if (this.#ends.has(box)) return;
    const stopped = (this.#services.get(box) ?? Promise.resolve([])).then((services) =>
      Promise.all(services.map((service) => service.stop())),
    );
    // A failure is that of `end`.
    stopped.catch(() => undefined);
    this.#ends.set(box, stopped);
  }

  async end(): Promise<void> {
    for (const box of this.#services.keys()) this.#stop(box);
    await Promise.all(this.#ends.values());
    this.#server?.closeAllConnections();
    this.#server?.close();
    await (await this.#postgres)?.close();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const [, box = '', route = ''] = /^\/(\d+)\/state(.*)$/.exec(incoming.url ?? '') ?? [];
    const started = this.#services.get(Number(box)) ?? this.#open(Number(box));
    this.#services.set(Number(box), started);
    const services = await started;
    if (this.#kind !== 'bucket')
      await this.#takeFiles(services[0]?.url ?? '', this.#folders[Number(box)] ?? '');
    const { url } = services[(this.#turn += 1) % services.length] as RunningService;
    const { method, headers } = incoming;
    const passed = request(url + route, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  }

  async #open(box: number): Promise<readonly RunningService[]> {
    if (this.#kind !== 'bucket') await this.#createDatabase(box);
    const count = this.#kind === 'three' ? 3 : 1;
    const services: RunningService[] = [];
    while (services.length < count) services.push(await startOver(await this.#store(box)));
    return services;
  }

  /** Makes the stacks whose files a test has written into the folder of its box since the last request. */
  async #takeFiles(url: string, folder: string): Promise<void> {
    for (const file of stackFilesIn(folder)) {
      if (this.#taken.has(file)) continue;
      this.#taken.add(file);
      await takeFile(url, file);
    }
  }

  async #createDatabase(box: number): Promise<void> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: `${await this.#databases()}postgres` });
    await client.connect();
    await client.query(`create database box${box}`);
    await client.end();
  }

  /** Returns the address of databases, without a name. */
  async #databases(): Promise<string> {
    const { startPostgres } = await import('@cairn/testkit/servers');
    const { host, port, user, password } = await (this.#postgres ??= startPostgres({
      connections: MOST_CONNECTIONS,
    }));
    return `postgres://${user}:${password}@${host}:${port}/`;
  }

  async #store(box: number): Promise<ServiceStore> {
    const { openBucketStore, openPostgresStore } = await import('@cairn/state-server');
    const folder = `file://${this.#folders[box] ?? ''}`;
    const now = (): Date => new Date();
    if (this.#kind === 'bucket') {
      const process = { pid: 1, username: 'service', hostname: 'service', isAlive: () => true };
      const ports = { env: {}, now, newId: randomUUID, version: 'v0.1.0', argv: ['serve'], process };
      return openBucketStore(folder, ports, {}, () => performance.now());
    }
    const database = `${await this.#databases()}box${box}`;
    return openPostgresStore({ database, blobs: folder }, { now, version: 'v0.1.0' }, {});
  }
}

/** Starts a service over a store. */
async function startOver(store: ServiceStore): Promise<RunningService> {
  const { masterKeyOf, serviceLog, stackKeys, startService } = await import('@cairn/state-server');
  const keys = stackKeys(masterKeyOf('07'.repeat(32), 'the tests', {}));
  const ports = { store, keys, version: 'v0.1.0', newId: randomUUID };
  const clocks = { now: () => new Date(), monotonic: () => performance.now() };
  await putToken(store);
  const log = serviceLog({
    write: (line) => void (line.includes('"level":50') && process.stderr.write(line)),
  });
  return startService({ ...ports, ...clocks }, { host: '127.0.0.1', port: 0 }, log);
}

/** Returns the files of stacks in the folder of a bucket. */
function stackFilesIn(folder: string): readonly string[] {
  const root = path.join(folder, '.pulumi', 'stacks');
  if (!existsSync(root)) return [];
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return files.filter((name) => name.endsWith('.json')).map((name) => path.join(root, name));
}

/** Makes the stack of a file. */
async function takeFile(url: string, file: string): Promise<void> {
  const { version, checkpoint } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly version: number;
    readonly checkpoint: { readonly latest: object };
  };
  const state = { version, deployment: checkpoint.latest };
  const { ok } = await fetch(`${url}/api/stacks/organization/${path.basename(path.dirname(file))}`, {
    method: 'POST',
    headers: { authorization: `token ${FRONT_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ stackName: path.basename(file, '.json'), state }),
  });
  if (!ok) throw new Error(`the service does not take ${file}`);
}

async function putToken(store: ServiceStore): Promise<void> {
  const hash = createHash('sha256').update(FRONT_TOKEN).digest('hex');
  await store.putToken({
    ...{ hash, kind: 'organization', organization: 'organization', user: 'tester', name: 'tests' },
    ...{ role: 'admin', createdAt: Math.floor(Date.now() / 1000) },
  });
}
