import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import { marked, send } from '../kills/processes.js';
import { sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { randomFrom } from '../support/random.js';
import { newToken, startServe } from '../support/served.js';

/**
 * Weeks of agents in minutes: three agents of a service over PostgreSQL update many stacks while agents and operations
 * are killed, and the database once. A provider counts its objects: each create that was asked for leaves one.
 * `CAIRN_WEEKS_STACKS`, `_SECONDS` and `_SEED` have larger ones.
 */
jest.setTimeout(7_200_000);

const STACKS = Number(process.env['CAIRN_WEEKS_STACKS'] ?? 3);
const SECONDS = Number(process.env['CAIRN_WEEKS_SECONDS'] ?? 1);
const SEED = Number(process.env['CAIRN_WEEKS_SEED'] ?? 1);
const AGENTS = ['one', 'two', 'three'];
const NAMES = ['a', 'b', 'c'];
/** Longest time between two kills, in milliseconds. A takeover takes 30 seconds, so most runs meet one kill or more. */
const KILL_MS = Number(process.env['CAIRN_WEEKS_KILL_MS'] ?? 8_000);

/** Time until a look that a busy service did not answer is made again, in milliseconds. */
const BUSY_MS = 1_000;

/** Every object is a file. Its name has the token of its create, so that two creates of one object are two files. */
const THINGS = `
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { dynamicProvider, dynamicResource } from '@cairn/sdk';
const at = (folder: string, id: string): string => path.join(process.env.WORLD!, folder, id);
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
export const things = dynamicProvider<{ stack: string; version: number }, Record<string, never>>({
  idempotencyToken: true,
  replaceOnChange: ['version'],
  async create({ stack, version }, { name, token }) {
    const id = [stack, name, version, token].join('@');
    await soon();
    if (!existsSync(at('gone', id))) writeFileSync(at('objects', id), '');
    await soon();
    return { id, outputs: {} };
  },
  read: (id, known) => (existsSync(at('objects', id)) ? { id, inputs: known!.inputs, outputs: {} } : undefined),
  async delete({ id }) {
    await soon();
    if (existsSync(at('objects', id))) renameSync(at('objects', id), at('gone', id));
  },
});
export class Thing extends dynamicResource('Thing', things) {}
`;
const PROGRAM = `
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getStack } from '@cairn/sdk';
import { Thing } from './things.js';
const stack = getStack();
const version = Number(readFileSync(path.join(process.env.WORLD!, 'wanted'), 'utf8'));
let dependsOn: Thing[] = [];
for (const name of ${JSON.stringify(NAMES)}) dependsOn = [new Thing(name, { stack, version }, { dependsOn })];
`;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Service over PostgreSQL with its stacks. Their programs are in a folder of this machine. */
async function world() {
  const box = sandbox({ 'index.ts': PROGRAM, 'things.ts': THINGS });
  ends.push(() => box.remove());
  const world = path.join(box.home, 'world');
  for (const folder of ['objects', 'gone', '../blobs'])
    mkdirSync(path.join(world, folder), { recursive: true });
  const server = await startPostgres();
  ends.push(() => server.close());
  const store = {
    words: [
      ...['--store', `postgres://${server.user}@${server.host}:${server.port}/postgres`],
      ...['--blobs', `file://${path.join(box.home, 'blobs')}`],
    ],
    env: { PGPASSWORD: server.password },
  };
  const { running, url } = await startServe(box, store);
  ends.push(() => running.process.kill('SIGKILL'));
  const token = await newToken(box, store);
  const call = async (method: string, route: string, body?: object): Promise<unknown> => {
    const ask = (): Promise<Response> =>
      fetch(`${url}/api/stacks/organization/shop${route}`, {
        method,
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    let answer = await ask();
    // A busy service says so. A look can be made again.
    for (; method === 'GET' && answer.status === 503; answer = await ask()) await pass(BUSY_MS);
    expect([route, answer.status]).toEqual([route, 200]);
    return answer.json();
  };
  const given = ['CAIRN_CODE_CACHE', 'GIT_CEILING_DIRECTORIES'].map((name) => [name, box.env[name]]);
  const stacks = Array.from({ length: STACKS }, (_, at) => `s${at}`);
  for (const stackName of stacks) {
    await call('POST', '', { stackName });
    await call('POST', `/${stackName}/deployments/settings`, {
      operationContext: { environmentVariables: { ...Object.fromEntries(given), WORLD: world } as object },
      cairn: { source: { directory: box.directory } },
    });
  }
  const client = { CAIRN_BACKEND_URL: url, CAIRN_ACCESS_TOKEN: token };
  return { box, world, call, stacks, url, client, server };
}

type World = Awaited<ReturnType<typeof world>>;

/** Agents that are killed and started again, until they are stopped. */
class Fleet {
  kills = 0;
  readonly #world: World;
  readonly #random = randomFrom(SEED);
  readonly #agents = new Map<string, Running>();
  #isOver = false;

  constructor(world: World) {
    this.#world = world;
    for (const name of AGENTS) this.#start(name);
  }

  /** Kills an agent or an operation now and then. */
  async trouble(): Promise<void> {
    while (!this.#isOver) {
      await pass(this.#random.below(KILL_MS));
      if (this.#isOver) return;
      const operations = marked(this.#world.box.home).filter(({ line }) => line.includes(' --message '));
      if (operations.length > 0 && this.#random.below(2) === 0)
        send(this.#random.pick(operations).pid, 'SIGKILL');
      else await this.#restart(this.#random.pick(AGENTS));
      this.kills += 1;
    }
  }

  /** Ends the trouble. What runs then ends undisturbed. */
  rest(): void {
    this.#isOver = true;
  }

  async stop(): Promise<void> {
    for (const { process: agent } of this.#agents.values()) agent.kill('SIGTERM');
    await Promise.all([...this.#agents.values()].map(({ finished }) => finished));
  }

  async #restart(name: string): Promise<void> {
    const agent = this.#agents.get(name) as Running;
    agent.process.kill('SIGKILL');
    await agent.finished;
    this.#start(name);
  }

  #start(name: string): void {
    const { box, url, client } = this.#world;
    const words = ['agent', '--service', url, '--name', name, '--local-sources', '--places', '4'];
    const agent = box.start([...words, '--state', path.join(box.home, `agent-${name}`)], { env: client });
    ends.push(() => agent.process.kill('SIGKILL'));
    this.#agents.set(name, agent);
  }
}

/**
 * Asks for an update of every stack to a version. `begun` is called when all are asked for. Resolves with the statuses
 * of the ends. It looks at one stack at a time: looks at a hundred at once would keep the service from its work.
 */
async function round(
  { world, call, stacks }: World,
  version: number,
  begun: () => Promise<void>,
): Promise<readonly unknown[]> {
  writeFileSync(path.join(world, 'wanted'), String(version));
  const routes: string[] = [];
  for (const stack of stacks) {
    const { id } = (await call('POST', `/${stack}/deployments`, { operation: 'update' })) as { id: string };
    routes.push(`/${stack}/deployments/${id}`);
  }
  await begun();
  const ended: unknown[] = [];
  for (const route of routes) ended.push(await endOf(call, route));
  return ended;
}

/** Waits for the end of a run, or until it is held. Resolves with its status and the reason. */
async function endOf(call: World['call'], route: string): Promise<readonly [string, string]> {
  for (;;) {
    const { status, cairn } = (await call('GET', route)) as { status: string; cairn: { run: Run } };
    if (status !== 'running' && status !== 'not-started') return [status, cairn.run.why.join('; ')];
    if (cairn.run.status === 'held') return ['held', cairn.run.why.join('; ')];
    await pass(500);
  }
}

interface Run {
  readonly status: string;
  readonly why: readonly string[];
}

/** Returns the objects that there are, and those that have been deleted, without the tokens of their creates. */
function objectsOf({ world }: World): {
  readonly there: readonly string[];
  readonly ever: readonly string[];
} {
  const [there = [], gone = []] = ['objects', 'gone'].map((folder) =>
    readdirSync(path.join(world, folder)).map((id) => id.slice(0, id.lastIndexOf('@'))),
  );
  return { there: [...there].sort(), ever: [...there, ...gone].sort() };
}

const why = whyNoPostgres() ?? (process.platform === 'linux' ? undefined : 'it finds processes by /proc');
(why === undefined ? test : test.skip)(
  `agents and their database are killed while they work, and every effect happens once${why === undefined ? '' : ` (skipped: ${why})`}`,
  async () => {
    const all = await world();
    const fleet = new Fleet(all);
    const trouble = fleet.trouble();
    ends.push(async () => {
      fleet.rest();
      await trouble;
    });
    const end = performance.now() + SECONDS * 1000;
    /** The database dies once, when the first operation has had an effect. */
    const crash = async (): Promise<void> => {
      while (objectsOf(all).ever.length === 0) await pass(50);
      await all.server.crash();
    };
    let version = 0;
    do {
      version += 1;
      const ended = await round(all, version, version === 1 ? crash : () => Promise.resolve());
      expect(ended.filter((each) => !JSON.stringify(each).startsWith('["succeeded"'))).toEqual([]);
      const expected = (of: number): string[] =>
        all.stacks.flatMap((stack) => NAMES.map((name) => `${stack}@${name}@${of}`));
      const { there, ever } = objectsOf(all);
      expect(there).toEqual(expected(version).sort());
      const versions = Array.from({ length: version }, (_, at) => at + 1);
      expect(ever).toEqual(versions.flatMap(expected).sort());
    } while (performance.now() < end);
    fleet.rest();
    await trouble;
    expect(fleet.kills).toBeGreaterThan(0);
    for (const stack of all.stacks) {
      const { deployment } = (await all.call('GET', `/${stack}/export`)) as { deployment: State };
      const { resources, pending_operations: pending } = deployment;
      expect([stack, resources.filter(({ type }) => type.endsWith(':Thing')).length, pending ?? []]).toEqual([
        ...[stack, NAMES.length, []],
      ]);
    }
    await fleet.stop();
    expect(orphansOf(all.box)).toEqual([]);
    console.info(`weeks: ${STACKS} stacks, ${version} updates of each, ${fleet.kills} kills`);
  },
);

interface State {
  readonly resources: readonly { readonly type: string }[];
  readonly pending_operations?: readonly unknown[];
}

/** Returns the processes of runs that outlived every agent. */
function orphansOf({ home }: Sandbox): readonly string[] {
  return marked(path.join(home, 'agent-')).map(({ pid, line }) => {
    const parent = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return `${pid} of ${parent ?? '?'}: ${line}`;
  });
}
