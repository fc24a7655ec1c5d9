import { memoryBlobStore } from '@cairn/blobs';
import { storeInBlobs } from '../src/store/bucket/bucket-store.js';
import { holdIntervals } from './held-intervals.js';
import { S, backendPorts, endServices, resource, startTestService, startUpdate } from './service.js';
import { watchedBlobs } from './watched-blobs.js';

afterEach(endServices);

const EVENT = {
  ...{ at: 1, organization: 'organization', event: 'set-tags', description: 'set tags', user: 'ann' },
  ...{ sourceIp: '', tokenId: '', tokenName: '', stack: '' },
};
const SHOP = '/api/stacks/organization/shop';

/** Returns the calls of a bucket that each call of an update makes, beside other stacks and rows of the audit log. */
async function touchesBeside(stacks: number, rows: number): Promise<Readonly<Record<string, number>>> {
  const touches: string[] = [];
  const blobs = watchedBlobs(memoryBlobStore(), touches);
  // The service looks for work now and then, which is none of the calls.
  holdIntervals();
  const address = { url: 'memory://', ports: backendPorts(), options: {} };
  const store = await storeInBlobs(blobs, address, () => 0);
  const service = await startTestService(undefined, { store: () => store });
  const { call } = service;
  for (const name of ['dev', ...Array.from({ length: stacks }, (_, index) => `other-${index}`)])
    await call('POST', SHOP, { body: { stackName: name } });
  for (let row = 0; row < rows; row += 1)
    await store.audited({ event: () => EVENT, first: true }, async () => undefined);
  const counts: Record<string, number> = {};
  const counted = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    touches.length = 0;
    const result = await work();
    counts[name] = touches.length;
    return result;
  };
  const { route, auth } = await counted('create and start', () => startUpdate(service));
  const entry = { version: 1, kind: 1, sequenceID: 1, operationID: 1, state: resource('a') };
  const events = [{ sequence: 1, timestamp: 2, stdoutEvent: { message: 'm', color: 'raw' } }];
  for (const [name, method, path, body] of [
    ['journal', 'PATCH', `${route}/journalentries`, { entries: [entry] }],
    ['events', 'POST', `${route}/events/batch`, { events }],
    ['renewal', 'POST', `${route}/renew_lease`, { token: '', duration: 300 }],
    ['complete', 'POST', `${route}/complete`, { status: 'succeeded' }],
  ] as const)
    expect([name, (await counted(name, () => call(method, path, { auth, body }))).status]).toEqual([
      name,
      200,
    ]);
  for (const [name, method, path, body] of [
    ['stack', 'GET', S, undefined],
    ['export', 'GET', `${S}/export`, undefined],
    ['history', 'GET', `${S}/updates?pageSize=10&page=1`, undefined],
    ['tags', 'PATCH', `${S}/tags`, { a: 'b' }],
    ['encrypt', 'POST', `${S}/encrypt`, { plaintext: 'YQ==' }],
    ['rename', 'POST', `${S}/rename`, { newName: 'moved', newProject: '' }],
  ] as const)
    expect([name, (await counted(name, () => call(method, path, { body }))).status]).toEqual([name, 200]);
  return counts;
}

test('no call of an update asks a bucket more often with 100 times the stacks and audit rows', async () => {
  const few = await touchesBeside(1, 10);
  expect(few['journal']).toBeGreaterThan(0);
  expect(await touchesBeside(100, 1000)).toEqual(few);
});
