import { Administration, createOrganization, makeToken, verifyAudit } from '../src/index.js';
import { S, endServices, newFolder, startTestService, startUpdate, storeTest } from './service.js';
import type { Answer, CallOptions, TestService } from './service.js';

afterEach(endServices);

/** Caller with a token, who makes calls. */
type Call = (method: string, route: string, body?: unknown) => Promise<Answer>;

interface TestOrganization {
  readonly service: TestService;
  readonly admin: Call;
  /** Returns a caller with a token for a user. */
  readonly as: (user: string, role?: 'reader' | 'writer' | 'admin', more?: object) => Promise<Call>;
}

const ORG = '/api/orgs/acme';

/** Organization `acme` with an administrator `root-user`, and stacks `shop/dev` and `shop/prod`. */
async function organization(): Promise<TestOrganization> {
  const service = await startTestService();
  const ports = { store: service.store, now: () => new Date() };
  await createOrganization(ports, 'acme', 'root-user');
  const as: TestOrganization['as'] = async (user, role = 'admin', more = {}) => {
    const token = await makeToken(ports, { user, role, name: `of ${user}`, organization: 'acme', ...more });
    return caller(service, token);
  };
  const admin = await as('root-user');
  for (const stackName of ['dev', 'prod'])
    expect(
      await admin('POST', '/api/stacks/acme/shop', { stackName, tags: { env: stackName } }),
    ).toMatchObject({
      status: 200,
    });
  return { service, admin, as };
}

function caller(service: TestService, token: string): Call {
  return (method, route, body) => {
    const options: CallOptions = { auth: `token ${token}`, ...(body !== undefined && { body }) };
    return service.call(method, route, options);
  };
}

async function addMember(admin: Call, login: string, role: string): Promise<void> {
  expect((await admin('POST', `${ORG}/members/${login}`, { role })).status).toBe(200);
}

async function stacksOf(call: Call): Promise<readonly string[]> {
  const { stacks } = (await call('GET', '/api/user/stacks')).body as {
    stacks: { orgName: string; projectName: string; stackName: string }[];
  };
  return stacks.map(({ orgName, projectName, stackName }) => `${orgName}/${projectName}/${stackName}`).sort();
}

async function statuses(
  call: Call,
  routes: readonly (readonly [string, string, unknown?])[],
): Promise<number[]> {
  const found: number[] = [];
  for (const [method, route, body] of routes) found.push((await call(method, route, body)).status);
  return found;
}

storeTest('organizations have stacks of the same names, and a caller sees those of its own', async () => {
  const { service, admin } = await organization();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  expect(await stacksOf(admin)).toEqual(['acme/shop/dev', 'acme/shop/prod']);
  expect((await admin('GET', '/api/stacks/acme/shop/dev')).body).toMatchObject({
    ...{ orgName: 'acme', tags: { env: 'dev' } },
  });
  expect(await service.call('GET', '/api/stacks/acme/shop/dev')).toMatchObject({
    body: { code: 404, message: "Not Found: Organization 'acme' not found." },
  });
  expect((await service.call('GET', '/api/user/stacks')).body['stacks']).toMatchObject([
    { orgName: 'organization', stackName: 'dev' },
  ]);
  expect((await admin('GET', '/api/user')).body).toMatchObject({
    organizations: [{ githubLogin: 'acme' }],
  });
  expect((await admin('GET', '/api/user/organizations/default')).body['GitHubLogin']).toBe('acme');
});

storeTest(
  'an update runs on a stack of an organization, beside one of the same name in another',
  async () => {
    const { service, admin } = await organization();
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
    const first = await startUpdate(service);
    const at = '/api/stacks/acme/shop/dev';
    const { updateID } = (await admin('POST', `${at}/update`, { options: {}, metadata: {} })).body;
    const started = await admin('POST', `${at}/update/${String(updateID)}`, { journalVersion: 1 });
    expect(started).toMatchObject({ status: 200, body: { version: 1 } });
    const auth = `update-token ${String(started.body['token'])}`;
    const end = { auth, body: { status: 'succeeded' } };
    // The token of one update is not that of the other, also under the path of the other stack.
    expect((await service.call('POST', `${S}/update/${first.id}/complete`, end)).status).toBe(403);
    expect((await service.call('POST', `${S}/update/${String(updateID)}/complete`, end)).status).toBe(404);
    expect((await service.call('POST', `${at}/update/${String(updateID)}/complete`, end)).status).toBe(200);
    expect((await service.call('GET', S)).body).toMatchObject({ version: 0, activeUpdate: first.id });
    expect((await admin('GET', at)).body).toMatchObject({ version: 1 });
    const moved = await admin('POST', `${at}/rename`, { newName: 'test', newProject: 'shop' });
    expect([moved.status, (await admin('GET', '/api/stacks/acme/shop/test')).status]).toEqual([200, 200]);
  },
);

storeTest('grants to users and teams, by pattern and by tag', async () => {
  const { admin, as } = await organization();
  await addMember(admin, 'dev-user', 'none');
  const dev = await as('dev-user');
  const prod = '/api/stacks/acme/shop/prod';
  const stack = '/api/stacks/acme/shop/dev';
  expect(await stacksOf(dev)).toEqual([]);
  expect(
    await statuses(dev, [
      ['GET', stack],
      ['HEAD', '/api/stacks/acme/shop'],
    ]),
  ).toEqual([404, 403]);
  const byPattern = await admin('POST', `${ORG}/grants`, {
    to: 'user:dev-user',
    role: 'writer',
    stacks: 'shop/d*',
  });
  expect(byPattern.status).toBe(200);
  expect(await stacksOf(dev)).toEqual(['acme/shop/dev']);
  expect(
    await statuses(dev, [
      ['GET', stack],
      ['PATCH', `${stack}/tags`, { env: 'dev' }],
      ['GET', prod],
    ]),
  ).toEqual([...[200, 200, 404]]);
  expect(await statuses(dev, [['POST', '/api/stacks/acme/shop', { stackName: 'd2' }]])).toEqual([200]);
  expect(await statuses(dev, [['POST', '/api/stacks/acme/shop', { stackName: 'x2' }]])).toEqual([403]);
  // A stack cannot be renamed to where its user may not write.
  expect(await statuses(dev, [['POST', `${stack}/rename`, { newName: 'x2' }]])).toEqual([403]);
  await admin('POST', `${ORG}/teams`, { name: 'ops-team', members: ['dev-user'] });
  await admin('POST', `${ORG}/grants`, { to: 'team:ops-team', role: 'reader', tag: 'env=prod' });
  expect(await stacksOf(dev)).toEqual(['acme/shop/d2', 'acme/shop/dev', 'acme/shop/prod']);
  expect(
    await statuses(dev, [
      ['GET', prod],
      ['DELETE', prod],
    ]),
  ).toEqual([200, 403]);
  // All of it ends at once.
  const { id } = byPattern.body;
  await admin('DELETE', `${ORG}/grants/${String(id)}`);
  await admin('PATCH', `${ORG}/teams/ops-team`, { memberAction: 'remove', member: 'dev-user' });
  expect(await stacksOf(dev)).toEqual([]);
  expect(
    await statuses(dev, [
      ['GET', stack],
      ['GET', prod],
    ]),
  ).toEqual([404, 404]);
});

storeTest('members, their roles, and teams with roles, as other clients manage them', async () => {
  const { admin, as } = await organization();
  await addMember(admin, 'new-user', 'reader');
  const user = await as('new-user');
  expect((await admin('GET', `${ORG}/members?type=frontend`)).body['members']).toMatchObject([
    { role: 'member', user: { githubLogin: 'new-user' }, fgaRole: { id: 'reader' } },
    { role: 'admin', user: { githubLogin: 'root-user' } },
  ]);
  expect(await statuses(user, [['DELETE', '/api/stacks/acme/shop/dev?force=false']])).toEqual([403]);
  await admin('PATCH', `${ORG}/members/new-user`, { fgaRoleId: 'writer' });
  expect(await statuses(user, [['DELETE', '/api/stacks/acme/shop/dev?force=false']])).toEqual([200]);
  await admin('PATCH', `${ORG}/members/new-user`, { role: 'member' });
  await admin('POST', `${ORG}/teams`, { name: 'web-team', members: ['new-user'] });
  expect((await admin('POST', `${ORG}/teams/web-team/roles/writer`)).status).toBe(200);
  expect((await admin('POST', `${ORG}/teams/web-team/roles/owner`)).body['code']).toBe(404);
  expect(await statuses(user, [['DELETE', '/api/stacks/acme/shop/prod?force=false']])).toEqual([200]);
  expect((await admin('GET', `${ORG}/roles`)).body['roles']).toMatchObject([
    ...[{ id: 'reader' }, { id: 'writer' }, { id: 'admin' }],
  ]);
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PATCH', { role: 'member' }],
  ] as const)
    expect(await admin(method, `${ORG}/members/root-user`, body)).toMatchObject({
      status: 409,
      body: { code: 409, message: "Conflict: 'root-user' is the only administrator." },
    });
  expect(await statuses(admin, [['DELETE', `${ORG}/members/new-user`]])).toEqual([200]);
  expect(
    await statuses(user, [
      ['GET', `${ORG}/members`],
      ['GET', '/api/user'],
    ]),
  ).toEqual([404, 200]);
});

storeTest('tokens: limits, use, end, and removal at once', async () => {
  const { service, admin, as } = await organization();
  const { tokenValue, id } = (
    await admin('POST', `${ORG}/tokens`, { name: 'ci', role: 'writer', stacks: ['shop/dev'] })
  ).body;
  const ci = caller(service, String(tokenValue));
  expect(tokenValue).toMatch(/^cairn-[\w-]{43}$/);
  expect(await stacksOf(ci)).toEqual(['acme/shop/dev']);
  expect(
    await statuses(ci, [
      ['GET', '/api/stacks/acme/shop/prod'],
      ['GET', `${ORG}/tokens`],
    ]),
  ).toEqual([404, 403]);
  expect((await ci('GET', '/api/user')).body).toMatchObject({
    ...{ githubLogin: 'acme', tokenInfo: { name: 'ci', organization: 'acme' } },
  });
  const listed = (await admin('GET', `${ORG}/tokens`)).body['tokens'] as { lastUsed: number }[];
  expect(listed).toMatchObject([
    { id, name: 'ci', kind: 'organization', role: 'writer', createdBy: 'root-user' },
  ]);
  expect(listed[0]?.lastUsed).toBeGreaterThan(0);
  expect(JSON.stringify(listed)).not.toContain(String(tokenValue));
  // A token makes none that may do more, and a token that is limited to stacks makes none.
  const reader = await as('root-user', 'reader');
  const made = (await reader('POST', '/api/user/tokens', { name: 'more', role: 'admin' })).body;
  expect((await admin('GET', '/api/user/tokens')).body['tokens']).toEqual(
    expect.arrayContaining([expect.objectContaining({ id: made['id'], role: 'reader' })]),
  );
  expect(await statuses(ci, [['POST', '/api/user/tokens', { name: 'x' }]])).toEqual([403]);
  const limited = await as('root-user', 'admin', { stacks: ['shop/dev'] });
  expect(await statuses(limited, [['POST', `${ORG}/tokens`, { name: 'x' }]])).toEqual([403]);
  expect(await statuses(limited, [['POST', '/api/user/tokens', { name: 'x' }]])).toEqual([403]);
  await admin('POST', `${ORG}/teams`, { name: 'ops-team' });
  const team = (await admin('POST', `${ORG}/teams/ops-team/tokens`, { name: 'bot' })).body;
  const bot = caller(service, String(team['tokenValue']));
  expect(await stacksOf(bot)).toEqual([]);
  await admin('POST', `${ORG}/grants`, { to: 'team:ops-team', role: 'reader', stacks: 'shop/prod' });
  expect(await stacksOf(bot)).toEqual(['acme/shop/prod']);
  for (const each of [id, team['id']])
    expect((await admin('DELETE', `${ORG}/tokens/${String(each)}`)).status).toBe(200);
  expect(await statuses(ci, [['GET', '/api/user']])).toEqual([401]);
  expect(await statuses(bot, [['GET', '/api/user']])).toEqual([401]);
  // The tokens of another user cannot be removed as one's own.
  const other = await as('other-user');
  expect(await statuses(other, [['DELETE', `/api/user/tokens/${String(made['id'])}`]])).toEqual([404]);
});

storeTest('a token without an organization makes only a user who is in none a member', async () => {
  const { service, as } = await organization();
  const ports = { store: service.store, now: () => new Date() };
  await as('none-user', 'reader');
  for (const user of ['none-user', 'new-user'])
    await makeToken(ports, { user, role: 'admin', name: 'second' });
  expect(await service.store.organizationsOf('none-user')).toEqual(['acme']);
  expect(await service.store.organizationsOf('new-user')).toEqual(['organization']);
  await expect(
    makeToken(ports, { user: 'new-user', role: 'admin', name: 'third', organization: 'nowhere' }),
  ).rejects.toThrow('there is no organization "nowhere"');
});

storeTest('what is wrong with an administration is named, with the next step', async () => {
  const { service } = await organization();
  const ports = { store: service.store, now: () => new Date(), newId: () => 'x', by: 'root' };
  const admin = new Administration(ports, 'acme');
  const grant = { to: 'team:nope', role: 'writer', stacks: undefined, tag: undefined };
  await expect(admin.newGrant({ ...grant, to: 'bobby' })).rejects.toThrow(
    'cannot use the grant: "to" is not user:LOGIN or team:NAME',
  );
  expect(() => admin.newOrganization('a/b', undefined)).toThrow('cannot use the name: it has to have');
  await expect(admin.newGrant(grant)).rejects.toMatchObject({
    diagnostics: [
      {
        summary: "cannot change who may do what: Team 'nope' not found",
        hint: expect.stringContaining('`team ls`') as string,
      },
    ],
  });
});

storeTest('the first administrator makes organizations, and administers all of them', async () => {
  const service = await startTestService(newFolder(), { token: false });
  const answer = await service.call('POST', `/setup/${String(service.service.setup)}`, {
    ...{ auth: '', body: { user: 'first-admin' } },
  });
  const first = caller(service, String(answer.body['token']));
  expect((await first('POST', '/api/orgs', { name: 'acme' })).status).toBe(200);
  expect((await first('POST', '/api/orgs', { name: 'acme' })).body['code']).toBe(409);
  expect((await first('POST', '/api/orgs', { name: 'organization' })).body['code']).toBe(409);
  const ports = { store: service.store, now: () => new Date() };
  await createOrganization(ports, 'other', undefined);
  expect((await first('GET', '/api/user')).body).toMatchObject({
    organizations: [{ githubLogin: 'organization' }, { githubLogin: 'acme' }, { githubLogin: 'other' }],
  });
  expect(
    await statuses(first, [
      ['GET', '/api/orgs/other/members'],
      ['GET', '/api/orgs/none/members'],
    ]),
  ).toEqual([...[200, 404]]);
  await makeToken(ports, { user: 'ann-user', role: 'admin', name: 'x', organization: 'acme' });
  const ann = caller(
    service,
    await makeToken(ports, { user: 'ann-user', role: 'admin', name: 'x', organization: 'acme' }),
  );
  expect(
    await statuses(ann, [
      ['POST', '/api/orgs', { name: 'more' }],
      ['GET', '/api/orgs/other/members'],
    ]),
  ).toEqual([...[403, 404]]);
});

storeTest('the audit log has who did what, from where and with which token', async () => {
  const { service, admin } = await organization();
  await addMember(admin, 'dev-user', 'none');
  const sealed = (await admin('POST', '/api/stacks/acme/shop/dev/encrypt', { plaintext: 'czNjcmV0' })).body;
  await admin('POST', '/api/stacks/acme/shop/dev/decrypt', sealed);
  await admin('POST', '/api/stacks/acme/shop', { stackName: 'dev' });
  const found = (await admin('GET', `${ORG}/auditlogs`)).body['auditLogEvents'] as Record<string, unknown>[];
  expect(found.map(({ event, description }) => [event, description])).toEqual([
    ['decrypt', 'opened secrets'],
    ['add-member', 'added a member: dev-user: none'],
    ['create-stack', 'created a stack'],
    ['create-stack', 'created a stack'],
  ]);
  expect(found[0]).toMatchObject({
    ...{ user: { githubLogin: 'root-user' }, sourceIP: '127.0.0.1', tokenName: 'of root-user' },
    ...{ timestamp: expect.any(Number), tokenID: expect.stringMatching(/^[0-9a-f]{12}$/) },
  });
  expect((await admin('GET', `${ORG}/auditlogs?eventType=add-member`)).body['auditLogEvents']).toHaveLength(
    1,
  );
  expect((await admin('GET', `${ORG}/auditlogs?user=dev-user`)).body['auditLogEvents']).toEqual([]);
  const { text } = await admin('GET', `${ORG}/auditlogs/export?format=csv`);
  expect(text.split('\n')).toHaveLength(6);
  expect(text).toContain(',decrypt,opened secrets,root-user,shop/dev,127.0.0.1,');
  const cef = (await admin('GET', `${ORG}/auditlogs/export?format=cef`)).text;
  expect(cef).toMatch(/^CEF:0\|Cairn\|state service\|1\|decrypt\|opened secrets\|3\|rt=\d+ suser=root-user /);
  expect((await admin('GET', `${ORG}/auditlogs/export?format=xml`)).body['code']).toBe(400);
  // Refused calls and other organizations are not in it, secrets and tokens never.
  expect((await service.call('GET', '/api/orgs/organization/auditlogs')).body['code']).toBe(403);
  expect(text).not.toContain('s3cret');
  expect(await verifyAudit(service.store)).toMatchObject({
    seq: 4,
    passed: true,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

storeTest('callers at the same time continue one chain of the audit log', async () => {
  const { service, admin } = await organization();
  const names = Array.from({ length: 30 }, (_, index) => `new-${index}`);
  const made = await Promise.all(
    names.map((stackName) => admin('POST', '/api/stacks/acme/shop', { stackName })),
  );
  expect(made.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect(await verifyAudit(service.store)).toMatchObject({ seq: 32 });
  const pages: number[] = [];
  let token: unknown;
  do {
    const query = token === undefined ? '' : `?continuationToken=${String(token)}`;
    const { body } = await admin('GET', `${ORG}/auditlogs${query}`);
    pages.push((body['auditLogEvents'] as unknown[]).length);
    token = body['continuationToken'];
  } while (token !== undefined);
  expect(pages.reduce((sum, each) => sum + each, 0)).toBe(32);
});
