import { DEV, failureOf, keysOf, lease } from './world.js';
import { ends, host, stack } from './hosts.js';

/** Waiting for a lock [STORE-15]. Locks of others are respected at once, so that only the waiting takes time. */

const LOCKS = '.pulumi/locks/organization/shop/dev/';
const QUEUE = '.pulumi/queue/organization/shop/dev/';
const RESPECT = { CAIRN_LEASE_TAKEOVER: 'never' };
const patient = (seconds: number) => ({ env: RESPECT, waitForLockMs: seconds * 1000 });

test('a lock is waited for until it is free; the waiting is told once, and leaves nothing [STORE-15]', async () => {
  const store = await stack();
  const [one, two] = [await host(store, 'h1'), await host(store, 'h2', patient(600))];
  const held = await lease(one.backend);
  const waiting = lease(two.backend);
  await two.timer.pass(100_000);
  expect(await keysOf(store, QUEUE)).toHaveLength(1);
  await held.release();
  const taken = await ends(waiting, [two]);
  expect(two.timer.ticks()).toBeLessThan(110_000);
  expect(two.said).toEqual([
    expect.stringMatching(
      /^waiting up to 10 min for the lock of stack "dev": ann@h1 \(process 40\) since .*mem:/,
    ),
  ]);
  expect(await keysOf(store, QUEUE)).toEqual([]);
  await taken.release();
});

test('who asked first gets the lock first, and who does not wait is refused [STORE-15]', async () => {
  const store = await stack();
  const hosts = await Promise.all(['h1', 'h2', 'h3', 'h4'].map((name) => host(store, name, patient(600))));
  const [one, two, three, four] = hosts as [
    (typeof hosts)[0],
    (typeof hosts)[0],
    (typeof hosts)[0],
    (typeof hosts)[0],
  ];
  const held = await lease(one.backend);
  const got: string[] = [];
  const waitAs = async (name: string, { backend }: typeof one): Promise<void> => {
    const mine = await lease(backend);
    got.push(name);
    await mine.release();
  };
  const all: Promise<void>[] = [];
  for (const [name, each] of [
    ['three', three],
    ['two', two],
    ['four', four],
  ] as const) {
    all.push(waitAs(name, each));
    await each.timer.pass(1000);
  }
  expect((await failureOf(lease((await host(store, 'h5', { env: RESPECT })).backend))).code).toBe(
    'CAIRN-STATE-LOCKED',
  );
  await held.release();
  // The last one looks most often.
  for (let turn = 0; turn < 20; turn += 1) {
    await four.timer.pass(5000);
    await two.timer.pass(500);
    await three.timer.pass(500);
  }
  await Promise.all(all);
  expect(got).toEqual(['three', 'two', 'four']);
  expect(await keysOf(store, QUEUE)).toEqual([]);
});

test('when the time is over the refusal says who holds the lock, and how long it was waited for', async () => {
  const store = await stack();
  const [one, two] = [await host(store, 'h1'), await host(store, 'h2', patient(45))];
  await lease(one.backend);
  const failure = await failureOf(ends(lease(two.backend), [two]));
  expect(failure.code).toBe('CAIRN-STATE-LOCKED');
  expect(failure.causes).toEqual([
    expect.stringMatching(/^ann@h1 \(process 40\)/),
    'waited 45 s for the lock',
  ]);
  expect(two.timer.ticks()).toBeLessThan(50_000);
  expect(await keysOf(store, QUEUE)).toEqual([]);
});

test('a turn that nobody renews for its term is passed over', async () => {
  const store = await stack();
  const hosts = [
    await host(store, 'h1'),
    await host(store, 'h2', patient(600)),
    await host(store, 'h3', patient(600)),
  ];
  const [one, dead, three] = hosts as [(typeof hosts)[0], (typeof hosts)[0], (typeof hosts)[0]];
  const held = await lease(one.backend);
  void lease(dead.backend);
  await dead.timer.pass(1000);
  const waiting = lease(three.backend);
  await three.timer.pass(10_000);
  await held.release();
  await three.timer.pass(30_000);
  expect(await keysOf(store, LOCKS)).toEqual([]);
  await (await ends(waiting, [three])).release();
  expect(three.timer.ticks()).toBeLessThan(70_000);
  expect(await keysOf(store, QUEUE)).toEqual([]);
});

test('a preview waits without a lock and without a turn, and is refused when the time is over', async () => {
  const store = await stack();
  const [one, two] = [await host(store, 'h1'), await host(store, 'h2', patient(20))];
  const held = await lease(one.backend);
  expect((await failureOf(ends(two.backend.awaitUnlocked(DEV), [two]))).code).toBe('CAIRN-STATE-LOCKED');
  const waiting = two.backend.awaitUnlocked(DEV);
  await two.timer.pass(5000);
  expect([await keysOf(store, QUEUE), await keysOf(store, LOCKS)]).toEqual([[], [expect.any(String)]]);
  await held.release();
  await ends(waiting, [two]);
});
