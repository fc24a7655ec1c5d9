import { S, endServices, startTestService } from './service.js';

afterEach(endServices);

const D = `${S}/deployments`;
const URL = 'https://state.example.com';
const PAGE = `${URL}/s/organization/shop/dev/runs/1`;

test('a request, its run and its notices have the same page', async () => {
  const service = await startTestService(undefined, { url: URL });
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const body = { operation: 'update', inheritSettings: true };
  const made = (await service.call('POST', D, { body })).body;
  expect(made).toMatchObject({ version: 1, consoleUrl: PAGE });
  for (const at of [`${D}/${String(made['id'])}`, `${D}/version/1`])
    expect((await service.call('GET', at)).body).toMatchObject({ cairn: { consoleUrl: PAGE } });
  expect((await service.call('GET', D)).body).toMatchObject({
    deployments: [{ cairn: { consoleUrl: PAGE } }],
  });
  const claimed = await service.call('POST', '/api/orgs/organization/agents/claim', {
    body: { agent: 'one', wait: 0 },
  });
  const { fence } = claimed.body['run'] as { readonly fence: number };
  const notices = [{ type: 'run-failed', key: '1', data: { stack: 'dev' } }];
  const report = { agent: 'one', fence, release: false, lines: [], rows: [], notices };
  const attended = await service.call('POST', `${D}/${String(made['id'])}/attend`, { body: report });
  expect([attended.status, attended.text]).toEqual([200, expect.anything()]);
  expect((await service.call('GET', '/api/orgs/organization/notices')).body['notices']).toMatchObject([
    { type: 'run-failed', 'last-data': { stack: 'dev', page: PAGE } },
  ]);
});

test('the start of an update has the page of its change, and that of a preview the page of its plan', async () => {
  const service = await startTestService(undefined, { url: `${URL}/` });
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const change = { operation: 'up', process: { pid: 1, hostname: 'build-1' } };
  for (const dryRun of [true, false]) {
    const body = { options: { dryRun }, change };
    const { updateID } = (await service.call('POST', `${S}/update`, { body })).body;
    const started = await service.call('POST', `${S}/update/${String(updateID)}`, { body: { tags: {} } });
    const page = dryRun ? `previews/${String(updateID)}` : 'changes/1';
    expect(started.body).toMatchObject({ consoleUrl: `${URL}/s/organization/shop/dev/${page}` });
  }
});

test('a service that does not know its address names none', async () => {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const body = { operation: 'update', inheritSettings: true };
  expect((await service.call('POST', D, { body })).body).toMatchObject({ version: 1, consoleUrl: '' });
  expect((await service.call('GET', `${D}/version/1`)).body['cairn']).not.toHaveProperty('consoleUrl');
});
