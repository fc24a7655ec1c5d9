import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { base64Crypter } from '@cairn/crypters';
import { backendForStore } from '../src/index.js';
import type { StackLease } from '../src/index.js';
import { ends, host, stack } from './hosts.js';
import {
  DEV,
  Recorder,
  START,
  failureOf,
  keysOf,
  lease,
  portsOf,
  textAt,
  thing,
  urnOf,
  urnsOf,
} from './world.js';

const LOCKS = '.pulumi/locks/organization/shop/dev/';

const renewalsIn = async (store: BlobStore): Promise<unknown> => {
  const [key = ''] = await keysOf(store, LOCKS);
  return JSON.parse(await textAt(store, key)).lease.renewals;
};

test('a lock is renewed as long as it is held, and not after', async () => {
  const store = await stack();
  const one = await host(store, 'h1');
  const held = await lease(one.backend);
  expect(await renewalsIn(store)).toBe(0);
  await one.timer.pass(61_000);
  expect(await renewalsIn(store)).toBe(3);
  await held.release();
  await one.timer.pass(61_000);
  expect(await keysOf(store, LOCKS)).toEqual([]);
});

test('a lock that is renewed is respected as soon as that is seen, and who waits is told', async () => {
  const store = await stack();
  const [one, two] = [await host(store, 'h1'), await host(store, 'h2')];
  const held = await lease(one.backend);
  const failure = await failureOf(ends(lease(two.backend), [one, two]));
  expect(failure.code).toBe('CAIRN-STATE-LOCKED');
  expect(failure.hint).toContain('CAIRN_LEASE_TAKEOVER=always');
  expect(two.timer.ticks()).toBeLessThan(25_000);
  expect(two.said).toEqual([
    'stack "dev" is locked by ann@h1: waiting up to 60 s to see whether the lock is still renewed',
  ]);
  await held.release();
});

test('a lock that nobody renews for its whole term is taken over with a note, whatever the clocks say', async () => {
  const store = await stack();
  const wrong = (year: number) => ({ now: () => new Date(Date.UTC(year, 0, 1)) });
  const [one, two] = [await host(store, 'h1', wrong(1999)), await host(store, 'h2', wrong(2099))];
  await lease(one.backend);
  const taken = await ends(lease(two.backend), [two]);
  expect(two.timer.ticks()).toBeGreaterThanOrEqual(60_000);
  expect(taken.notes.map((note) => note.summary)).toEqual([
    'took over the stack from process 40 on h1: its lock was not renewed for 60 s',
  ]);
  expect(await keysOf(store, LOCKS)).toHaveLength(1);
});

test('the term is the one that the holder wrote', async () => {
  const store = await stack();
  const one = await host(store, 'h1', { env: { CAIRN_LEASE_TERM: '7' } });
  const two = await host(store, 'h2');
  await lease(one.backend);
  await ends(lease(two.backend), [two]);
  expect(two.timer.ticks()).toBeGreaterThanOrEqual(7000);
  expect(two.timer.ticks()).toBeLessThan(20_000);
});

test('a lock that is given back while it is watched is not waited for any longer', async () => {
  const store = await stack();
  const [one, two] = [await host(store, 'h1'), await host(store, 'h2')];
  const held = await lease(one.backend);
  const waiting = lease(two.backend);
  await two.timer.pass(10_000);
  await held.release();
  const taken = await ends(waiting, [two]);
  expect([taken.notes, two.timer.ticks() < 15_000]).toEqual([[], true]);
});

test('who waits and does not want to any more stops waiting', async () => {
  const store = await stack();
  const [one, two] = [await host(store, 'h1'), await host(store, 'h2')];
  await lease(one.backend);
  let interrupted = false;
  const options = { openCrypter: async () => base64Crypter, interrupted: () => interrupted };
  const waiting = two.backend.lease(DEV, options);
  await two.timer.pass(5000);
  interrupted = true;
  expect((await failureOf(ends(waiting, [two]))).code).toBe('CAIRN-CANCELLED');
  expect(await keysOf(store, LOCKS)).toHaveLength(1);
});

test('of two who take over at once one gets the stack', async () => {
  const store = await stack();
  const [one, two, three] = [await host(store, 'h1'), await host(store, 'h2'), await host(store, 'h3')];
  await lease(one.backend);
  const both = Promise.allSettled([lease(two.backend), lease(three.backend)]);
  const tries = await ends(both, [two, three]);
  expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await keysOf(store, LOCKS)).toHaveLength(1);
});

test('a lock that is renewed at the last moment stays', async () => {
  const inner = await stack();
  const one = await host(inner, 'h1');
  await lease(one.backend);
  const renewing = {
    ...inner,
    delete: async (...given: Parameters<BlobStore['delete']>) => {
      if (given[0].startsWith(LOCKS)) await one.timer.pass(25_000);
      return inner.delete(...given);
    },
  };
  const two = await host(renewing, 'h2');
  expect((await failureOf(ends(lease(two.backend), [two]))).code).toBe('CAIRN-STATE-LOCKED');
  expect(await renewalsIn(inner)).toBe(1);
});

test('a store that is away while a lock is to be renewed does not end it', async () => {
  const inner = await stack();
  let away = false;
  const store = {
    ...inner,
    put: async (...given: Parameters<BlobStore['put']>) => {
      if (away) throw new Error('away');
      return inner.put(...given);
    },
  };
  const one = await host(store, 'h1');
  const held = await lease(one.backend);
  away = true;
  await one.timer.pass(50_000);
  away = false;
  await one.timer.pass(21_000);
  expect(Number(await renewalsIn(inner))).toBeGreaterThanOrEqual(1);
  await held.release();
});

test('a renewal does not bring back a lock that somebody removed', async () => {
  const store = await stack();
  const one = await host(store, 'h1');
  const held = await lease(one.backend);
  await one.backend.cancel(DEV);
  await one.timer.pass(120_000);
  expect(await keysOf(store, LOCKS)).toEqual([]);
  expect((await failureOf(held.begin(START))).code).toBe('CAIRN-LEASE-LOST');
});

test.each([
  [{ CAIRN_LEASE_TERM: 'soon' }, 'not a number of seconds'],
  [{ CAIRN_LEASE_TERM: '0' }, 'not a number of seconds'],
  [{ CAIRN_LEASE_TERM: '30', CAIRN_LEASE_RENEWAL: '20' }, 'cannot be renewed every 20 s'],
  [{ CAIRN_LEASE_TAKEOVER: 'maybe' }, 'CAIRN_LEASE_TAKEOVER is "maybe"'],
])('settings %j are refused', async (env, text) => {
  const failure = await failureOf(
    backendForStore(memoryBlobStore(), { ...portsOf({ pid: 1, dead: new Set() }), env }),
  );
  expect([failure.code, failure.summary]).toEqual(['CAIRN-USAGE', expect.stringContaining(text)]);
});

/** Returns a writer that is taken over by another, which runs an operation of its own. */
async function takenOver(
  store: BlobStore,
  before: (held: StackLease) => Promise<void>,
): Promise<{ readonly first: StackLease; readonly second: StackLease; readonly after: readonly string[] }> {
  const [one, two] = [await host(store, 'h1'), await host(store, 'h2')];
  const first = await lease(one.backend);
  await before(first);
  const second = await ends(lease(two.backend), [two]);
  const log = await second.begin(START);
  await log.store.append(new Recorder().creates(thing('theirs', { parent: undefined, provider: undefined })));
  await log.finish({ result: 'succeeded', resourceChanges: {} });
  await second.release();
  return { first, second, after: await urnsOf(two.backend) };
}

describe('a writer that wakes up after it was taken over', () => {
  test('between lock and journal, it begins nothing', async () => {
    const store = await stack();
    const { first, after } = await takenOver(store, async () => undefined);
    const before = await keysOf(store);
    const failure = await failureOf(first.begin(START));
    expect(failure).toMatchObject({
      code: 'CAIRN-LEASE-LOST',
      hint: expect.stringContaining('Nothing was changed'),
    });
    expect(await keysOf(store)).toEqual(before);
    expect(after).toEqual([urnOf('theirs')]);
    await first.release();
  });

  test('between the fence and the journal, it takes back its fence alone', async () => {
    const inner = await stack();
    let wakes!: () => void;
    const awake = new Promise<void>((resolve) => (wakes = resolve));
    let claims!: () => void;
    const claimed = new Promise<void>((resolve) => (claims = resolve));
    const store: BlobStore = {
      ...inner,
      put: async (...given) => {
        const done = await inner.put(...given);
        if (!given[0].endsWith('/operation.json')) return done;
        claims();
        await awake;
        return done;
      },
    };
    const [one, two] = [await host(store, 'h1'), await host(inner, 'h2')];
    const first = await lease(one.backend);
    const beginning = failureOf(first.begin(START));
    await claimed;
    const second = await ends(lease(two.backend), [two]);
    const log = await second.begin(START);
    await log.finish({ result: 'succeeded', resourceChanges: {} });
    await second.release();
    const before = await keysOf(inner);
    wakes();
    expect((await beginning).code).toBe('CAIRN-LEASE-LOST');
    const journal = '.pulumi/journals/shop/dev/00000001/';
    expect(before).toContain(`${journal}sealed.json`);
    expect(await keysOf(inner)).toEqual(before.filter((key) => key !== `${journal}operation.json`));
    await first.release();
    expect((await two.backend.changes(DEV)).map(({ number }) => number)).toEqual([2]);
    await (await lease(two.backend)).release();
  });

  test('with a step under way, it records nothing, stores nothing and says what it had begun', async () => {
    const store = await stack();
    const recorder = new Recorder();
    let log!: Awaited<ReturnType<StackLease['begin']>>;
    const own = (name: string) => thing(name, { parent: undefined, provider: undefined });
    const { first, second, after } = await takenOver(store, async (held) => {
      log = await held.begin(START);
      await log.store.append([recorder.begin(1, own('done')), recorder.created(1, own('done'))]);
      await log.store.append([recorder.begin(2, own('late'))]);
    });
    expect([...after].sort()).toEqual([urnOf('done'), urnOf('theirs')]);
    const files = new Map<string, string>();
    for (const key of await keysOf(store)) files.set(key, await textAt(store, key));
    const late = await failureOf(log.store.append([recorder.created(2, own('late'))]));
    expect(late.code).toBe('CAIRN-LEASE-LOST');
    expect(late.causes).toEqual([
      expect.stringContaining('taken'),
      `begun, and their end could not be recorded: creating ${urnOf('late')}`,
      '3 entries of this operation are recorded in .pulumi/journals/shop/dev/00000001/',
    ]);
    expect(late.hint).toContain('`cairn change 1`');
    const begin = await failureOf(log.store.append([recorder.begin(3, own('never'))]));
    expect(begin.code).toBe('CAIRN-LEASE-LOST');
    expect((await failureOf(log.finish({ result: 'failed', resourceChanges: {} }))).code).toBe(
      'CAIRN-LEASE-LOST',
    );
    await first.release();
    for (const key of await keysOf(store))
      expect([key, await textAt(store, key)]).toEqual([key, files.get(key)]);
    const next = await lease((await host(store, 'h3')).backend);
    expect(next.deployment.pendingOperations.map(({ resource }) => resource.urn)).toEqual([urnOf('late')]);
    const doubts = second.notes.filter(
      ({ code, severity }) => code === 'CAIRN-IN-DOUBT' && severity === 'warning',
    );
    expect(doubts.map(({ urn }) => urn)).toEqual([urnOf('late')]);
  });
});
