import { gzipSync } from 'node:zlib';
import {
  MANIFEST,
  S,
  endServices,
  newFolder,
  resource,
  send,
  startTestService,
  storeTest,
  startUpdate,
} from './service.js';
import type { TestService } from './service.js';

afterEach(endServices);

const NEW_STACK = { stackName: 'dev', tags: { 'pulumi:project': 'shop', 'pulumi:runtime': 'nodejs' } };

async function withStack(): Promise<TestService> {
  const service = await startTestService();
  expect(await service.call('POST', '/api/stacks/organization/shop', { body: NEW_STACK })).toMatchObject({
    status: 200,
    body: {},
  });
  return service;
}

storeTest('login: the user, the capabilities and the default organization', async () => {
  const service = await startTestService();
  expect(await service.call('GET', '/api/user')).toMatchObject({
    status: 200,
    body: {
      githubLogin: 'writer-user',
      organizations: [{ githubLogin: 'organization', name: 'organization' }],
    },
  });
  expect((await service.call('GET', '/api/capabilities')).body).toEqual({
    capabilities: [
      { capability: 'batch-encrypt' },
      { capability: 'deployment-schema-version', version: 1, configuration: { version: 4 } },
      { capability: 'cairn-changes' },
      { capability: 'cairn-queue' },
    ],
  });
  expect((await service.call('GET', '/api/user/organizations/default')).body).toEqual({
    GitHubLogin: 'organization',
    Messages: [],
  });
  for (const auth of ['', 'token wrong', `Bearer ${service.token}`, `update-token ${service.token}`])
    expect(await service.call('GET', '/api/user', { auth })).toMatchObject({
      status: 401,
      body: { code: 401, message: expect.stringMatching(/^Unauthorized: /) },
    });
});

storeTest(
  'new: there are no templates and packages here, so that a client takes those of other sources',
  async () => {
    const service = await startTestService();
    const asked = [
      'templates?limit=499',
      'templates?backing=vcs&limit=499',
      'packages?limit=499&name=random',
    ];
    const answers = await Promise.all(asked.map((each) => service.call('GET', `/api/registry/${each}`)));
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { templates: [] }],
      [200, { templates: [] }],
      [200, { packages: [] }],
    ]);
    expect(
      await service.call('GET', '/api/registry/packages/private/acme/tool/versions/latest'),
    ).toMatchObject({
      status: 404,
      body: { code: 404 },
    });
  },
);

storeTest('stack init, select, tags and ls', async () => {
  const service = await startTestService();
  expect(await service.call('GET', S)).toMatchObject({ status: 404, body: { code: 404 } });
  expect((await service.call('HEAD', '/api/stacks/organization/shop')).status).toBe(404);
  expect((await service.call('POST', '/api/stacks/organization/shop', { body: NEW_STACK })).status).toBe(200);
  expect((await service.call('HEAD', '/api/stacks/organization/shop')).status).toBe(200);
  expect(await service.call('POST', '/api/stacks/organization/shop', { body: NEW_STACK })).toMatchObject({
    status: 409,
    body: { code: 409, message: "Conflict: Stack 'dev' already exists." },
  });
  expect((await service.call('GET', S)).body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    orgName: 'organization',
    projectName: 'shop',
    stackName: 'dev',
    activeUpdate: '',
    tags: NEW_STACK.tags,
    version: 0,
  });
  expect((await service.call('PATCH', `${S}/tags`, { body: { team: 'a' } })).status).toBe(200);
  expect((await service.call('GET', S)).body['tags']).toEqual({ team: 'a' });
  const row = { orgName: 'organization', projectName: 'shop', stackName: 'dev', resourceCount: 0 };
  expect((await service.call('GET', '/api/user/stacks?project=shop&tagName=team')).body).toMatchObject({
    stacks: [row],
    continuationToken: null,
  });
  expect((await service.call('GET', '/api/user/stacks?tagName=team&tagValue=b')).body['stacks']).toEqual([]);
  expect(await service.call('POST', '/api/stacks/acme/shop', { body: NEW_STACK })).toMatchObject({
    status: 404,
    body: { code: 404 },
  });
});

storeTest('a new stack exports an empty state, which up starts from', async () => {
  const service = await withStack();
  const { status, body } = await service.call('GET', `${S}/export`);
  expect([status, body['version']]).toEqual([200, 3]);
  expect(body['deployment']).toMatchObject({ manifest: { version: 'v0.1.0' } });
});

storeTest('stack init with a secrets manager of its own keeps the state that it sends', async () => {
  const service = await startTestService();
  const state = {
    version: 3,
    deployment: { manifest: MANIFEST, secrets_providers: { type: 'passphrase', state: { salt: 'v1:x' } } },
  };
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev', state } });
  expect((await service.call('GET', `${S}/export`)).body).toEqual(state);
  expect((await service.call('GET', S)).body['version']).toBe(0);
});

storeTest('up with a preview and full checkpoints', async () => {
  const service = await withStack();
  const preview = await startUpdate(service, { dryRun: true });
  expect(preview.answer).toMatchObject({ status: 200, body: { version: 0, journalVersion: 0 } });
  expect(
    (
      await service.call('POST', `${preview.route}/complete`, {
        auth: preview.auth,
        body: { status: 'succeeded' },
      })
    ).status,
  ).toBe(200);

  const update = await startUpdate(service, { journal: false });
  expect(update.answer).toMatchObject({ status: 200, body: { version: 1, journalVersion: 0 } });
  expect((await service.call('GET', S)).body).toMatchObject({
    activeUpdate: update.id,
    currentOperation: { kind: 'update', author: 'writer-user' },
  });
  expect((await service.call('GET', '/api/user/stacks')).body['stacks']).toMatchObject([{ lastUpdate: 0 }]);
  const deployment = { manifest: MANIFEST, resources: [resource('a')], metadata: {} };
  const { auth, route } = update;
  expect(
    await service.call('PATCH', `${route}/checkpoint`, {
      ...{ auth, gzip: true },
      body: { isInvalid: false, version: 3, deployment },
    }),
  ).toMatchObject({ status: 200 });
  const events = [
    { sequence: 1, timestamp: 2, summaryEvent: { resourceChanges: { create: 1 }, result: 'succeeded' } },
    { sequence: 0, timestamp: 1, preludeEvent: { config: {} } },
  ];
  for (let times = 0; times < 2; times += 1)
    expect(
      (await service.call('POST', `${route}/events/batch`, { auth, gzip: true, body: { events } })).status,
    ).toBe(200);
  expect(
    (await service.call('POST', `${route}/renew_lease`, { auth, body: { token: '', duration: 300 } })).body,
  ).toMatchObject({
    token: auth.slice('update-token '.length),
  });
  for (let times = 0; times < 2; times += 1)
    expect(
      (await service.call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } })).status,
    ).toBe(200);
  expect(await service.call('POST', `${route}/complete`, { auth, body: { status: 'failed' } })).toMatchObject(
    {
      status: 409,
      body: { code: 409 },
    },
  );
  expect((await service.call('GET', `${S}/export`)).body).toEqual({ version: 3, deployment });
  expect((await service.call('GET', `${S}/export/1`)).body).toEqual({ version: 3, deployment });
  expect(await service.call('GET', `${S}/export/2`)).toMatchObject({ status: 404, body: { code: 404 } });
  const info = {
    ...{ kind: 'update', message: 'first', environment: { 'exec.kind': 'cli' }, result: 'succeeded' },
    ...{ version: 1, resourceChanges: { create: 1 } },
    config: { 'shop:size': { string: '3', secret: false, object: false } },
  };
  expect((await service.call('GET', `${S}/updates?pageSize=10&page=1`)).body).toMatchObject({
    updates: [info],
  });
  expect((await service.call('GET', `${S}/updates/latest`)).body).toMatchObject({ info });
  expect((await service.call('GET', route)).body).toEqual({ status: 'succeeded', events: [] });
  expect((await service.call('GET', `${route}/events`)).body).toEqual({
    events: [events[1], events[0]],
    continuationToken: null,
  });
  expect((await service.call('GET', S)).body).toMatchObject({ version: 1, activeUpdate: update.id });
});

storeTest(
  'gzip by both of its names is unpacked where clients send none, and a new stack has no latest update',
  async () => {
    const service = await withStack();
    for (const encoding of ['gzip', 'x-gzip', 'GZIP']) {
      const { status } = await fetch(`${service.url}${S}/tags`, {
        method: 'PATCH',
        headers: { authorization: `token ${service.token}`, 'content-encoding': encoding },
        body: gzipSync(JSON.stringify({ packed: encoding })),
      });
      expect([encoding, status]).toEqual([encoding, 200]);
      expect((await service.call('GET', S)).body['tags']).toEqual({ packed: encoding });
    }
    expect(await service.call('GET', `${S}/updates/latest`)).toMatchObject({
      status: 404,
      body: { code: 404 },
    });
    expect((await service.call('GET', `${S}/updates`)).body).toMatchObject({ updates: [] });
  },
);

storeTest('a second update is refused with the text that clients know, and previews run beside', async () => {
  const service = await withStack();
  await startUpdate(service);
  const second = await startUpdate(service);
  expect(second.answer).toMatchObject({
    status: 409,
    body: {
      code: 409,
      message: expect.stringMatching(/^Conflict: Another update is currently in progress\./),
    },
  });
  expect((await startUpdate(service, { dryRun: true })).answer.status).toBe(200);
  for (const [method, path, body] of [
    ['POST', `${S}/import`, { version: 3, deployment: { manifest: MANIFEST } }],
    ['POST', `${S}/rename`, { newName: 'prod', newProject: 'shop' }],
    ['DELETE', `${S}?force=true`, undefined],
  ] as const)
    expect(await service.call(method, path, { body })).toMatchObject({ status: 409, body: { code: 409 } });
});

storeTest('cancel frees the stack, and the holder learns it by 409', async () => {
  const service = await withStack();
  const { route, auth } = await startUpdate(service);
  for (let times = 0; times < 2; times += 1)
    expect((await service.call('POST', `${route}/cancel`)).status).toBe(200);
  for (const [method, path, body] of [
    ['PATCH', 'journalentries', { entries: [] }],
    ['POST', 'renew_lease', {}],
    ['POST', 'events/batch', { events: [] }],
    ['POST', 'complete', { status: 'failed' }],
  ] as const)
    expect(await service.call(method, `${route}/${path}`, { auth, body })).toMatchObject({
      status: 409,
      body: { code: 409, message: 'Conflict: Update was cancelled.' },
    });
  expect((await service.call('GET', `${S}/updates`)).body).toMatchObject({
    updates: [{ result: 'failed', version: 1 }],
  });
  expect((await startUpdate(service)).answer).toMatchObject({ status: 200, body: { version: 2 } });
});

storeTest('a lease that runs out ends its update, and its holder gets 403', async () => {
  const service = await withStack();
  const { route, auth } = await startUpdate(service);
  await service.pass(200_000);
  expect((await service.call('POST', `${route}/renew_lease`, { auth, body: { duration: 300 } })).status).toBe(
    200,
  );
  await service.pass(329_000);
  await service.service.sweep();
  expect(
    (await service.call('PATCH', `${route}/journalentries`, { auth, body: { entries: [] } })).status,
  ).toBe(200);
  await service.pass(2000);
  expect(
    await service.call('PATCH', `${route}/journalentries`, { auth, body: { entries: [] } }),
  ).toMatchObject({
    status: 403,
    body: { code: 403 },
  });
  expect((await service.call('GET', route)).body).toMatchObject({ status: 'failed' });
  expect((await startUpdate(service)).answer.status).toBe(200);
  await service.pass(331_000);
  await service.service.sweep();
  expect((await service.call('GET', S)).body).toMatchObject({ version: 2 });
});

storeTest('an import over the state that was read, and over another one', async () => {
  const service = await withStack();
  const authorization = `token ${service.token}`;
  const read = await fetch(`${service.url}${S}/export`, { headers: { authorization } });
  const etag = read.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{43}"$/);
  const store = async (name: string): Promise<readonly [status: number, code: unknown]> => {
    const answer = await fetch(`${service.url}${S}/import`, {
      method: 'POST',
      headers: { authorization, 'if-match': etag },
      body: JSON.stringify({ version: 3, deployment: { manifest: MANIFEST, resources: [resource(name)] } }),
    });
    return [answer.status, ((await answer.json()) as { readonly code?: number }).code];
  };
  expect(await store('a')).toEqual([200, undefined]);
  expect(await store('b')).toEqual([412, 412]);
  expect((await service.call('GET', `${S}/export`)).text).toContain('Thing::a');
});

storeTest('stack import and the poll of its update', async () => {
  const service = await withStack();
  const deployment = { manifest: MANIFEST, resources: [resource('a')] };
  const { status, body } = await service.call('POST', `${S}/import`, {
    gzip: true,
    body: { version: 3, deployment },
  });
  expect(status).toBe(200);
  expect((await service.call('GET', `${S}/update/${String(body['updateId'])}`)).body).toEqual({
    status: 'succeeded',
    events: [],
  });
  expect((await service.call('GET', `${S}/export`)).body).toEqual({ version: 3, deployment });
  expect((await service.call('GET', `${S}/updates/latest`)).body).toMatchObject({
    info: { kind: 'import', version: 1 },
  });
  for (const bad of [
    {},
    { version: 3 },
    { version: 5, deployment: {} },
    { version: 2, deployment: {} },
    { version: 3, deployment: [] },
    { version: 3, deployment: { resources: 1 } },
  ])
    expect(await service.call('POST', `${S}/import`, { body: bad })).toMatchObject({
      status: 400,
      body: { code: 400 },
    });
  expect((await service.call('GET', `${S}/export`)).body).toEqual({ version: 3, deployment });
});

storeTest('an inconsistent state is stored and marked', async () => {
  const service = await withStack();
  const deployment = {
    manifest: MANIFEST,
    resources: [resource('a', { parent: 'urn:pulumi:dev::shop::test:index:Thing::gone' })],
  };
  expect((await service.call('POST', `${S}/import`, { body: { version: 3, deployment } })).status).toBe(200);
  expect((await service.call('GET', `${S}/export`)).body).toMatchObject({
    deployment: { ...deployment, metadata: { integrity_error: { version: 'v0.1.0' } } },
  });
});

storeTest('stack rm refuses resources with the exact text, unless forced', async () => {
  const service = await withStack();
  await service.call('POST', `${S}/import`, {
    body: { version: 3, deployment: { manifest: MANIFEST, resources: [resource('a')] } },
  });
  expect(await service.call('DELETE', `${S}?force=false`)).toMatchObject({
    status: 400,
    body: { code: 400, message: 'Bad Request: Stack still contains resources.' },
  });
  expect((await service.call('DELETE', `${S}?force=true`)).status).toBe(200);
  expect((await service.call('GET', S)).status).toBe(404);
});

storeTest('stack rm takes a stack with nothing but its root resource', async () => {
  const service = await withStack();
  const root = { urn: 'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev', type: 'pulumi:pulumi:Stack' };
  await service.call('POST', `${S}/import`, {
    body: { version: 3, deployment: { manifest: MANIFEST, resources: [{ ...root, custom: false }] } },
  });
  expect((await service.call('DELETE', `${S}?force=false`)).status).toBe(200);
  expect((await service.call('GET', S)).status).toBe(404);
});

storeTest('secrets: each way, empty ones, duplicates, and those of another stack', async () => {
  const service = await withStack();
  const b64 = (text: string): string => Buffer.from(text).toString('base64');
  const { body } = await service.call('POST', `${S}/encrypt`, { body: { plaintext: b64('\u0000öß') } });
  const ciphertext = String(body['ciphertext']);
  expect((await service.call('POST', `${S}/decrypt`, { body: { ciphertext } })).body).toEqual({
    plaintext: b64('\u0000öß'),
  });
  const many = await service.call('POST', `${S}/batch-encrypt`, {
    gzip: true,
    body: { plaintexts: [b64('a'), '', null] },
  });
  const ciphertexts = many.body['ciphertexts'] as string[];
  const opened = await service.call('POST', `${S}/batch-decrypt`, {
    gzip: true,
    body: { ciphertexts: [...ciphertexts, ciphertexts[0]] },
  });
  expect(opened.body).toEqual({
    plaintexts: Object.fromEntries(ciphertexts.map((each, index) => [each, index === 0 ? b64('a') : ''])),
  });
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'other' } });
  for (const wrong of [ciphertext.slice(0, 20), b64('x'), '', Buffer.alloc(99, 1).toString('base64')])
    expect(await service.call('POST', `${S}/decrypt`, { body: { ciphertext: wrong } })).toMatchObject({
      status: 400,
      body: { code: 400 },
    });
  expect(
    await service.call('POST', '/api/stacks/organization/shop/other/decrypt', { body: { ciphertext } }),
  ).toMatchObject({ status: 400, body: { code: 400 } });
  expect(
    await service.call('POST', `${S}/decrypt/log-decryption`, { body: { secretName: 'a' } }),
  ).toMatchObject({
    status: 404,
    body: { code: 404 },
  });
});

storeTest('stack rename rewrites the state, keeps the secrets, and is in the history', async () => {
  const service = await withStack();
  const { body } = await service.call('POST', `${S}/encrypt`, { body: { plaintext: 'YQ==' } });
  const manager = {
    type: 'service',
    state: { url: service.url, owner: 'organization', project: 'shop', stack: 'dev' },
  };
  const deployment = {
    ...{
      manifest: MANIFEST,
      secrets_providers: manager,
      resources: [resource('a', { parent: '' }), resource('b')],
    },
    pending_operations: [{ resource: resource('c'), type: 'creating' }],
  };
  await service.call('POST', `${S}/import`, { body: { version: 3, deployment } });
  expect(
    (await service.call('POST', `${S}/rename`, { body: { newName: 'prod', newProject: 'web' } })).status,
  ).toBe(200);
  expect((await service.call('GET', S)).status).toBe(404);
  const T = '/api/stacks/organization/web/prod';
  const renamed = JSON.parse(
    JSON.stringify(deployment)
      .replaceAll('urn:pulumi:dev::shop', 'urn:pulumi:prod::web')
      .replace('"project":"shop","stack":"dev"', '"project":"web","stack":"prod"'),
  ) as object;
  expect((await service.call('GET', `${T}/export`)).body).toEqual({ version: 3, deployment: renamed });
  expect((await service.call('POST', `${T}/decrypt`, { body })).body).toEqual({ plaintext: 'YQ==' });
  expect((await service.call('GET', `${T}/updates`)).body).toMatchObject({
    updates: [
      { kind: 'rename', version: 2 },
      { kind: 'import', version: 1 },
    ],
  });
  expect((await service.call('POST', '/api/stacks/organization/shop', { body: NEW_STACK })).status).toBe(200);
  expect(await service.call('POST', `${S}/decrypt`, { body })).toMatchObject({ status: 400 });
});

storeTest('the token of an update is good for this update only', async () => {
  const service = await withStack();
  const { route, auth, id } = await startUpdate(service);
  const preview = await startUpdate(service, { dryRun: true });
  const renew = (path: string, token: string): ReturnType<TestService['call']> =>
    service.call('POST', `${path}/renew_lease`, { auth: token, body: {} });
  expect((await renew(route, auth)).status).toBe(200);
  expect(await renew(route, preview.auth)).toMatchObject({ status: 403, body: { code: 403 } });
  expect(await renew(route, `token ${service.token}`)).toMatchObject({ status: 403, body: { code: 403 } });
  expect(await renew(`/api/stacks/organization/shop/other/update/${id}`, auth)).toMatchObject({
    status: 404,
    body: { code: 404 },
  });
  expect(await service.call('GET', S, { auth })).toMatchObject({ status: 401, body: { code: 401 } });
  expect(
    await service.call('PATCH', `${preview.route}/checkpoint`, {
      auth: preview.auth,
      body: { version: 3, deployment: {} },
    }),
  ).toMatchObject({ status: 409 });
});

storeTest('unknown routes, wrong methods and odd names have JSON bodies with a code', async () => {
  const service = await withStack();
  for (const [method, path, status] of [
    ['GET', '/', 404],
    ['GET', '/api/nothing', 404],
    ['PUT', S, 404],
    ['GET', `${S}/policypacks`, 404],
    ['GET', `${S}/deployments/settings`, 404],
    ['GET', '/api/stacks/organization/shop/a%2Fb', 400],
    ['GET', '/api/stacks/organization/%00/dev', 400],
    ['GET', `${S}/update/..%2F..%2Fx`, 404],
    ['GET', `${S}/export/x`, 404],
  ] as const) {
    const answer = await service.call(method, path);
    expect([method, path, answer.status, answer.body['code']]).toEqual([method, path, status, status]);
  }
});

storeTest('bodies that are no JSON, too large or packed too well are refused whole', async () => {
  const service = await withStack();
  const bomb = ' '.repeat(40_000_000);
  const { route, auth } = await startUpdate(service);
  const batch = `${route}/journalentries`;
  expect(await service.call('PATCH', batch, { auth, gzip: true, raw: bomb })).toMatchObject({
    status: 413,
    body: { code: 413 },
  });
  const deep = '['.repeat(100_000);
  for (const raw of ['', '{', deep, '[]', '{"entries":1}', '{"entries":[{"version":2}]}'])
    expect([
      raw.slice(0, 30),
      (await service.call('PATCH', batch, { auth, raw })).body['code'] ?? 200,
    ]).toEqual([raw.slice(0, 30), 400]);
  const encoded = await fetch(service.url + batch, {
    method: 'PATCH',
    body: '{}',
    headers: { authorization: auth, 'content-encoding': 'gzip, gzip' },
  });
  expect([encoded.status, await encoded.json()]).toEqual([415, expect.objectContaining({ code: 415 })]);
});

storeTest('readers look, and change nothing', async () => {
  const service = await withStack();
  const auth = `token ${await service.tokenFor('reader')}`;
  expect((await service.call('GET', `${S}/export`, { auth })).status).toBe(200);
  expect(await service.call('POST', `${S}/update`, { auth, body: {} })).toMatchObject({
    status: 403,
    body: { code: 403 },
  });
  expect(await service.call('POST', `${S}/decrypt`, { auth, body: {} })).toMatchObject({
    status: 403,
    body: { code: 403 },
  });
});

storeTest('the log has requests, and neither tokens nor bodies', async () => {
  const service = await withStack();
  await service.call('POST', `${S}/encrypt`, {
    body: { plaintext: Buffer.from('hunter2').toString('base64') },
  });
  const text = service.lines.join('');
  expect(text).toContain('"route":"encrypt"');
  for (const secret of [service.token, 'hunter2', 'aHVudGVyMg']) expect(text).not.toContain(secret);
});

storeTest('the link of the first administrator works once', async () => {
  const { url, service } = await startTestService(newFolder(), { token: false });
  const path = `/setup/${String(service.setup)}`;
  expect((await send(url, 'POST', '/setup/wrong', {})).status).toBe(404);
  expect((await send(url, 'POST', path, { body: { user: 'a' } })).status).toBe(400);
  const made = await send(url, 'POST', path, { body: { user: 'alice' } });
  expect(made).toMatchObject({ status: 200, body: { user: 'alice' } });
  expect((await send(url, 'POST', path, { body: { user: 'alice' } })).status).toBe(404);
  const user = await send(url, 'GET', '/api/user', { auth: `token ${String(made.body['token'])}` });
  expect(user.body).toMatchObject({ githubLogin: 'alice', siteAdmin: true });
  expect((await send(url, 'GET', '/readyz', {})).status).toBe(200);
});

storeTest('a request has an id, in its answer and in the log', async () => {
  const service = await withStack();
  const response = await fetch(`${service.url}${S}x`, { headers: { 'x-request-id': 'given-by-a-client' } });
  const id = response.headers.get('x-request-id');
  expect([id, await response.json()]).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}$/),
    expect.objectContaining({ code: 401, requestId: id }),
  ]);
  expect(service.lines.join('')).toContain(`"id":"${String(id)}","source":"127.0.0.1"`);
});
