import type { ServiceStore } from '../src/index.js';
import { S, endServices, startTestService, startUpdate, storeTest } from './service.js';
import type { Answer } from './service.js';

afterEach(endServices);

/** Returns a store that notes the names of its calls, also of those in a turn. */
function notingStore<T extends object>(store: T, calls: string[]): T {
  return new Proxy(store, {
    get: (target, name: string) => {
      const value = target[name as keyof T] as unknown;
      if (name === 'notes') return value && notingStore(value as object, calls);
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        calls.push(name);
        if (name !== 'turn') return call(...args);
        const [stacks, work] = args as [unknown, (inner: object) => unknown];
        return call(stacks, (inner: object) => work(notingStore(inner, calls)));
      };
    },
  });
}

/** Returns wrong tokens that agree with the right one to different degrees. */
function wrongTokens(right: string): readonly string[] {
  const changed = (at: number): string =>
    `${right.slice(0, at)}${right[at] === 'A' ? 'B' : 'A'}${right.slice(at + 1)}`;
  return [
    changed(0),
    changed(8),
    changed(right.length / 2),
    changed(right.length - 2),
    right.slice(0, -1),
    `${right}A`,
    'x'.repeat(right.length),
    'x',
  ];
}

storeTest('each wrong token costs the same work and gets the same answer', async () => {
  const calls: string[] = [];
  const service = await startTestService(undefined, {
    store: (store: ServiceStore) => notingStore(store, calls),
  });
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const { route, auth } = await startUpdate(service);
  const kinds: readonly (readonly [string, string, (token: string) => Promise<Answer>])[] = [
    ['token of a user', service.token, (token) => service.call('GET', S, { auth: `token ${token}` })],
    [
      'token of an update',
      auth.replace('update-token ', ''),
      (token) =>
        service.call('PATCH', `${route}/journalentries`, {
          body: { entries: [] },
          auth: `update-token ${token}`,
        }),
    ],
  ];
  for (const [kind, right, ask] of kinds) {
    const seen = new Set<string>();
    for (const token of wrongTokens(right)) {
      calls.length = 0;
      const { status, body } = await ask(token);
      seen.add(JSON.stringify([status, body['message'], calls]));
    }
    expect([kind, [...seen]]).toEqual([kind, [expect.stringMatching(/^\[40[13],/)]]);
  }
});
