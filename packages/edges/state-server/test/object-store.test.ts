import { placeKind } from './place-kind.js';
import { S, endServices, startTestService, startUpdate, storeTest, useStore } from './service.js';
import './journal.test.js';

const kind = placeKind('s3');
useStore(kind, undefined);
afterEach(endServices);

const IMPORT = {
  version: 3,
  deployment: { manifest: { time: '2030-01-01T00:00:00Z', magic: '', version: '' } },
};

storeTest('a store of blobs that answers 503 is answered with 503, and used again afterwards', async () => {
  const service = await startTestService();
  const { call } = service;
  await call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const { route, auth } = await startUpdate(service);
  const before = (await call('GET', `${S}/export`)).text;
  const entries = [{ version: 1, kind: 7, sequenceID: 1, operationID: 1 }];
  const calls = [
    ['PATCH', `${route}/journalentries`, { auth, body: { entries } }],
    ['POST', '/api/stacks/organization/shop', { body: { stackName: 'prod' } }],
    ['GET', '/readyz', {}],
  ] as const;
  await kind.fail(async () => {
    for (const [method, path, options] of calls) {
      const { status, body, text } = await call(method, path, options);
      expect([path, status, body['code'], text.includes('bucket')]).toEqual([path, 503, 503, false]);
    }
    expect((await call('GET', '/healthz')).status).toBe(200);
  });
  expect((await call('GET', `${S}/export`)).text).toBe(before);
  for (const [method, path, options] of calls)
    expect([path, (await call(method, path, options)).status]).toEqual([path, 200]);
  expect((await call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } })).status).toBe(200);
  expect((await call('POST', `${S}/import`, { body: IMPORT })).status).toBe(200);
});
