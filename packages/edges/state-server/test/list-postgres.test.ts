import './use-postgres.js';
import type { ServiceStore } from '../src/index.js';
import { endServices, startTestService, startUpdate, storeTest } from './service.js';

afterEach(endServices);

storeTest('a list of stacks asks the database once for all of a page', async () => {
  const calls: string[] = [];
  const counted = (store: ServiceStore): ServiceStore =>
    new Proxy(store, {
      get: (target, name: keyof ServiceStore) => {
        const value = target[name];
        if (typeof value !== 'function') return value;
        return (...args: never[]) => {
          calls.push(name);
          return (value as (...args: never[]) => unknown)(...args);
        };
      },
    });
  const service = await startTestService(undefined, { store: counted });
  for (let count = 0; count < 12; count += 1)
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: `s${count}` } });
  await startUpdate(service, { stack: 's3' });
  calls.length = 0;
  const { stacks } = (await service.call('GET', '/api/user/stacks')).body as {
    stacks: readonly Record<string, unknown>[];
  };
  expect(calls.filter((name) => name === 'overviews')).toHaveLength(1);
  expect(calls.filter((name) => ['summary', 'runningUpdate', 'tags'].includes(name))).toEqual([]);
  expect(stacks).toHaveLength(12);
  expect(stacks.filter(({ lastUpdate }) => lastUpdate === 0)).toEqual([
    expect.objectContaining({ stackName: 's3', resourceCount: 0 }),
  ]);
});
