import { OidcProvider } from '@cairn/testkit/servers';
import { createOrganization, readSignInSettings } from '../src/index.js';
import type { SignInSettings } from '../src/index.js';
import { endServices, newFolder, startTestService, storeTest } from './service.js';
import type { TestService } from './service.js';

let provider: OidcProvider;
beforeEach(async () => {
  provider = await OidcProvider.start();
  provider.user = { sub: '17', preferred_username: 'ann-user', groups: ['ops-team', 'none'], hd: 'acme.com' };
});
afterEach(async () => {
  await endServices();
  await provider.stop();
});

const URL_OF_SERVICE = 'https://state.example.com';

function settings(more: object = {}): Promise<SignInSettings> {
  const file = {
    ...{ issuer: provider.issuer, clientId: 'cairn', clientSecretFile: 'secret', url: `${URL_OF_SERVICE}/` },
    ...{ claims: { teams: 'groups' }, organization: 'acme', require: { hd: 'acme.com' }, ...more },
  };
  return readSignInSettings(JSON.stringify(file), 'sign-in.json', async () => 's3cret\n');
}

async function signingIn(more: object = {}): Promise<TestService> {
  const service = await startTestService(newFolder(), { signIn: await settings(more) });
  const ports = { store: service.store, now: () => new Date() };
  await createOrganization(ports, 'acme', 'root-user');
  await service.store.changeAccess('acme', (access) =>
    access.putAccess('teams', { id: 'ops-team', members: [] }),
  );
  return service;
}

interface Visit {
  readonly status: number;
  readonly location: string;
  readonly cookie: string;
  readonly text: string;
}

async function visit(address: string, cookie = ''): Promise<Visit> {
  const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    cookie: response.headers.get('set-cookie') ?? '',
    text: await response.text(),
  };
}

/** Walks through the sign-in as a browser does, and returns the callback that the service is to get. */
async function consent(service: TestService, route: string): Promise<{ callback: string; cookie: string }> {
  const begun = await visit(service.url + route);
  expect(begun.status).toBe(302);
  const back = await visit(begun.location);
  return {
    callback: back.location.replace(URL_OF_SERVICE, service.url),
    cookie: begun.cookie.split(';')[0] ?? '',
  };
}

const CLI = '/cli-login?cliSessionPort=4321&cliSessionNonce=0123456789abcdef&cliSessionDescription=laptop';

storeTest('a client gets a token by the browser, with PKCE, state and nonce', async () => {
  const service = await signingIn();
  const { callback, cookie } = await consent(service, CLI);
  const [asked] = provider.authorizations;
  expect(Object.fromEntries(asked ?? [])).toMatchObject({
    ...{
      client_id: 'cairn',
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    },
    redirect_uri: `${URL_OF_SERVICE}/login/callback`,
  });
  const end = await visit(callback, cookie);
  const target = new URL(end.location);
  expect([end.status, target.host, target.searchParams.get('nonce')]).toEqual([
    ...[302, '127.0.0.1:4321', '0123456789abcdef'],
  ]);
  expect(end.cookie).toContain('cairn-sign-in=;');
  expect(cookie).not.toContain('0123456789abcdef');
  const [request] = provider.tokenRequests;
  expect(request?.form.get('code_verifier')).toMatch(/^[\w-]{43,}$/);
  const auth = `token ${target.searchParams.get('accessToken')}`;
  expect((await service.call('GET', '/api/user', { auth })).body).toMatchObject({
    ...{ githubLogin: 'ann-user', organizations: [{ githubLogin: 'acme' }], tokenInfo: { name: 'laptop' } },
  });
  // The role is that of people who sign in, and the teams are those that the provider names.
  expect((await service.call('GET', '/api/orgs/acme/teams', { auth })).body['teams']).toEqual([
    { name: 'ops-team', members: ['ann-user'] },
  ]);
  const create = { auth, body: { stackName: 'dev' } };
  expect((await service.call('POST', '/api/stacks/acme/shop', create)).status).toBe(403);
});

storeTest('a service below a path takes people back there', async () => {
  const service = await signingIn({ url: 'https://example.com/cairn/' });
  const begun = await visit(`${service.url}/console/login`);
  const back = await visit(begun.location);
  expect(back.location).toMatch(/^https:\/\/example\.com\/cairn\/login\/callback\?/);
  const callback = back.location.replace('https://example.com', service.url);
  const page = await visit(callback, begun.cookie.split(';')[0]);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('content="0;url=/cairn/"')]);
  expect(page.cookie).toMatch(/^__Host-cairn-session=session-[\w-]{43}; Secure; Path=\/; /);
  // A proxy may keep the path or remove it.
  for (const path of ['/healthz', '/cairn/healthz'])
    expect((await visit(service.url + path)).status).toBe(200);
  expect((await visit(`${service.url}/cairnish/healthz`)).status).toBe(404);
});

storeTest('without a client, the page shows the token; later sign-ins keep the user', async () => {
  const service = await signingIn();
  const first = await consent(service, '/login');
  const page = await visit(first.callback, first.cookie);
  expect([page.status, page.text]).toEqual([
    200,
    expect.stringMatching(/signed in as ann-user[^]*\ncairn-[\w-]{43}\n$/),
  ]);
  await service.store.changeAccess('acme', (access) => access.removeAccess('members', 'ann-user'));
  provider.user = { ...provider.user, preferred_username: 'renamed' };
  const second = await consent(service, '/login');
  const { text } = await visit(second.callback, second.cookie);
  expect(text).toContain('signed in as ann-user');
  // Who was removed is not a member again.
  const auth = `token ${text.trim().split('\n').at(-1)}`;
  expect((await service.call('GET', '/api/user', { auth })).body['organizations']).toEqual([]);
});

storeTest('a sign-in that is not as it should be is refused', async () => {
  const service = await signingIn();
  const good = await consent(service, '/login');
  const other = await consent(service, '/login');
  const wrongState = new URL(good.callback);
  wrongState.searchParams.set('state', 'other');
  const cases: readonly (readonly [string, string, string])[] = [
    ['without the cookie', good.callback, ''],
    ['with the cookie of another browser', good.callback, other.cookie],
    ['with an altered cookie', good.callback, good.cookie.replace(/.$/, 'A').replace(/^(.{30})./, '$1_')],
    ['with another state', wrongState.href, good.cookie],
    ['with an error', `${service.url}/login/callback?error=access_denied`, good.cookie],
  ];
  for (const [name, address, cookie] of cases)
    expect([name, (await visit(address, cookie)).status]).toEqual([name, 403]);
  for (const user of [
    { hd: 'evil.com' },
    { preferred_username: 'x' },
    { preferred_username: 'root-user' },
    { nonce: 'x' },
  ]) {
    const before = provider.user;
    provider.user = { ...before, ...user };
    const { callback, cookie } = await consent(service, '/login');
    expect([user, (await visit(callback, cookie)).status]).toEqual([user, 403]);
    provider.user = before;
  }
  for (const query of [
    '',
    'cliSessionPort=x&cliSessionNonce=0123456789abcdef',
    'cliSessionPort=80&cliSessionNonce=%0a',
  ])
    expect((await visit(`${service.url}/cli-login?${query}`)).status).toBe(400);
  expect((await service.store.listTokens()).length).toBe(1);
});

storeTest('an administrator lets an account become a known user', async () => {
  const service = await signingIn();
  provider.user = { ...provider.user, preferred_username: 'root-user' };
  const known = { id: 'root-user', since: 1, signIn: true };
  await service.store.changeAccess('', (access) => access.putAccess('users', known));
  const { callback, cookie } = await consent(service, '/login');
  const { text } = await visit(callback, cookie);
  const auth = `token ${text.trim().split('\n').at(-1)}`;
  expect((await service.call('GET', '/api/orgs/acme/grants', { auth })).status).toBe(200);
  // Only once: another account of the same name is refused.
  provider.user = { ...provider.user, sub: '18' };
  const again = await consent(service, '/login');
  expect((await visit(again.callback, again.cookie)).status).toBe(403);
});

test('without settings there is no sign-in, and a provider that is down is a failure that passes', async () => {
  const plain = await startTestService();
  expect((await plain.call('GET', '/login', { auth: '' })).body['code']).toBe(404);
  const service = await signingIn();
  await provider.stop();
  expect((await visit(`${service.url}/login`)).status).toBe(503);
  provider = await OidcProvider.start();
});

test.each<readonly [string, object, RegExp]>([
  ['no client', { clientId: undefined }, /clientId/],
  ['an unknown setting', { secret: 'x' }, /secret/],
  ['an issuer without TLS', { issuer: 'http://id.example.com' }, /issuer: its address is not https/],
  ['a role that is none', { role: 'owner' }, /role/],
])('settings with %s are refused', async (_name, more, text) => {
  await expect(settings(more)).rejects.toMatchObject({
    diagnostics: [{ code: 'CAIRN-USAGE', summary: expect.stringMatching(text) }],
  });
});
