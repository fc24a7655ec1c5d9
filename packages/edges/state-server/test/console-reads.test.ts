import { setImmediate as turn } from 'node:timers/promises';
import type { ServiceStore } from '../src/index.js';
import { S, endServices, startTestService } from './service.js';
import type { TestService } from './service.js';
import { watchedReads } from './watched-reads.js';

afterEach(endServices);

const C = S.replace('/api', '/console');
const PAGES = 20;

/** Returns a store whose reads of states wait for a gate. */
function gatedReads(store: ServiceStore, gate: () => Promise<void>): ServiceStore {
  return new Proxy(store, {
    get: (target, name: keyof ServiceStore) => {
      const value = target[name];
      if (name !== 'readState') return typeof value === 'function' ? value.bind(target) : value;
      return async (...args: never[]) => {
        await gate();
        return (value as (...args: never[]) => unknown).apply(target, args);
      };
    },
  });
}

test('pages of one stack that ask at once share a read, which has all that was stored before', async () => {
  const calls: string[] = [];
  let open = (): void => undefined;
  let gate = Promise.resolve();
  const service = await startTestService(undefined, {
    store: (store) =>
      watchedReads(
        gatedReads(store, () => gate),
        calls,
      ),
  });
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const count = (name: string): number => calls.filter((each) => each === name).length;
  gate = new Promise((resolve) => (open = resolve));
  calls.length = 0;
  const first = service.call('GET', C);
  while (count('readState') === 0) await turn();
  await service.call('PATCH', `${S}/tags`, { body: { team: 'web' } });
  const before = count('accessFacts');
  const others = Array.from({ length: PAGES }, () => service.call('GET', C));
  while (count('accessFacts') < before + PAGES) await turn();
  open();
  const answers = await Promise.all(others);
  expect((await first).status).toBe(200);
  expect(answers.map(({ body }) => body['tags'])).toEqual(
    Array.from({ length: PAGES }, () => ({ team: 'web' })),
  );
  // The read that had begun, the next one, and one for calls that were late for it.
  expect(count('readState')).toBeLessThanOrEqual(3);
});

/** Makes a change that is done. */
async function makeChange(service: TestService): Promise<void> {
  const change = {
    ...{ operation: 'up', options: {}, goalKey: 'v1:key', username: 'ann', hostname: 'h1' },
    process: { pid: 7, hostname: 'h1', machine: 'm1', started: 's1' },
  };
  const { body: made } = await service.call('POST', `${S}/update`, {
    body: { options: { dryRun: false }, change },
  });
  const at = `${S}/update/${String(made['updateID'])}`;
  const { body: started } = await service.call('POST', at, { body: { journalVersion: 1 } });
  const tasks = { total: 0, done: 0, undone: 0, failed: 0, held: 0, waiting: 0, doubt: 0 };
  const end = { result: 'succeeded', status: 'done', tasks, message: 'm', environment: {}, order: [] };
  const auth = `update-token ${String(started['token'])}`;
  const body = { status: 'succeeded', change: end };
  expect((await service.call('POST', `${at}/complete`, { auth, body })).status).toBe(200);
}

test('an overview has the newest changes, as many as it is asked for', async () => {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  for (let made = 0; made < 10; made += 1) await makeChange(service);
  const numbers = async (query: string): Promise<readonly number[]> => {
    const { body } = await service.call('GET', C + query);
    return (body['changes'] as readonly { readonly number: number }[]).map(({ number }) => number);
  };
  expect(await numbers('')).toEqual([10, 9, 8, 7, 6, 5, 4, 3]);
  expect(await numbers('?changes=2')).toEqual([10, 9]);
  expect((await numbers('?changes=5000')).length).toBe(10);
  for (const wrong of ['0', '-1', 'x', '1.5'])
    expect((await service.call('GET', `${C}?changes=${wrong}`)).status).toBe(400);
});
