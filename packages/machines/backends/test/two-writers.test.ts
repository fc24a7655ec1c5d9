import type * as Zlib from 'node:zlib';
import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { isCairnError } from '@cairn/diagnostics';
import { checkIntegrity } from '@cairn/state';
import { backendForStore } from '../src/index.js';
import { getJournalFile } from '../src/bucket/journal/journal-files.js';
import { listJournals } from '../src/bucket/journal/journals.js';
import { layout } from '../src/bucket/layout.js';
import { ChangeRecorder, effect } from './operations.js';
import { Simulation, randomOf } from './simulated-hosts.js';
import type { SimulatedHost } from './simulated-hosts.js';
import { DEV, START, keysOf, lease, newStack, portsOf, urnOf } from './world.js';

/**
 * Compression in this thread. The simulation's time passes when no machine works, and it cannot see work in other
 * threads: on a busy machine a lease would run out while its holder compresses.
 */
jest.mock('node:zlib', () => {
  const zlib = jest.requireActual<typeof Zlib>('node:zlib');
  type Done = (error: Error | null, result: Buffer) => void;
  const atOnce =
    (run: (bytes: Uint8Array, options?: Zlib.ZlibOptions) => Buffer) =>
    (bytes: Uint8Array, ...rest: readonly [Done] | readonly [Zlib.ZlibOptions, Done]): void => {
      const [options, done] = rest.length === 1 ? [undefined, rest[0]] : rest;
      const result = run(bytes, options);
      queueMicrotask(() => done(null, result));
    };
  return { ...zlib, gzip: atOnce(zlib.gzipSync), gunzip: atOnce(zlib.gunzipSync) };
});

/** Number of random runs. CAIRN_SIMULATIONS=1000 makes many; CAIRN_SEED begins with the one that failed. */
const RUNS = Number(process.env['CAIRN_SIMULATIONS'] ?? 12);
const SEED = Number(process.env['CAIRN_SEED'] ?? 500_000);

const MOST_STEPS = 5000;
/** Steps after which a run hangs, and real time in which nothing happens in one that hangs, in milliseconds. */
const HUNG_STEPS = 500_000;
const HUNG_MS = 60_000;

/** Reports of the writers of one run. */
interface Told {
  /** Steps whose end was durable, and whose begin was. */
  readonly ended: string[];
  readonly begun: string[];
  /** Steps that began though the lock of their writer was not there. */
  readonly unlocked: string[];
  readonly finished: string[];
  readonly failures: Set<string>;
}

/** Runs a writer with some operations, each of some steps. It treats refusals as people do: it tries again. */
async function write(inner: BlobStore, host: SimulatedHost, random: () => number, told: Told): Promise<void> {
  for (let operation = 1; operation <= 3; operation += 1) {
    try {
      const env = random() < 0.5 ? {} : { CAIRN_CHECKPOINT: 'each-step' };
      const ports = portsOf({ pid: 50, dead: new Set(), hostname: host.name }, env);
      const id = ports.newId();
      const own = { ...ports, newId: () => id, timer: host.timer };
      const held = await lease(await backendForStore(host.store, own));
      try {
        const log = await held.begin(START);
        const recorder = new ChangeRecorder();
        const steps: string[] = [];
        let sent = 0;
        const flush = (): Promise<void> => {
          const records = recorder.records.slice(sent);
          sent = recorder.records.length;
          return log.store.append(records);
        };
        for (let step = 1 + Math.floor(random() * 3); step > 0; step -= 1) {
          const name = `${host.name}-${operation}-${step}`;
          const task = recorder.begins(effect(name));
          await flush();
          told.begun.push(name);
          if ((await inner.get(layout.lock(DEV, id))) === undefined) told.unlocked.push(name);
          const state = { kind: 'success', operationId: Number(task), state: effect(name) } as const;
          recorder.ends(task, 'done', state);
          await flush();
          told.ended.push(name);
          steps.push(name);
        }
        await log.finish({ result: 'succeeded', resourceChanges: {} });
        told.finished.push(...steps);
      } finally {
        await held.release();
      }
    } catch (thrown) {
      if (!isCairnError(thrown)) throw thrown;
      told.failures.add(thrown.diagnostics[0]?.code ?? '');
    }
  }
}

/**
 * Makes one random run: writers over one store, pauses of any length between any two calls of the store, and deaths.
 */
async function run(seed: number): Promise<Told> {
  const random = randomOf(seed);
  const { store } = await newStack(memoryBlobStore());
  const simulation = new Simulation(store, random);
  const told: Told = { ended: [], begun: [], unlocked: [], finished: [], failures: new Set() };
  const hosts = Array.from({ length: 2 + Math.floor(random() * 2) }, (_, index) =>
    simulation.host(`h${index + 1}`),
  );
  let faulty: unknown;
  const busy = new Set(hosts);
  for (const host of hosts)
    void write(store, host, random, told)
      .catch((thrown: unknown) => (faulty = thrown))
      .finally(() => busy.delete(host));
  const isOver = (): boolean => [...busy].every((host) => host.isDead());
  await play(simulation, isOver, (steps) => {
    // In the end every living machine comes to rest.
    if (steps > MOST_STEPS) return;
    const chance = random();
    const host = hosts[Math.floor(random() * hosts.length)]!;
    if (chance < 0.03) host.pause(random() < 0.5 ? 100_000 : 1000 + random() * 300_000);
    else if (chance < 0.031 && hosts.filter((each) => !each.isDead()).length > 1) host.kill();
  });
  if (faulty !== undefined) throw faulty;
  await expectWell(store, simulation, told);
  return told;
}

/** Lets one thing after another happen until all is over, and does something after each. Throws if the run hangs. */
async function play(
  simulation: Simulation,
  isOver: () => boolean,
  afterwards: (steps: number) => void = () => undefined,
): Promise<void> {
  let moved = performance.now();
  for (let steps = 0; !isOver(); steps += 1) {
    if (await simulation.step()) moved = performance.now();
    else if (performance.now() - moved > HUNG_MS) throw new Error(`nothing happens after ${steps} steps`);
    if (steps > HUNG_STEPS) throw new Error(`no end after ${steps} steps`);
    afterwards(steps);
  }
}

async function expectWell(store: BlobStore, simulation: Simulation, told: Told): Promise<void> {
  const last = simulation.host('last');
  const ports = { ...portsOf({ pid: 51, dead: new Set(), hostname: 'last' }), timer: last.timer };
  const finding = backendForStore(last.store, ports).then(lease);
  let over = false;
  const found = finding.finally(() => (over = true));
  found.catch(() => undefined);
  await play(simulation, () => over);
  const held = await found;
  const urns = new Set<string>(held.deployment.resources.map(({ urn }) => urn));
  const doubted = new Set<string>(held.deployment.pendingOperations.map(({ resource }) => resource.urn));
  expect(told.unlocked).toEqual([]);
  expect(told.ended.filter((name) => !urns.has(urnOf(name)))).toEqual([]);
  expect(told.finished.filter((name) => !urns.has(urnOf(name)))).toEqual([]);
  expect(told.begun.filter((name) => !urns.has(urnOf(name)) && !doubted.has(urnOf(name)))).toEqual([]);
  expect(checkIntegrity(held.deployment, 'read').failure).toBeUndefined();
  await expectOneLineage(store);
  const releasing = held.release();
  over = false;
  void releasing.finally(() => (over = true));
  await play(simulation, () => over);
}

/** Expects that every operation that stored a state began from the state that the one before it had stored. */
async function expectOneLineage(store: BlobStore): Promise<void> {
  let before: string | undefined;
  for (const { change, files } of await listJournals(store, DEV)) {
    const directory = layout.journalOf(DEV, change);
    const [operation, fold, sealed] = await Promise.all([
      getJournalFile(store, directory, 'operation'),
      getJournalFile(store, directory, 'fold'),
      getJournalFile(store, directory, 'sealed'),
    ]);
    expect({ change, files: [...files], sealed: sealed !== undefined }).toMatchObject({
      change,
      sealed: true,
    });
    if (fold === undefined || sealed?.result === 'nothing') continue;
    expect({ change, base: operation?.base }).toEqual({ change, base: before ?? operation?.base });
    expect(fold.base).toBe(operation?.base);
    before = sealed?.checkpoint;
  }
  const history = await keysOf(store, layout.historyOf(DEV));
  expect(new Set(history).size).toBe(history.length);
}

test(
  `writers that are paused, cut off and taken over at any call of the store (seed ${SEED})`,
  async () => {
    const failures = new Set<string>();
    let finished = 0;
    for (let index = 0; index < RUNS; index += 1) {
      const seed = SEED + index;
      const told = await run(seed).catch((thrown: unknown) => {
        throw new Error(`seed ${seed}`, { cause: thrown });
      });
      for (const code of told.failures) failures.add(code);
      finished += told.finished.length;
    }
    expect(finished).toBeGreaterThan(RUNS);
    expect([...failures]).toContain('CAIRN-LEASE-LOST');
  },
  20_000 + RUNS * 2_000,
);
