import { createHmac, randomUUID } from 'node:crypto';
import { exchangedToken } from '@cairn/backends';
import { OidcProvider } from '@cairn/testkit/servers';
import { Administration, createOrganization, makeToken } from '../src/index.js';
import { endServices, startTestService, storeTest } from './service.js';
import type { Answer, TestService } from './service.js';

const AUDIENCE = 'urn:pulumi:org:acme';
const JOB = { aud: AUDIENCE, sub: 'repo:acme/shop:ref:refs/heads/main', environment: 'production' };
const TRUST = {
  ...{ name: 'deploys', role: 'writer', stacks: ['shop'], minutes: 30 },
  claims: { sub: 'repo:acme/*:ref:refs/heads/main', environment: 'production' },
};

let provider: OidcProvider;
beforeEach(async () => {
  provider = await OidcProvider.start();
});
afterEach(async () => {
  await endServices();
  await provider.stop();
});

/** Trusts an issuer without TLS, as an operator may. */
async function trustIn({ store }: TestService, trust: object): Promise<void> {
  const ports = { store, now: () => new Date(), newId: randomUUID, by: 'root' };
  await new Administration(ports, 'acme').newTrust({ ...trust });
}

interface Fixture {
  readonly service: TestService;
  readonly admin: string;
  readonly exchange: (token: string, form?: Readonly<Record<string, string>>) => Promise<Answer>;
}

async function trusting(
  trusts: readonly object[] = [{ ...TRUST, issuer: provider.issuer }],
): Promise<Fixture> {
  const service = await startTestService();
  const ports = { store: service.store, now: () => new Date() };
  await createOrganization(ports, 'acme', 'root-user');
  const made = { user: 'root-user', role: 'admin', name: 'x', organization: 'acme' } as const;
  const admin = `token ${await makeToken(ports, made)}`;
  for (const trust of trusts) await trustIn(service, trust);
  const exchange = async (token: string, form: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const response = await fetch(`${service.url}/api/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ audience: AUDIENCE, grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' },
        ...{ requested_token_type: 'urn:pulumi:token-type:access_token:organization', scope: '' },
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        ...{ subject_token: token, expiration: '0', ...form },
      }),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) as Answer['body'] };
  };
  return { service, admin, exchange };
}

storeTest(
  'a job exchanges its token for one of the organization, with the role, stacks and minutes of the trust',
  async () => {
    const { service, admin, exchange } = await trusting();
    const job = await provider.token(JOB);
    const answer = await exchange(job, { expiration: '7200' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        ...{
          access_token: expect.stringMatching(/^cairn-/),
          token_type: 'token',
          expires_in: 1800,
          scope: '',
        },
        issued_token_type: 'urn:pulumi:token-type:access_token:organization',
      },
    });
    const auth = `token ${String(answer.body['access_token'])}`;
    expect((await service.call('GET', '/api/user', { auth })).body).toMatchObject({
      githubLogin: 'acme',
      tokenInfo: { name: 'deploys: repo:acme/shop:ref:refs/heads/main', organization: 'acme' },
    });
    const create = async (project: string): Promise<number> =>
      (await service.call('POST', `/api/stacks/acme/${project}`, { auth, body: { stackName: 'dev' } }))
        .status;
    expect([await create('shop'), await create('web')]).toEqual([200, 403]);
    // Clients send it again when an answer was lost.
    expect((await exchange(job, { expiration: '60' })).body['expires_in']).toBe(60);
    const { body } = await service.call('GET', '/api/orgs/acme/auditlogs?eventType=exchange-token', {
      auth: admin,
    });
    expect(body['auditLogEvents']).toMatchObject([
      { description: 'got a token for a job: deploys: repo:acme/shop:ref:refs/heads/main' },
      {},
    ]);
  },
);

storeTest('the client of Cairn exchanges a token for one of the organization or of a team', async () => {
  const { service, admin } = await trusting();
  const address = { url: service.url, version: '0.1.0' };
  const job = { organization: 'acme', scope: '', token: await provider.token(JOB), expiration: 600 };
  const userOf = async (token: string): Promise<unknown> =>
    (await service.call('GET', '/api/user', { auth: `token ${token}` })).body['tokenInfo'];
  expect(await userOf(await exchangedToken(address, job))).toMatchObject({ organization: 'acme' });
  const team = { ...job, scope: 'team:ops-team' };
  await expect(exchangedToken(address, team)).rejects.toMatchObject({
    diagnostics: [
      { code: 'CAIRN-STORE-CREDENTIALS', summary: expect.stringContaining('gives no tokens of this kind') },
    ],
  });
  await service.call('POST', '/api/orgs/acme/teams', { auth: admin, body: { name: 'ops-team' } });
  await trustIn(service, { ...TRUST, issuer: provider.issuer, to: 'team:ops-team' });
  expect(await userOf(await exchangedToken(address, team))).toMatchObject({ team: 'ops-team' });
});

storeTest('tokens of a team and of a user need a trust for them', async () => {
  const { service, admin, exchange } = await trusting();
  const team = { requested_token_type: 'urn:pulumi:token-type:access_token:team', scope: 'team:ops-team' };
  expect((await exchange(await provider.token(JOB), team)).status).toBe(403);
  await service.call('POST', '/api/orgs/acme/teams', { auth: admin, body: { name: 'ops-team' } });
  const trust = { ...TRUST, issuer: provider.issuer, to: 'team:ops-team' };
  await trustIn(service, trust);
  const answer = await exchange(await provider.token(JOB), team);
  const auth = `token ${String(answer.body['access_token'])}`;
  expect((await service.call('GET', '/api/user', { auth })).body['tokenInfo']).toMatchObject({
    team: 'ops-team',
  });
  const user = {
    requested_token_type: 'urn:pulumi:token-type:access_token:personal',
    scope: 'user:root-user',
  };
  expect((await exchange(await provider.token(JOB), user)).status).toBe(403);
});

storeTest('a token that is not trusted is refused', async () => {
  const { exchange } = await trusting();
  const good = await provider.token(JOB);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signedBy = (alg: string, secret: string): string => {
    const head = part({ alg, kid: provider.key.id });
    return `${head}.${payload}.${createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')}`;
  };
  const other = await OidcProvider.foreignKey(provider.key.id);
  const cases: readonly (readonly [string, string, number, RegExp])[] = [
    ['no token', 'x', 401, /not a JSON web token/],
    [
      'another issuer',
      await provider.token({ ...JOB, iss: 'https://evil.example' }),
      401,
      /not trust the issuer/,
    ],
    [
      'another audience',
      await provider.token({ ...JOB, aud: 'urn:pulumi:org:other' }),
      401,
      /another audience/,
    ],
    ['no audience', await provider.token({ ...JOB, aud: undefined }), 401, /another audience/],
    ['expired', await provider.token(JOB, { from: -600, until: -120 }), 401, /expired/],
    ['not valid yet', await provider.token(JOB, { from: 600, until: 900 }), 401, /"nbf"/],
    ['without subject', await provider.token({ ...JOB, sub: undefined }), 401, /"sub"/],
    ['alg none', `${part({ alg: 'none' })}.${payload}.`, 401, /./],
    [
      'a secret in place of a key',
      signedBy('HS256', JSON.stringify(provider.key.published)),
      401,
      /algorithm/,
    ],
    [
      'an unknown key',
      await provider.token(JOB, { key: await OidcProvider.foreignKey('no-key') }),
      401,
      /key that its/,
    ],
    ['another key under the same id', await provider.token(JOB, { key: other }), 401, /signature/],
    [
      'altered claims',
      `${header}.${part({ ...JOB, iss: provider.issuer, exp: 2e9 })}.${signature}`,
      401,
      /signature/,
    ],
    [
      'a branch that does not match',
      await provider.token({ ...JOB, sub: 'repo:acme/shop:ref:refs/heads/x' }),
      403,
      /claims/,
    ],
    ['a claim that is missing', await provider.token({ ...JOB, environment: undefined }), 403, /claims/],
  ];
  for (const [name, token, status, text] of cases) {
    const answer = await exchange(token);
    expect([name, answer.status, answer.body]).toEqual([
      ...[
        name,
        status,
        { code: status, message: expect.stringMatching(text), requestId: expect.any(String) },
      ],
    ]);
  }
  expect((await exchange(good, { audience: 'urn:pulumi:org:nobody' })).body['message']).toMatch(
    /not trust the issuer/,
  );
  const forms: readonly Readonly<Record<string, string>>[] = [
    ...[{ grant_type: 'refresh_token' }, { audience: 'acme' }, { scope: 'x', requested_token_type: 'y' }],
  ];
  for (const form of forms) expect((await exchange(good, form)).body['code']).toBe(400);
  // The clocks of issuer and service may differ by a minute.
  expect((await exchange(await provider.token(JOB, { from: -600, until: -20 }))).status).toBe(200);
});

storeTest('keys of an issuer are kept, and new ones are found', async () => {
  const { exchange } = await trusting();
  for (let count = 0; count < 3; count += 1)
    expect((await exchange(await provider.token(JOB))).status).toBe(200);
  expect([provider.asked.get('/.well-known/openid-configuration'), provider.asked.get('/keys')]).toEqual([
    1, 1,
  ]);
  const old = provider.key;
  await provider.rotate();
  expect((await exchange(await provider.token(JOB))).status).toBe(200);
  expect((await exchange(await provider.token(JOB, { key: old }))).status).toBe(401);
});

storeTest('an issuer that does not answer is a failure that passes', async () => {
  const { exchange } = await trusting();
  const token = await provider.token(JOB);
  const { issuer } = provider;
  await provider.stop();
  expect(await exchange(token)).toMatchObject({
    status: 503,
    body: { code: 503, message: expect.stringContaining(issuer) },
  });
  provider = await OidcProvider.start();
});

storeTest('a removed trust ends the exchange, and the tokens end with their time', async () => {
  const { service, admin, exchange } = await trusting();
  const { body } = await service.call('GET', '/api/orgs/acme/trusts', { auth: admin });
  const [{ id }] = body['trusts'] as [{ id: string }];
  expect((await service.call('DELETE', `/api/orgs/acme/trusts/${id}`, { auth: admin })).status).toBe(200);
  expect((await exchange(await provider.token(JOB))).status).toBe(401);
});

test('a trust needs claims, and a team that exists', async () => {
  const { service, admin } = await trusting([]);
  const status = async (body: object): Promise<number> =>
    (await service.call('POST', '/api/orgs/acme/trusts', { auth: admin, body })).status;
  const trust = { ...TRUST, issuer: 'https://id.example.com' };
  expect([
    await status(trust),
    await status({ ...trust, claims: {} }),
    await status({ ...trust, to: 'team:no-team' }),
    await status({ ...trust, issuer: provider.issuer }),
    await status({ ...trust, minutes: 10_000 }),
  ]).toEqual([200, 400, 404, 400, 400]);
});
