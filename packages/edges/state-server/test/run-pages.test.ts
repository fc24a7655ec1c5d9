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

test('a run names its change, its plan and its pull request, and after its end the agent that ran it', async () => {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const page = 'https://hub.example.com/acme/shop/pull/12';
  for (const pullPage of ['http://hub.example.com/12', 'javascript:alert(1)'])
    expect((await service.call('POST', D, { body: { cairn: { pullPage } } })).status).toBe(400);
  const made: string[] = [];
  for (const [operation, dryRun] of [
    ['update', false],
    ['preview', true],
  ] as const) {
    const asked = { operation, inheritSettings: true, cairn: { pull: 'hub/12', pullPage: page } };
    const id = String((await service.call('POST', D, { body: asked })).body['id']);
    const claimed = await service.call('POST', '/api/orgs/organization/agents/claim', {
      body: { agent: 'one', wait: 0 },
    });
    const run = claimed.body['run'] as { readonly fence: number; readonly row: object };
    const metadata = { message: '', environment: { 'ci.system': 'Cairn agent', 'ci.build.id': id } };
    const change = { operation: 'up', process: { pid: 1, hostname: 'build-1' } };
    const body = { options: { dryRun }, metadata, change };
    const { updateID } = (await service.call('POST', `${S}/update`, { body })).body;
    await service.call('POST', `${S}/update/${String(updateID)}`, { body: { tags: {} } });
    made.push(String(updateID));
    const rows = ['ready', 'applying', 'succeeded'].map((status) => ({ ...run.row, status }));
    const report = { agent: 'one', fence: run.fence, rows };
    expect((await service.call('POST', `${D}/${id}/attend`, { body: report })).status).toBe(200);
  }
  const run = { status: 'succeeded', pull: 'hub/12', pullPage: page };
  expect((await service.call('GET', `${D}/version/1`)).body).toMatchObject({
    ...{ cairn: { agent: 'one', run }, updates: [{ id: made[0], cairn: { change: 1 } }] },
  });
  expect((await service.call('GET', `${D}/version/2`)).body).toMatchObject({
    ...{ cairn: { agent: 'one', run }, updates: [{ id: made[1], cairn: { preview: true } }] },
  });
});

test('a service that does not know its address names none', async () => {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const body = { operation: 'update', inheritSettings: true };
  expect((await service.call('POST', D, { body })).body).toMatchObject({ version: 1, consoleUrl: '' });
  expect((await service.call('GET', `${D}/version/1`)).body['cairn']).not.toHaveProperty('consoleUrl');
});
