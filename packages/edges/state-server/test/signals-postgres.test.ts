import { Wakening } from '../src/calls/wakening.js';
import { SIGNAL_CONNECTION } from '../src/store/postgres/database-signals.js';
import type { ServiceStore } from '../src/index.js';
import { run } from './postgres-kind.js';
import { S, endServices, newFolder, openStore, startTestService, storeTest, storeUrls } from './service.js';
import './use-postgres.js';

/** Several processes of one database: what is new at one of them wakes those who wait at another one. */

const HOUR = 3_600_000;
/** All that is not faked: timers are, so that no look becomes due. */
const REAL = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
];

const stores: ServiceStore[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const store of stores.splice(0)) await store.close();
  await endServices();
});

/** Opens a store of its own for a process, which listens. */
async function wakeningOf(folder: string): Promise<Wakening> {
  const { store } = await openStore(folder);
  stores.push(store);
  const wakening = new Wakening(store.signals);
  await wakening.wait(HOUR, 0);
  return wakening;
}

storeTest('a wake reaches those who wait at another process, and comes back to none', async () => {
  const folder = newFolder();
  const [one, two] = [await wakeningOf(folder), await wakeningOf(folder)];
  const [at, other] = [one.count, two.count];
  one.wake();
  await two.wait(HOUR, other);
  two.wake();
  await one.wait(HOUR, at + 1);
  expect([one.count, two.count]).toEqual([at + 2, other + 2]);
});

storeTest(
  'a connection that was lost is replaced, and those who wait look at what they may have missed',
  async () => {
    const folder = newFolder();
    const [one, two] = [await wakeningOf(folder), await wakeningOf(folder)];
    const [at, other] = [one.count, two.count];
    const { store } = await storeUrls(folder);
    await run(
      store,
      `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = '${SIGNAL_CONNECTION}' and datname = current_database()`,
    );
    await Promise.all([one.wait(HOUR, at), two.wait(HOUR, other)]);
    two.wake();
    await one.wait(HOUR, at + 1);
  },
);

storeTest('an agent that waits at one process gets the run that another process was asked for', async () => {
  const folder = newFolder();
  let looked: () => void = () => undefined;
  const firstLook = new Promise<void>((resolve) => (looked = resolve));
  const here = await startTestService(folder, {
    store: (store) => ({
      ...store,
      dueStacks: async (most) => {
        const due = await store.dueStacks(most);
        looked();
        return due;
      },
    }),
  });
  const there = await startTestService(folder);
  await here.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  jest.useFakeTimers({ doNotFake: REAL });
  const claim = { agent: 'one', wait: 20 };
  const waiting = here.call('POST', '/api/orgs/organization/agents/claim', { body: claim });
  await firstLook;
  await there.call('POST', `${S}/deployments`, { body: { operation: 'preview' } });
  expect((await waiting).body).toMatchObject({ run: { operation: 'preview' } });
});
