import { S, endServices, startTestService, startUpdate, storeTest } from './service.js';
import type { Answer, TestService } from './service.js';

afterEach(endServices);

const LIST = `${S}/updates/latest/previews`;

async function withStack(): Promise<TestService> {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  return service;
}

interface Started {
  readonly route: string;
  readonly auth: string;
}

const complete = (service: TestService, { route, auth }: Started, status: string): Promise<Answer> =>
  service.call('POST', `${route}/complete`, { auth, body: { status } });

async function ids(service: TestService, query = ''): Promise<unknown> {
  const { updates } = (await service.call('GET', LIST + query)).body;
  return (updates as readonly { updateID: string }[]).map(({ updateID }) => updateID);
}

storeTest('previews since the newest update are listed, newest first, with what they found', async () => {
  const service = await withStack();
  const ofUpdate = await startUpdate(service, { dryRun: true, kind: 'preview' });
  const events = [{ sequence: 0, summaryEvent: { resourceChanges: { create: 2 } } }];
  await service.call('POST', `${ofUpdate.route}/events/batch`, { auth: ofUpdate.auth, body: { events } });
  await complete(service, ofUpdate, 'succeeded');
  const ofDestroy = await startUpdate(service, { dryRun: true, kind: 'destroy' });
  await complete(service, ofDestroy, 'failed');
  const running = await startUpdate(service, { dryRun: true });
  const { body } = await service.call('GET', LIST);
  const info = { message: 'first', environment: { 'exec.kind': 'cli' }, version: 0 };
  expect(body).toMatchObject({ total: 3, itemsPerPage: 3 });
  expect(body['updates']).toMatchObject([
    { updateID: running.id, info: { ...info, kind: 'preview', result: 'in-progress', endTime: 0 } },
    { updateID: ofDestroy.id, info: { ...info, kind: 'destroy', result: 'failed' } },
    {
      updateID: ofUpdate.id,
      info: {
        ...{ ...info, kind: 'preview', result: 'succeeded', resourceChanges: { create: 2 } },
        config: { 'shop:size': { string: '3', secret: false, object: false } },
      },
      requestedBy: { githubLogin: 'writer-user' },
      latestVersion: 0,
    },
  ]);
  expect((await service.call('GET', `${ofUpdate.route}/events`)).body['events']).toEqual(events);
});

storeTest('a preview is in no history and has no version, and a later update hides it', async () => {
  const service = await withStack();
  await complete(service, await startUpdate(service, { dryRun: true }), 'succeeded');
  expect((await service.call('GET', `${S}/updates`)).body['updates']).toEqual([]);
  expect((await service.call('GET', S)).body).toMatchObject({ version: 0, activeUpdate: '' });
  await complete(service, await startUpdate(service), 'succeeded');
  expect((await service.call('GET', LIST)).body).toEqual({ updates: [], itemsPerPage: 0, total: 0 });
  const next = await startUpdate(service, { dryRun: true });
  expect(await ids(service)).toEqual([next.id]);
});

storeTest('pages of previews, as a client that wants the newest one asks for them', async () => {
  const service = await withStack();
  const started: string[] = [];
  for (let count = 0; count < 3; count += 1) started.push((await startUpdate(service, { dryRun: true })).id);
  // Created, and never started.
  await service.call('POST', `${S}/preview`, { body: { options: { dryRun: true } } });
  const [first, second, third] = started;
  expect(await ids(service, '?asc=false&pageSize=1&page=1')).toEqual([third]);
  expect(await ids(service, '?asc=true&pageSize=2&page=1')).toEqual([first, second]);
  expect(await ids(service, '?asc=true&pageSize=2&page=2')).toEqual([third]);
  expect(await ids(service, '?pageSize=1&page=0')).toEqual([third, second, first]);
  expect((await service.call('GET', `${LIST}?pageSize=x`)).status).toBe(400);
  expect((await service.call('GET', LIST.replace('/dev/', '/none/'))).status).toBe(404);
});
