import { S, endServices, newFolder, startTestService, storeTest } from './service.js';

afterEach(endServices);

const CREATE = '/api/stacks/organization/shop';
const CONFIG = { environment: 'shop/dev', secretsProvider: 'passphrase', encryptionSalt: 'v1:salt' };

storeTest('the place of a configuration is kept, changed, renamed with its stack, and removed', async () => {
  const folder = newFolder();
  const first = await startTestService(folder);
  expect((await first.call('POST', CREATE, { body: { stackName: 'dev' } })).status).toBe(200);
  // Its presence has a client look for an environment.
  expect((await first.call('GET', S)).body).not.toHaveProperty('config');
  const none = await first.call('GET', `${S}/config`);
  expect([none.status, none.body['code']]).toEqual([404, 404]);
  expect((await first.call('PUT', `${S}/config`, { body: CONFIG })).status).toBe(200);
  await first.stop();

  const { call, tokenFor } = await startTestService(folder);
  expect((await call('GET', S)).body['config']).toEqual(CONFIG);
  expect((await call('GET', `${S}/config`)).body).toEqual(CONFIG);
  const other = { environment: 'shop/other' };
  expect((await call('PUT', `${S}/config`, { body: other })).status).toBe(200);
  const renamed = await call('POST', `${S}/rename`, { body: { newName: 'prod', newProject: 'shop' } });
  expect(renamed.status).toBe(200);
  const at = S.replace(/dev$/, 'prod');
  expect((await call('GET', at)).body['config']).toEqual(other);
  expect((await call('DELETE', `${at}/config`)).status).toBe(200);
  expect((await call('GET', at)).body).not.toHaveProperty('config');

  const { body } = await call('GET', '/api/orgs/organization/auditlogs', {
    auth: `token ${await tokenFor('admin')}`,
  });
  const kinds = (body['auditLogEvents'] as readonly { readonly event: string }[]).map(({ event }) => event);
  expect(kinds.filter((kind) => kind.endsWith('stack-config')).sort()).toEqual([
    ...['delete-stack-config', 'put-stack-config', 'put-stack-config'],
  ]);
});

storeTest('a stack can begin with the place of its configuration', async () => {
  const { call } = await startTestService();
  expect((await call('POST', CREATE, { body: { stackName: 'dev', config: CONFIG } })).status).toBe(200);
  expect((await call('GET', S)).body['config']).toEqual(CONFIG);
  // A new stack of the name has nothing of the old one.
  expect((await call('DELETE', `${S}?force=false`)).status).toBe(200);
  expect((await call('POST', CREATE, { body: { stackName: 'dev' } })).status).toBe(200);
  expect((await call('GET', S)).body).not.toHaveProperty('config');
});

storeTest.each([
  ['no environment', {}],
  ['an empty one', { environment: '' }],
  ['a number', { environment: 7 }],
  ['a long salt', { environment: 'a', encryptionSalt: 'x'.repeat(20_000) }],
  ['a list', []],
])('a place of a configuration with %s is refused, and nothing changes', async (_what, body) => {
  const { call } = await startTestService();
  await call('POST', CREATE, { body: { stackName: 'dev' } });
  const refused = await call('PUT', `${S}/config`, { body });
  expect([refused.status, refused.body['code']]).toEqual([400, 400]);
  expect((await call('GET', S)).body).not.toHaveProperty('config');
  const unknown = await call('PUT', `${S.replace(/dev$/, 'none')}/config`, { body: CONFIG });
  expect(unknown.status).toBe(404);
});
