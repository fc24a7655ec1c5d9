import { S, endServices, resource, startTestService, startUpdate, storeTest } from './service.js';

afterEach(endServices);

storeTest('an update in a bucket is continued by the next process', async () => {
  const first = await startTestService();
  await first.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const { route, auth } = await startUpdate(first);
  const entry = (id: number) => ({
    ...{ version: 1, kind: 1, sequenceID: id, operationID: id, state: resource(`r${id}`) },
  });
  const send = async ({ call }: typeof first, ...ids: number[]): Promise<number> =>
    (await call('PATCH', `${route}/journalentries`, { auth, body: { entries: ids.map(entry) } })).status;
  expect(await send(first, 1)).toBe(200);
  await first.stop();
  const next = await startTestService(first.folder);
  expect(await send(next, 1, 2)).toBe(200);
  const body = { status: 'succeeded' };
  expect((await next.call('POST', `${route}/complete`, { auth, body })).status).toBe(200);
  expect((await next.call('GET', `${S}/export/1`)).body['deployment']).toMatchObject({
    resources: [resource('r1'), resource('r2')],
  });
});
