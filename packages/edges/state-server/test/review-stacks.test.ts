import { makeToken, stackKeys } from '../src/index.js';
import { randomUUID } from 'node:crypto';
import { MASTER_KEY, S, endServices, startTestService, storeTest } from './service.js';
import type { Answer, TestService } from './service.js';

/** Review stacks of pull requests: copies that the service makes, and ends with their request. */

afterEach(endServices);

const REVIEW = S.replace(/dev$/, 'dev-pr-12');
const AGENTS = '/api/orgs/organization/agents';
const COMMIT = 'a'.repeat(40);
const OWN = { pull: 'hub/12', review: true, commit: COMMIT };
const SETTINGS = {
  sourceContext: { git: { repoUrl: 'https://git.test/shop.git', branch: 'main' } },
  operationContext: { environmentVariables: { KEY: { secret: 'psst' } } },
  cairn: { onCommit: 'up', policy: { rules: [{ kinds: ['create'], then: 'apply' }] } },
};

/** Service with a stack that has settings. */
async function world() {
  const service = await startTestService();
  const call = (method: string, route: string, body?: object): Promise<Answer> =>
    service.call(method, route, body === undefined ? {} : { body });
  for (const stackName of ['dev', 'other'])
    await call('POST', '/api/stacks/organization/shop', { stackName });
  await call('POST', `${S}/deployments/settings`, SETTINGS);
  const ask = (operation: string, own: object = OWN): Promise<Answer> =>
    call('POST', `${S}/deployments`, { operation, cairn: own });
  const claim = async (): Promise<Record<string, unknown>> =>
    (await call('POST', `${AGENTS}/claim`, { agent: 'one' })).body['run'] as Record<string, unknown>;
  return { service, call, ask, claim };
}

/** Text of a ciphertext that a stack seals. */
async function sealed({ call }: Pick<TestService, 'call'>, at: string): Promise<unknown> {
  const plaintext = Buffer.from('of the configuration').toString('base64');
  return (await call('POST', `${at}/encrypt`, { body: { plaintext } })).body['ciphertext'];
}

storeTest('an update makes the review stack, with the settings and the secrets of the stack', async () => {
  const { service, call, ask, claim } = await world();
  expect((await ask('update')).body).toMatchObject({ version: 1 });
  const { body: settings } = await call('GET', `${REVIEW}/deployments/settings`);
  expect(settings).toMatchObject({ sourceContext: SETTINGS.sourceContext });
  expect(settings['cairn']).toEqual({ policy: SETTINGS.cairn.policy });
  expect(await claim()).toMatchObject({
    ...{ stack: 'dev-pr-12', copies: 'dev', operation: 'update' },
    row: { kind: 'up', commit: COMMIT, pull: 'hub/12', pinned: true },
    settings: { operationContext: SETTINGS.operationContext },
  });
  // Its program has the configuration of the other stack.
  const open = async (ciphertext: unknown): Promise<number> =>
    (await call('POST', `${REVIEW}/decrypt`, { ciphertext: ciphertext as object })).status;
  expect([
    await open(await sealed(service, S)),
    await open(await sealed(service, REVIEW)),
    await open(await sealed(service, S.replace(/dev$/, 'other'))),
  ]).toEqual([200, 200, 400]);
  const back = { ciphertext: await sealed(service, REVIEW) };
  expect((await call('POST', `${S}/decrypt`, back)).status).toBe(400);
});

storeTest('its settings follow those of the stack, and a change of its own keeps what it is', async () => {
  const { call, ask } = await world();
  await ask('update');
  await call('POST', `${REVIEW}/deployments/settings`, { agentPoolID: 'red' });
  expect((await ask('destroy')).status).toBe(200);
  await call('POST', `${S}/deployments/settings`, { agentPoolID: 'blue' });
  expect((await ask('update')).status).toBe(200);
  expect((await call('GET', `${REVIEW}/deployments/settings`)).body).toMatchObject({ agentPoolID: 'blue' });
});

storeTest('its destroy needs no approval, and its removal ends the tokens of its runs', async () => {
  const { service, call, ask, claim } = await world();
  const { body: asked } = await ask('update');
  await call('POST', `${REVIEW}/deployments/${String(asked['id'])}/cancel`);
  await ask('destroy');
  const run = await claim();
  expect(run).toMatchObject({ stack: 'dev-pr-12', operation: 'destroy', row: { approved: true } });
  const auth = `token ${String(run['token'])}`;
  expect((await service.call('DELETE', REVIEW, { auth })).status).toBe(200);
  await call('POST', '/api/stacks/organization/shop', { stackName: 'dev-pr-12' });
  expect((await service.call('GET', REVIEW, { auth })).status).toBe(401);
  // The new stack of that name is no copy.
  expect((await ask('update')).status).toBe(409);
  expect((await ask('destroy')).status).toBe(409);
});

storeTest('a destroy of the stack itself needs an approval still', async () => {
  const { call, claim } = await world();
  await call('POST', `${S}/deployments`, { operation: 'destroy', cairn: { pull: 'hub/12' } });
  const { row } = await claim();
  expect(row).not.toHaveProperty('approved');
});

storeTest.each<[string, string, object, number]>([
  ['an operation that makes or ends nothing', 'preview', OWN, 400],
  ['no pull request', 'update', { review: true }, 400],
  ['the end of one that is not there', 'destroy', OWN, 404],
])('%s is refused', async (_what, operation, own, status) => {
  const { ask, call } = await world();
  expect((await ask(operation, own)).status).toBe(status);
  expect((await call('GET', REVIEW)).status).toBe(404);
});

storeTest('a token for the stack alone makes no review stack', async () => {
  const { service } = await world();
  const ports = {
    store: service.store,
    keys: stackKeys(MASTER_KEY),
    newId: randomUUID,
    now: () => new Date(),
  };
  const token = await makeToken(ports, { user: 'ann', name: 'narrow', role: 'writer', stacks: ['shop/dev'] });
  const body = { operation: 'update', cairn: OWN };
  const answer = await service.call('POST', `${S}/deployments`, { body, auth: `token ${token}` });
  expect(answer.status).toBe(403);
});
