import { MANIFEST, S, endServices, newFolder, resource, startTestService, startUpdate } from './service.js';
import type { ServiceStore } from '../src/index.js';
import type { StackStore } from '../src/store/service-store.js';

afterEach(endServices);

const WRITES: ReadonlySet<string> = new Set<keyof ServiceStore>([
  'putUpdateRecord',
  'putStackRecord',
  'removeStackRecord',
  'lock',
  'unlock',
  'putBase',
  'storeState',
  'createStack',
  'renameStack',
]);

/** Store that fails at the write of a number, and at every later one: to the service it is the end of its process. */
function dying(limit: { writes: number }): (store: ServiceStore) => ServiceStore {
  const limited = <T extends object>(target: T, isWrite: (name: string) => boolean): T =>
    new Proxy(target, {
      get: (_target, name: string) => {
        const value = target[name as keyof T] as unknown;
        if (name === 'notes') return value && limited(value as object, (each) => each !== 'list');
        if (name === 'turn')
          return (stacks: never, work: (store: StackStore) => unknown) =>
            (target as unknown as ServiceStore).turn(stacks, async (store) => work(limited(store, isWrite)));
        if (!isWrite(name)) return value;
        return (...args: never[]) => {
          limit.writes -= 1;
          if (limit.writes < 0) return Promise.reject(new Error('the process is gone'));
          return (value as (...args: never[]) => unknown)(...args);
        };
      },
    });
  return (store) => limited(store, (name) => WRITES.has(name));
}

function entry(kind: number, sequenceID: number, more: object): object {
  return { version: 1, kind, sequenceID, operationID: 1, removeOld: null, removeNew: null, ...more };
}

const ENTRIES = [
  entry(0, 1, { operation: { resource: resource('a'), type: 'creating' } }),
  entry(1, 2, { state: resource('a') }),
];

test.each(['succeeded', 'failed'])(
  'an update that ends as %s is ended once, wherever the service dies',
  async (status) => {
    let deaths = 0;
    for (let writes = 0; ; writes += 1) {
      const folder = newFolder();
      const limit = { writes: Infinity };
      const first = await startTestService(folder, { store: dying(limit) });
      await first.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
      const { route, auth, id } = await startUpdate(first);
      await first.call('PATCH', `${route}/journalentries`, { auth, body: { entries: ENTRIES } });
      limit.writes = writes;
      const answer = await first.call('POST', `${route}/complete`, { auth, body: { status } });
      await first.stop();

      const second = await startTestService(folder);
      if (answer.status !== 200) {
        deaths += 1;
        expect(answer.body['code']).toBe(500);
        // The client sends it again.
        expect((await second.call('POST', `${route}/complete`, { auth, body: { status } })).status).toBe(200);
      }
      expect((await second.call('GET', S)).body).toMatchObject({ version: 1, activeUpdate: id });
      expect((await second.call('GET', `${S}/updates`)).body).toMatchObject({
        updates: [{ result: status, version: 1 }],
      });
      const { deployment } = (await second.call('GET', `${S}/export`)).body as {
        deployment: Record<string, unknown>;
      };
      expect([deployment['resources'], deployment['pending_operations']]).toEqual([
        [resource('a')],
        undefined,
      ]);
      expect((await startUpdate(second)).answer).toMatchObject({ status: 200, body: { version: 2 } });
      await second.stop();
      if (answer.status === 200) break;
    }
    expect(deaths).toBeGreaterThan(3);
  },
);

test('a start that dies anywhere leaves a stack that can be updated', async () => {
  for (let writes = 0; ; writes += 1) {
    const folder = newFolder();
    const limit = { writes: Infinity };
    const first = await startTestService(folder, { store: dying(limit) });
    await first.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
    const created = await first.call('POST', `${S}/update`, { body: {} });
    limit.writes = writes;
    const route = `${S}/update/${String(created.body['updateID'])}`;
    const { status } = await first.call('POST', route, { body: { journalVersion: 1 } });
    await first.stop();
    const second = await startTestService(folder);
    if (status === 200) break;
    // An update that was marked as running before the death runs until its lease ends.
    await second.pass(331_000);
    await second.service.sweep();
    expect([writes, (await startUpdate(second)).answer.status]).toEqual([writes, 200]);
    await second.stop();
  }
});

test('a rename that dies anywhere keeps the secrets, and can be repeated', async () => {
  const ciphertexts = { plaintext: 'YQ==' };
  for (let writes = 0; ; writes += 1) {
    const folder = newFolder();
    const limit = { writes: Infinity };
    const first = await startTestService(folder, { store: dying(limit) });
    await first.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
    const { body } = await first.call('POST', `${S}/encrypt`, { body: ciphertexts });
    await first.call('POST', `${S}/import`, {
      body: { version: 3, deployment: { manifest: MANIFEST, resources: [resource('a')] } },
    });
    limit.writes = writes;
    const rename = { body: { newName: 'prod' } };
    const { status } = await first.call('POST', `${S}/rename`, rename);
    await first.stop();
    const second = await startTestService(folder);
    const moved = (await second.call('GET', S)).status === 404;
    if (!moved) expect((await second.call('POST', `${S}/rename`, rename)).status).toBe(200);
    const T = '/api/stacks/organization/shop/prod';
    expect((await second.call('POST', `${T}/decrypt`, { body })).body).toEqual(ciphertexts);
    expect((await second.call('GET', `${T}/export`)).text).toContain('urn:pulumi:prod::shop');
    await second.stop();
    if (status === 200) break;
  }
});
