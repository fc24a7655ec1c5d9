import fc from 'fast-check';
import type { ServiceStore } from '../src/index.js';
import { foldJournal } from '../src/domain/fold.js';
import { documentText } from '../src/store/document-bytes.js';
import type { StackStore } from '../src/store/service-store.js';
import { TestDatabases, postgresKind, run, why } from './postgres-kind.js';
import {
  MANIFEST,
  S,
  endServices,
  newFolder,
  resource,
  startTestService,
  startUpdate,
  storeTest,
  useStore,
} from './service.js';
import type { TestService } from './service.js';

afterEach(endServices);
const databases = new TestDatabases();
useStore(postgresKind(databases), why);

/** Runs of the property in CI. More are by hand. */
const RUNS = Number(process.env['CAIRN_FOLD_RUNS'] ?? 10);
jest.setTimeout(600_000);

const NOW = new Date('2030-01-01T00:00:00Z');
/** Time after which every lease has expired, in milliseconds. */
const LONG = 1_000_000;
const BASE = { manifest: MANIFEST, resources: [resource('old-0'), resource('old-1')] };

/** Returns a store that reports each read of a whole journal. */
function watched(store: ServiceStore, read: () => void): ServiceStore {
  const inner = <T extends StackStore>(each: T): T => ({
    ...each,
    journal: (record) => {
      read();
      return each.journal(record);
    },
  });
  return { ...inner(store), turn: (stacks, work) => store.turn(stacks, (each) => work(inner(each))) };
}

/** Services over one database. `replays` counts the journals that they read. */
async function cluster(count: number) {
  const folder = newFolder();
  const found = { replays: 0 };
  const start = (): Promise<TestService> =>
    startTestService(folder, {
      now: () => NOW,
      store: (store) => watched(store, () => void (found.replays += 1)),
    });
  const services: TestService[] = [];
  for (let each = 0; each < count; each += 1) services.push(await start());
  const at = (index: number): TestService => services[index % count] as TestService;
  return {
    ...{ found, at },
    restart: async (index: number) => {
      await at(index).stop();
      services[index % count] = await start();
    },
  };
}

type Cluster = Awaited<ReturnType<typeof cluster>>;

/** Makes a stack with the base, and starts an update of it at a service. */
async function begun({ at }: Cluster, stack: string, server: number) {
  await at(server).call('POST', '/api/stacks/organization/shop', { body: { stackName: stack } });
  const path = S.replace(/dev$/, stack);
  const body = { version: 3, deployment: BASE };
  expect((await at(server).call('POST', `${path}/import`, { body })).status).toBe(200);
  const { route, auth } = await startUpdate(at(server), { stack });
  return {
    send: async (to: number, entries: readonly object[]) => {
      const sent = await at(to).call('PATCH', `${route}/journalentries`, { auth, body: { entries } });
      expect(sent).toMatchObject({ status: 200 });
    },
    exported: async (from: number) => (await at(from).call('GET', `${path}/export`)).text,
    end: async (to: number, how: 'complete' | 'cancel' | 'lapse') => {
      if (how === 'lapse') {
        await at(to).pass(LONG);
        return at(to).service.sweep();
      }
      const more = how === 'cancel' ? {} : { auth, body: { status: 'succeeded' } };
      expect((await at(to).call('POST', `${route}/${how}`, more)).status).toBe(200);
    },
  };
}

/** Returns the state that the entries demand. */
function demanded(entries: readonly object[]): string {
  const base = { version: 3, features: undefined, deployment: JSON.stringify(BASE) };
  const texts = entries.map((entry) => JSON.stringify(entry));
  return documentText(foldJournal(base, texts, { now: NOW, version: 'v0.1.0' }));
}

const KINDS = ['create', 'update', 'fail', 'pend'] as const;

/** Returns the entries of steps in their order, with every sequence id from 1. */
function entriesOf(steps: readonly (typeof KINDS)[number][]): readonly object[] {
  const entries: object[] = [];
  for (const [index, kind] of steps.entries()) {
    const of = { version: 1, operationID: index + 1 };
    const next = (): number => entries.length + 1;
    const values = { inputs: { index }, outputs: { text: 'x'.repeat(index) } };
    const state = resource(kind === 'update' ? `old-${index % 2}` : `new-${index}`, values);
    const operation = { resource: state, type: kind === 'update' ? 'updating' : 'creating' };
    entries.push({ ...of, kind: 0, sequenceID: next(), operation });
    if (kind === 'create') entries.push({ ...of, kind: 1, sequenceID: next(), state });
    if (kind === 'update') entries.push({ ...of, kind: 4, sequenceID: next(), removeOld: index % 2, state });
    if (kind === 'fail') entries.push({ ...of, kind: 2, sequenceID: next() });
  }
  return entries;
}

storeTest('a process that has stored every entry ends the update without reading the journal', async () => {
  const all = await cluster(1);
  const { send, exported, end } = await begun(all, 'dev', 0);
  const entries = entriesOf(['create', 'update', 'fail', 'pend', 'create']);
  await send(0, entries.slice(0, 3));
  expect(await exported(0)).toBe(demanded(entries.slice(0, 3)));
  await send(0, entries.slice(3));
  await send(0, entries.slice(2, 4));
  await end(0, 'complete');
  expect(await exported(0)).toBe(demanded(entries));
  expect(all.found.replays).toBe(0);
});

storeTest.each([
  ['another process has stored an entry between', [0, 1, 0], 0],
  ['another process has stored the first entries', [1, 0, 0], 0],
  ['another process has stored the last entries', [0, 0, 1], 0],
  ['another process has stored all of them', [1, 1, 1], 0],
  ['another process ends the update', [0, 0, 0], 1],
])('the journal is read if %s', async (_why, servers, last) => {
  const all = await cluster(2);
  const { send, exported, end } = await begun(all, 'dev', 0);
  const entries = entriesOf(['create', 'update', 'create']);
  for (const [index, server] of servers.entries())
    await send(server, entries.slice(2 * index, 2 * index + 2));
  await end(last, 'complete');
  expect(all.found.replays).toBe(1);
  expect(await exported(last)).toBe(demanded(entries));
});

storeTest.each([
  ['lost its newest row', 'delete from cairn.journal where seq = 4', [0, 1, 2]],
  ['lost a row between', 'delete from cairn.journal where seq = 2', [0, 2, 3]],
  ['has another row in place of one', 'update cairn.journal set seq = 9 where seq = 4', [0, 1, 2, 3]],
])('what the process remembers does not count once the database %s', async (_what, damage, kept) => {
  const all = await cluster(1);
  const { send, exported, end } = await begun(all, 'dev', 0);
  const entries = entriesOf(['create', 'create']);
  await send(0, entries);
  await run(await databases.url(all.at(0).folder), damage);
  await end(0, 'complete');
  expect(all.found.replays).toBe(1);
  expect(await exported(0)).toBe(demanded(kept.map((index) => entries[index] as object)));
});

/** Delivery of one batch: to a service, maybe once more to another, maybe at the same moment as the next one. */
const delivery = fc.record({
  size: fc.integer({ min: 1, max: 4 }),
  server: fc.nat(2),
  again: fc.option(fc.nat(2), { nil: undefined, freq: 3 }),
  withNext: fc.boolean(),
  restart: fc.option(fc.nat(2), { nil: undefined, freq: 8 }),
});

storeTest(
  'whichever process gets, repeats, mixes up or ends what, the state is that of the entries',
  async () => {
    const all = await cluster(3);
    let runs = 0;
    const property = fc.asyncProperty(
      fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 8 }),
      fc.array(delivery, { minLength: 16, maxLength: 16 }),
      fc.constantFrom('one', 'in turn', 'any'),
      fc.nat(2),
      fc.constantFrom('complete', 'complete', 'cancel', 'lapse'),
      async (steps, deliveries, spread, last, how) => {
        const { send, exported, end } = await begun(all, `s${(runs += 1)}`, 0);
        const entries = entriesOf(steps);
        let waiting: (() => Promise<void>)[] = [];
        for (let at = 0, index = 0; at < entries.length; index += 1) {
          const { size, server, again, withNext, restart } = deliveries[index] as (typeof deliveries)[number];
          const batch = entries.slice(at, (at += size));
          const to = spread === 'one' ? 0 : spread === 'in turn' ? index : server;
          waiting.push(() => send(to, batch));
          if (withNext) continue;
          await Promise.all(waiting.map((each) => each()));
          waiting = [];
          // An answer that was lost.
          if (again !== undefined) await send(spread === 'one' ? 0 : again, batch);
          if (restart !== undefined) await all.restart(restart);
        }
        await Promise.all(waiting.map((each) => each()));
        expect(await exported(last)).toBe(demanded(entries));
        await end(last, how);
        expect(await exported(0)).toBe(demanded(entries));
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  },
);
