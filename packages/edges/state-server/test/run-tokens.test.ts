import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import type { JSONWebKeySet } from 'jose';
import { masterKeyOf, makeToken, rotateKeys, stackKeys } from '../src/index.js';
import { S, endServices, isShared, newFolder, send, startTestService, storeTest } from './service.js';
import type { Answer, TestService } from './service.js';

afterEach(endServices);

const URL = 'https://state.test';
const D = `${S}/deployments`;
const AGENTS = '/api/orgs/organization/agents';
const DAY_MS = 86_400_000;
const NOT_ITS_RUN = 'Forbidden: Only the agent that has the run, and its processes, get a token for it.';

interface Claimed {
  readonly deployment: string;
  readonly fence: number;
  readonly token: string;
}

type Options = Parameters<typeof startTestService>[1];

/** Service with stacks `dev` and `prod`, a run of `dev` that an agent has, and a clock that a test moves. */
async function world(options: Options = { url: URL }) {
  let skew = 0;
  const folder = newFolder();
  const now = (): Date => new Date(Date.now() + skew);
  const service = await startTestService(folder, { now, ...options });
  for (const stackName of ['dev', 'prod'])
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName } });
  const ask = async (): Promise<Claimed> => {
    await service.call('POST', D, { body: { operation: 'update' } });
    const { body } = await service.call('POST', `${AGENTS}/claim`, { body: { agent: 'one' } });
    return body['run'] as Claimed;
  };
  const run = await ask();
  const issue = (body: object = {}, more: { auth?: string; at?: string } = {}): Promise<Answer> =>
    service.call('POST', `${more.at ?? D}/${run.deployment}/token`, {
      ...(more.auth !== undefined && { auth: `token ${more.auth}` }),
      body: { fence: run.fence, ...body },
    });
  const pass = (ms: number): void => {
    skew += ms;
  };
  return { service, folder, now, run, issue, pass };
}

async function keysOf(service: TestService): Promise<JSONWebKeySet> {
  return (await send(service.url, 'GET', '/oidc/jwks', {})).body as unknown as JSONWebKeySet;
}

/** Returns the claims of an answer's token, checked as a cloud does. */
async function verified(service: TestService, answer: Answer, currentDate: Date, audience = URL) {
  expect(answer).toMatchObject({ status: 200, body: { expiresIn: 600 } });
  const keys = createLocalJWKSet(await keysOf(service));
  const rules = { issuer: URL, audience, algorithms: ['RS256'], currentDate };
  return (await jwtVerify(String(answer.body['token']), keys, rules)).payload;
}

storeTest('a run gets tokens that verify against the published keys, and end after ten minutes', async () => {
  const { service, run, issue, now } = await world();
  const settings = await send(service.url, 'GET', '/.well-known/openid-configuration', {});
  expect(settings.body).toMatchObject({
    ...{ issuer: URL, jwks_uri: `${URL}/oidc/jwks` },
    id_token_signing_alg_values_supported: ['RS256'],
  });
  const answer = await issue();
  const claims = await verified(service, answer, now());
  expect(claims).toEqual({
    ...{ iss: URL, sub: 'organization:shop:dev:update', aud: URL, jti: expect.any(String) as string },
    ...{ iat: claims.iat, nbf: claims.iat, exp: Number(claims.iat) + 600 },
    ...{ organization: 'organization', project: 'shop', stack: 'dev', operation: 'update' },
    deployment: run.deployment,
  });
  // Its processes get one for another audience. No two tokens have one id.
  const other = await issue({ audience: 'sts.amazonaws.com' }, { auth: run.token });
  const { jti } = await verified(service, other, now(), 'sts.amazonaws.com');
  expect(jti).not.toBe(claims.jti);
  const later = new Date(now().getTime() + 601_000);
  await expect(verified(service, answer, later)).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' });
  const published = JSON.stringify(await keysOf(service));
  for (const secret of ['"d"', '"p"', '"q"', '"dp"', '"dq"', '"qi"', 'sealed'])
    expect(published).not.toContain(secret);
  const audit = await service.call('GET', '/api/orgs/organization/auditlogs?eventType=issue-run-token', {
    auth: `token ${await service.tokenFor('admin')}`,
  });
  expect(audit.body['auditLogEvents']).toMatchObject([
    { description: expect.stringContaining(`${run.deployment} for sts.amazonaws.com`) as string },
    {
      description: `got an OpenID Connect token for a run: ${run.deployment}`,
      user: { name: 'writer-user' },
    },
  ]);
});

storeTest('only the agent that has a run, and its processes, get tokens', async () => {
  const { service, run, issue } = await world();
  const ports = { store: service.store, now: () => new Date() };
  const stranger = await makeToken(ports, { user: 'ann', name: 'test', role: 'admin' });
  expect(await issue({}, { auth: stranger })).toMatchObject({ status: 403, body: { message: NOT_ITS_RUN } });
  for (const fence of [run.fence - 1, run.fence + 1]) expect((await issue({ fence })).status).toBe(409);
  const prod = { at: D.replace(/\/dev\//, '/prod/') };
  for (const auth of [service.token, run.token])
    expect((await issue({}, { ...prod, auth })).status).toBe(404);
  for (const audience of ['', 'a b', 'ä', 'a'.repeat(256), 7])
    expect((await issue({ audience })).status).toBe(400);
  // Silence for 30 s ends the lease, before another agent has taken the run.
  await service.pass(31_000);
  expect((await issue()).status).toBe(409);
  const again = await service.call('POST', `${AGENTS}/claim`, { body: { agent: 'two' } });
  expect(again.body).toMatchObject({ run: { deployment: run.deployment, fence: run.fence + 1 } });
  expect((await issue()).status).toBe(409);
  expect((await issue({ fence: run.fence + 1 })).status).toBe(200);
});

storeTest('a service that does not know its address issues nothing, and says so', async () => {
  const { service, issue } = await world({});
  const answers = [
    await issue(),
    await send(service.url, 'GET', '/oidc/jwks', {}),
    await send(service.url, 'GET', '/.well-known/openid-configuration', {}),
  ];
  for (const { status, body } of answers)
    expect([status, body['message']]).toEqual([404, expect.stringContaining('Start it with --url.')]);
  expect(await service.store.listAccess('signers', '')).toEqual([]);
});

storeTest('however many calls and processes want the first key, there is one', async () => {
  const { service, folder, issue, now } = await world();
  const others = isShared() ? [await startTestService(folder, { url: URL }), service] : [service];
  const all = await Promise.all(
    Array.from({ length: 6 }, (_, at) => keysOf(others[at % others.length] as TestService)),
  );
  expect(new Set(all.map(({ keys }) => keys.map(({ kid }) => kid).join())).size).toBe(1);
  await verified(service, await issue(), now());
  await service.stop();
  const after = await startTestService(folder, { url: URL });
  expect(await keysOf(after)).toEqual(all[0]);
});

storeTest(
  'keys rotate: a new one is published before it signs, the former one until its tokens end',
  async () => {
    const { service, run, issue, now, pass } = await world();
    const kids = async (): Promise<readonly unknown[]> => (await keysOf(service)).keys.map(({ kid }) => kid);
    let { fence } = run;
    /** Returns the key of a new token, after some days. An agent takes the run again, with a new token. */
    const kidAfter = async (days: number): Promise<unknown> => {
      pass(days * DAY_MS);
      await service.pass(31_000);
      await service.call('POST', `${AGENTS}/claim`, { body: { agent: 'one' } });
      fence += 1;
      const answer = await issue({ fence });
      await verified(service, answer, now());
      return decodeProtectedHeader(String(answer.body['token'])).kid;
    };
    const first = await kidAfter(0);
    expect(await kids()).toEqual([first]);
    expect(await kidAfter(28)).toBe(first);
    expect(await kids()).toEqual([first]);
    expect(await kidAfter(1.5)).toBe(first);
    const [, second] = await kids();
    expect(await kids()).toEqual([first, second]);
    expect(second).not.toBe(first);
    expect(await kidAfter(1)).toBe(second);
    expect(await kids()).toEqual([first, second]);
    pass(DAY_MS / 10);
    expect(await kids()).toEqual([second]);
  },
);

storeTest('the private key is sealed, and rotates with the master key', async () => {
  const [old, next] = [1, 2].map((byte) =>
    masterKeyOf(Buffer.alloc(32, byte).toString('base64'), 'the test', {}),
  );
  if (old === undefined || next === undefined) throw new Error('no keys');
  const { service, folder, issue } = await world({ url: URL, keys: stackKeys(old) });
  expect((await issue()).status).toBe(200);
  const [kept] = await service.store.listAccess('signers', '');
  expect(kept).toMatchObject({ sealed: { key: { master: old.id } } });
  expect(JSON.stringify(kept)).not.toContain('PRIVATE KEY');
  const keys = stackKeys(next, [old]);
  // Two stacks and the key.
  expect(await rotateKeys(service.store, keys)).toEqual({ rotated: 3, current: 0 });
  expect(await rotateKeys(service.store, keys)).toEqual({ rotated: 0, current: 3 });
  const published = await keysOf(service);
  await service.stop();
  const after = await startTestService(folder, { url: URL, keys: stackKeys(next) });
  expect(await keysOf(after)).toEqual(published);
});
