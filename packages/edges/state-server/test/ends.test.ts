import type { ServiceStore } from '../src/index.js';
import { holdIntervals } from './held-intervals.js';
import { S, endServices, startUpdate, startWithStacks } from './service.js';

afterEach(endServices);

/** Store whose writes of tags wait until they are let go. */
function waitingStore() {
  let letGo = (): void => undefined;
  let begun = (): void => undefined;
  const waits = new Promise<void>((resolve) => (letGo = resolve));
  const started = new Promise<void>((resolve) => (begun = resolve));
  const over = <T extends object>(store: T): T =>
    new Proxy(store, {
      get: (target, name) => {
        const value = target[name as keyof T] as unknown;
        if (name === 'turn')
          return (stacks: never, work: (inner: object) => unknown) =>
            (target as unknown as ServiceStore).turn(
              stacks,
              (inner) => work(over(inner)) as Promise<unknown>,
            );
        if (name !== 'setTags') return value;
        return async (...args: never[]) => {
          begun();
          await waits;
          return (value as (...args: never[]) => unknown).apply(target, args);
        };
      },
    });
  return { over, letGo: () => letGo(), started };
}

test('an end takes no new requests, and finishes those that are open', async () => {
  const { over, letGo, started } = waitingStore();
  const service = await startWithStacks({ store: over, slow: { endMs: 600_000 } });
  const open = service.call('PATCH', `${S}/tags`, { body: { a: 'b' } });
  await started;
  let ended = false;
  const end = service.stop().then(() => (ended = true));
  await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
  expect(ended).toBe(false);
  letGo();
  // The client keeps its connection open, for a next request.
  expect((await open).status).toBe(200);
  await end;
});

test('an end waits no longer than it may', async () => {
  const { over, letGo, started } = waitingStore();
  const service = await startWithStacks({ store: over, slow: { endMs: 50 } });
  const open = service.call('PATCH', `${S}/tags`, { body: { a: 'b' } }).then(
    () => 'answered',
    () => 'cut off',
  );
  await started;
  const end = service.stop();
  expect(await open).toBe('cut off');
  letGo();
  await end;
});

test('a service is not ready while its store does not answer, and lives', async () => {
  let fault: Error | undefined;
  const service = await startWithStacks({
    store: (store) =>
      new Proxy(store, {
        get: (target, name) =>
          name === 'ping' && fault !== undefined
            ? () => Promise.reject(fault as Error)
            : (target[name as keyof ServiceStore] as unknown),
      }),
  });
  const seen = async () => {
    const ready = await service.call('GET', '/readyz');
    return [ready.status, ready.body['code'], (await service.call('GET', '/healthz')).status];
  };
  expect(await seen()).toEqual([200, undefined, 200]);
  fault = new Error('the store is gone');
  expect(await seen()).toEqual([503, 503, 200]);
  // Pulumi's command shows the id of a request with a failure of the service.
  const { headers } = await fetch(`${service.url}/readyz`);
  expect(headers.get('x-pulumi-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  fault = undefined;
  expect(await seen()).toEqual([200, undefined, 200]);
});

test('updates whose lease has run out end within 30 s, without a call', async () => {
  holdIntervals();
  const service = await startWithStacks();
  await startUpdate(service);
  await service.pass(331_000);
  const lapsed = async (): Promise<number> => (await service.store.lapsedUpdates()).length;
  expect(await lapsed()).toBe(1);
  jest.advanceTimersByTime(30_000);
  while ((await lapsed()) > 0) await new Promise(setImmediate);
  expect((await service.call('GET', `${S}/updates/latest`)).body).toMatchObject({
    info: { result: 'failed' },
  });
});
