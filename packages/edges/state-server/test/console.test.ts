import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import {
  S,
  MANIFEST,
  endServices,
  newFolder,
  resource,
  send,
  startTestService,
  startUpdate,
  storeTest,
} from './service.js';
import type { TestService } from './service.js';

afterEach(endServices);

const C = S.replace('/api', '/console');
const HEADERS = { 'x-cairn-console': '1', 'content-type': 'application/json', origin: 'http://127.0.0.1' };
const SECRET = 'planted-hunter2';
const MARK = { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270' };
const ROOT = 'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev';
const URN = 'urn:pulumi:dev::shop::test:index:Thing::a';

interface Page {
  readonly status: number;
  readonly cookie: string;
  readonly body: Record<string, unknown>;
}

async function browse(
  service: TestService,
  method: string,
  path: string,
  headers: object,
  body?: object,
): Promise<Page> {
  const init = { method, headers: { ...headers }, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(service.url + path, init);
  const text = await response.text();
  return {
    status: response.status,
    cookie: response.headers.get('set-cookie') ?? '',
    body: text.startsWith('{') ? (JSON.parse(text) as Page['body']) : {},
  };
}

async function linkOf(service: TestService, auth = `token ${service.token}`): Promise<string> {
  const { body } = await service.call('POST', '/console/links', { auth });
  const [, secret = ''] = /^\/enter#(open-[\w-]{43})$/.exec(String(body['path'])) ?? [];
  return secret;
}

const enter = (service: TestService, link: string, headers: object = HEADERS): Promise<Page> =>
  browse(service, 'POST', '/console/sessions', headers, { link });

async function sessionOf(service: TestService, auth?: string): Promise<{ readonly cookie: string }> {
  const { cookie } = await enter(service, await linkOf(service, auth));
  return { cookie: cookie.split(';')[0] ?? '' };
}

describe('a session', () => {
  storeTest('is opened by a link once, and ends when it is left', async () => {
    const at = new Date();
    const service = await startTestService(undefined, { now: () => at });
    const link = await linkOf(service);
    const opened = await enter(service, link);
    expect(opened.status).toBe(200);
    expect(opened.cookie).toMatch(
      /^cairn-session=session-[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    expect(await enter(service, link)).toMatchObject({ status: 404, cookie: '' });
    const cookie = opened.cookie.split(';')[0] ?? '';
    const me = await browse(service, 'GET', '/console/session', { cookie });
    expect(me.body).toMatchObject({
      ...{ user: 'writer-user', organizations: ['organization'], writes: ['organization'] },
    });
    const left = await browse(service, 'DELETE', '/console/session', { cookie, ...HEADERS });
    expect(left.status).toBe(200);
    expect(left.cookie).toMatch(/^cairn-session=; Path=.*Max-Age=0$/);
    expect((await browse(service, 'GET', '/console/session', { cookie })).status).toBe(401);
  });

  storeTest('is opened by one of two browsers that use a link at once', async () => {
    const service = await startTestService();
    const link = await linkOf(service);
    const both = await Promise.all([enter(service, link), enter(service, link)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  storeTest('ends with the token that opened it, and its link too', async () => {
    const service = await startTestService();
    const auth = `token ${await service.tokenFor('reader')}`;
    const { cookie } = await sessionOf(service, auth);
    const link = await linkOf(service, auth);
    const [token] = (await service.store.listTokens()).filter(
      ({ user, parent }) => user === 'reader-user' && parent === undefined,
    );
    await service.store.removeToken(token?.hash ?? '');
    expect((await browse(service, 'GET', '/console/session', { cookie })).status).toBe(401);
    expect((await enter(service, link)).status).toBe(404);
  });

  storeTest('and a link end by the clock', async () => {
    let now = Date.now();
    const service = await startTestService(newFolder(), { now: () => new Date(now) });
    const link = await linkOf(service);
    const { cookie } = await sessionOf(service);
    now += 301_000;
    expect((await enter(service, link)).status).toBe(404);
    expect((await browse(service, 'GET', '/console/session', { cookie })).status).toBe(200);
    now += 12 * 3_600_000;
    expect((await browse(service, 'GET', '/console/session', { cookie })).status).toBe(401);
  });

  storeTest('changes nothing without the header that no form sends', async () => {
    const service = await startTestService();
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
    const { cookie } = await sessionOf(service);
    expect((await browse(service, 'DELETE', S, { cookie })).status).toBe(403);
    expect((await browse(service, 'GET', S, { cookie })).status).toBe(200);
    const links = await browse(service, 'POST', '/console/links', { cookie, ...HEADERS });
    expect([links.status, links.body['message']]).toEqual([403, expect.stringContaining('makes no links')]);
    expect((await browse(service, 'DELETE', S, { cookie, ...HEADERS })).status).toBe(200);
  });

  storeTest('is no token of the API, and a link is none', async () => {
    const service = await startTestService();
    const { cookie } = await sessionOf(service);
    const link = await linkOf(service);
    const secret = cookie.split('=')[1] ?? '';
    for (const token of [secret, `session:${secret}`, link, `link:${link}`])
      for (const auth of [`token ${token}`, `Basic ${Buffer.from(`x:${token}`).toString('base64')}`])
        expect([token, (await service.call('GET', '/api/user', { auth })).status]).toEqual([token, 401]);
  });

  storeTest('needs TLS, except on this machine', async () => {
    const service = await startTestService();
    const open = async (origin: string | undefined): Promise<Page> => {
      const { origin: _, ...headers } = HEADERS;
      return enter(service, await linkOf(service), origin === undefined ? headers : { ...headers, origin });
    };
    expect((await open('https://cairn.example.com')).cookie).toMatch(
      /^__Host-cairn-session=\S+; Secure; Path=\/; HttpOnly/,
    );
    for (const origin of [
      'http://cairn.example.com',
      'http://127.0.0.1.evil.com',
      'null',
      'javascript:x',
      undefined,
    ])
      expect([origin, await open(origin)]).toMatchObject([origin, { status: 403, cookie: '' }]);
    expect((await enter(service, await linkOf(service), { origin: 'http://localhost:1' })).status).toBe(400);
  });
});

/** A stack with a secret input, a secret output of the program, and two versions. */
async function stackWithSecret(service: TestService): Promise<void> {
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const plaintext = Buffer.from(JSON.stringify(SECRET)).toString('base64');
  const { body } = await service.call('POST', `${S}/encrypt`, { body: { plaintext } });
  const secret = { ...MARK, ciphertext: body['ciphertext'] };
  const state = (size: number, more: readonly object[]): object => ({
    version: 3,
    deployment: {
      manifest: MANIFEST,
      secrets_providers: { type: 'service', state: { owner: 'organization', project: 'shop', stack: 'dev' } },
      resources: [
        { urn: ROOT, custom: false, type: 'pulumi:pulumi:Stack', outputs: { password: secret, size } },
        resource('a', {
          custom: true,
          id: 'id-1',
          parent: ROOT,
          inputs: { size, list: [1, { pw: secret }] },
        }),
        ...more,
      ],
    },
  });
  const moved = { custom: true, id: 'id-9', parent: ROOT };
  await service.call('POST', `${S}/import`, { body: state(1, [resource('old', moved), resource('gone')]) });
  await service.call('POST', `${S}/import`, {
    body: state(2, [resource('new', moved), resource('added', { dependencies: [URN] })]),
  });
}

describe('what the console reads', () => {
  storeTest(
    'has neither secrets nor their ciphertexts, and one value by one call that is recorded before',
    async () => {
      const service = await startTestService();
      await stackWithSecret(service);
      const { cookie } = await sessionOf(service);
      const texts: string[] = [];
      for (const path of ['', '/resources', `/resource?urn=${URN}`, '/compare?from=1&to=2']) {
        const response = await fetch(service.url + C + path, { headers: { cookie } });
        expect([path, response.status]).toEqual([path, 200]);
        texts.push(await response.text());
      }
      expect(texts.join('\n')).not.toMatch(/planted|hunter2|ciphertext/);
      expect(texts[0]).toContain('"outputs":{"password":{"4dabf');

      const reveal = (place: object): Promise<Page> =>
        browse(service, 'POST', `${C}/reveal`, { cookie, ...HEADERS }, place);
      const place = { urn: URN, part: 'inputs', path: ['list', 1, 'pw'] };
      expect(await reveal(place)).toMatchObject({ status: 200, body: { value: SECRET } });
      expect((await reveal({ urn: ROOT, part: 'outputs', path: ['password'] })).body).toEqual({
        value: SECRET,
      });
      for (const wrong of [
        { ...place, path: ['list', 1] },
        { ...place, path: ['__proto__'] },
        { ...place, path: ['list', 1, 'pw', 'ciphertext'] },
        { ...place, urn: 'urn:none' },
      ])
        expect([wrong, (await reveal(wrong)).status]).toEqual([wrong, 404]);
      const admin = await service.tokenFor('admin');
      const { body } = await service.call('GET', '/api/orgs/organization/auditlogs', {
        auth: `token ${admin}`,
      });
      const deeds = (body['auditLogEvents'] as { description: string }[]).map(
        ({ description }) => description,
      );
      // One row for each call, refused or not: it is written before the secret is looked for.
      expect(deeds.filter((deed) => deed.startsWith('revealed a secret'))).toHaveLength(6);
    },
  );

  storeTest('says who keeps the key of secrets that the service cannot open', async () => {
    const service = await startTestService();
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
    const inputs = { pw: { ...MARK, ciphertext: 'v1:abc' } };
    const deployment = {
      ...{ manifest: MANIFEST, secrets_providers: { type: 'passphrase', state: { salt: 's' } } },
      resources: [resource('a', { custom: true, inputs })],
    };
    await service.call('POST', `${S}/import`, { body: { version: 3, deployment } });
    const { cookie } = await sessionOf(service);
    const place = { urn: URN, part: 'inputs', path: ['pw'] };
    const answer = await browse(service, 'POST', `${C}/reveal`, { cookie, ...HEADERS }, place);
    expect(answer).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('passphrase keeps their key') },
    });
  });

  storeTest('compares secrets that it can open by their values, which it does not send', async () => {
    const service = await startTestService();
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
    const sealed = async (text: string): Promise<object> => {
      const plaintext = Buffer.from(JSON.stringify(text)).toString('base64');
      const { body } = await service.call('POST', `${S}/encrypt`, { body: { plaintext } });
      return { ...MARK, ciphertext: body['ciphertext'] };
    };
    const store = async (type: string, other: string): Promise<void> => {
      const inputs = { same: [await sealed(SECRET)], other: await sealed(other) };
      const settings = { owner: 'organization', project: 'shop', stack: 'dev' };
      const secrets = { type, state: settings };
      const deployment = {
        manifest: MANIFEST,
        secrets_providers: secrets,
        resources: [resource('a', { inputs })],
      };
      await service.call('POST', `${S}/import`, { body: { version: 3, deployment } });
    };
    await store('service', 'first');
    await store('service', 'second');
    await store('passphrase', 'second');
    const paths = async (query: string): Promise<unknown> => {
      const { body } = await service.call('GET', `${C}/compare?${query}`);
      expect(JSON.stringify(body)).not.toMatch(/planted|digest|ciphertext/);
      const [change] = body['changed'] as { readonly differences: readonly { readonly path: unknown }[] }[];
      return change?.differences.map(({ path }) => path);
    };
    expect(await paths('from=1&to=2')).toEqual([['inputs', 'other']]);
    // The service cannot open those of another manager.
    expect(await paths('from=2&to=3')).toEqual([
      ['inputs', 'same', 0],
      ['inputs', 'other'],
    ]);
  });

  storeTest('compares any two versions, property by property', async () => {
    const service = await startTestService();
    await stackWithSecret(service);
    const { body } = await service.call('GET', `${C}/compare?from=1&to=2`);
    const of = (rows: unknown): readonly string[] =>
      (rows as { urn: string }[]).map(({ urn }) => urn.split('::').at(-1) ?? '');
    expect({ added: of(body['added']), gone: of(body['gone']), unchanged: body['unchanged'] }).toEqual({
      ...{ added: ['added'], gone: ['gone'], unchanged: 0 },
    });
    expect(body['moved']).toEqual([{ from: URN.replace(/a$/, 'old'), to: URN.replace(/a$/, 'new') }]);
    expect(body['changed']).toEqual([
      { urn: ROOT, differences: [{ path: ['outputs', 'size'], from: 1, to: 2 }] },
      { urn: URN, differences: [{ path: ['inputs', 'size'], from: 1, to: 2 }] },
    ]);
    expect((await service.call('GET', `${C}/compare?from=2&to=2`)).body).toMatchObject({
      changed: [],
      unchanged: 4,
    });
    expect((await service.call('GET', `${C}/compare?from=1&to=9`)).status).toBe(404);
    expect((await service.call('GET', `${C}/compare?with=organization/shop/none`)).status).toBe(404);
  });

  storeTest('tells what each version did to one resource, and finds resources by properties', async () => {
    const service = await startTestService();
    await stackWithSecret(service);
    const history = async (urn: string) =>
      (await service.call('GET', `${C}/resource/history?urn=${urn}`)).body as unknown as {
        readonly versions: readonly { readonly version: number; readonly what: string }[];
      };
    const changes = async (urn: string) =>
      (await history(urn)).versions.map(({ version, what }) => `${version} ${what}`);
    expect(await changes(URN)).toEqual(['2 changed', '1 created']);
    expect(await changes(URN.replace(/a$/, 'gone'))).toEqual(['2 deleted', '1 created']);
    expect(await changes('none')).toEqual([]);
    expect(JSON.stringify(await history(URN))).not.toMatch(/planted|ciphertext/);
    const found = async (property: string): Promise<unknown> => {
      const { body } = await service.call('GET', `${C}/resources?property=${encodeURIComponent(property)}`);
      return (body['resources'] as { urn: string }[]).map(({ urn }) => urn.split('::').at(-1));
    };
    expect(await found('size=2')).toEqual(['shop-dev', 'a']);
    expect(await found('size=9')).toEqual([]);
    expect(await found('pw')).toEqual(['a']);
    expect(await found(SECRET)).toEqual([]);
    expect(await found('pw=planted')).toEqual([]);
  });

  storeTest('says who may do what on a stack', async () => {
    const service = await startTestService();
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
    const auth = `token ${await service.tokenFor('admin')}`;
    await service.tokenFor('reader');
    for (const stacks of ['shop/*', 'other/*'])
      await service.call('POST', '/api/orgs/organization/grants', {
        auth,
        body: { to: 'user:reader-user', role: 'writer', stacks },
      });
    const { body } = await service.call('GET', `${C}/access`, { auth });
    expect(body['holders']).toEqual(
      expect.arrayContaining([
        { to: 'user:admin-user', role: 'admin', through: 'member' },
        { to: 'user:reader-user', role: 'writer', through: 'grant on stacks shop/*' },
      ]),
    );
    expect(JSON.stringify(body)).not.toContain('other/*');
    expect((await service.call('GET', `${C}/access`)).status).toBe(403);
  });

  storeTest('lists the newest look for drift of each stack', async () => {
    const service = await startTestService();
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
    const row = async () =>
      ((await service.call('GET', '/console/stacks')).body['stacks'] as { readonly drift?: object }[])[0];
    expect(await row()).not.toHaveProperty('drift');
    for (const update of [2, 1]) {
      const preview = await startUpdate(service, { kind: 'refresh', dryRun: true });
      const summaryEvent = { resourceChanges: { same: 3, update } };
      const { route, auth } = preview;
      const events = [{ sequence: 0, summaryEvent }];
      await service.call('POST', `${route}/events/batch`, { auth, body: { events } });
      await service.call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } });
    }
    expect((await row())?.drift).toMatchObject({ resources: 1 });
  });

  storeTest('lists resources without properties, and connects one with others', async () => {
    const service = await startTestService();
    await stackWithSecret(service);
    const { body } = await service.call('GET', `${C}/resources`);
    expect(body).toMatchObject({ version: 2 });
    expect((body['resources'] as object[])[1]).toEqual({ urn: URN, id: 'id-1', parent: ROOT, custom: true });
    const detail = (await service.call('GET', `${C}/resource?urn=${URN}`)).body;
    expect(detail['neededBy']).toEqual([URN.replace(/a$/, 'added')]);
    expect((await service.call('GET', `${C}/resource?urn=none`)).status).toBe(404);
  });

  storeTest('lists stacks by words in pages, and only those that the user may see', async () => {
    const service = await startTestService();
    const names = Array.from({ length: 52 }, (_, index) => `s${String(index).padStart(2, '0')}`);
    await Promise.all(
      names.map((stackName) =>
        service.call('POST', '/api/stacks/organization/shop', {
          body: { stackName, tags: { tier: `t${Number(stackName.slice(1)) % 2}` } },
        }),
      ),
    );
    const list = async (query: string): Promise<{ stacks: { stack: string }[]; next: string | null }> =>
      (await service.call('GET', `/console/stacks${query}`)).body as never;
    const first = await list('');
    expect([first.stacks.length, first.stacks[0]?.stack]).toEqual([50, 's00']);
    const rest = await list(`?after=${first.next}`);
    expect([rest.stacks.map(({ stack }) => stack), rest.next]).toEqual([['s50', 's51'], null]);
    expect((await list('?filter=tier=T1+s4')).stacks.map(({ stack }) => stack)).toEqual([
      's41',
      's43',
      's45',
      's47',
      's49',
    ]);
    expect((await list('?filter=none')).stacks).toEqual([]);
  });
});

const AT = '2030-01-01T00:00:00.000Z';
const OPENED = { seq: 1, tx: 1, at: AT, record: 'change', id: '1', kind: 'up', summary: '', scope: 's' };
const TASK = {
  ...{ seq: 2, tx: 2, at: AT, record: 'task', id: '1', kind: 'create', summary: 'create a' },
  data: { urn: URN, goal: 'sealed-goal' },
};
const INTENT = {
  ...{
    seq: 3,
    tx: 3,
    at: AT,
    record: 'intent',
    task: '1',
    direction: 'do',
    status: 'doing',
    attempt: 1,
    entry: 1,
  },
};
const BEGIN = {
  ...{ version: 1, kind: 0, sequenceID: 1, operationID: 1, removeOld: null, removeNew: null },
  operation: { resource: resource('a'), type: 'creating' },
};

/** Begins an update with a change, and returns how its client sends records and ends it. */
async function running(service: TestService) {
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const change = { operation: 'up', process: { pid: 7, hostname: 'h1' } };
  const body = {
    options: { dryRun: false },
    config: {},
    metadata: { message: 'm', environment: {} },
    change,
  };
  const created = await service.call('POST', `${S}/update`, { body });
  const route = `${S}/update/${String(created.body['updateID'])}`;
  const { body: started } = await service.call('POST', route, { body: { journalVersion: 1 } });
  const auth = `update-token ${String(started['token'])}`;
  return {
    send: (batch: object) => service.call('PATCH', `${route}/journalentries`, { auth, body: batch }),
    cancel: () => service.call('POST', `${route}/cancel`),
  };
}

/** Reads a stream until a test has what it wants of it, and then hangs up, as a browser does. */
async function eventsUntil(
  url: string,
  headers: Record<string, string>,
  isEnough: (text: string) => boolean,
): Promise<string> {
  const request = get(url, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream']);
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += String(chunk);
    if (isEnough(text)) break;
  }
  request.destroy();
  return text;
}

const recordsIn = (text: string): readonly Record<string, unknown>[] =>
  [...text.matchAll(/^event: records\ndata: (.*)$/gm)].flatMap(
    ([, data = '']) => (JSON.parse(data) as { records: Record<string, unknown>[] }).records,
  );

describe('the stream', () => {
  storeTest('has each record once, after a break too, and the end of the operation', async () => {
    const service = await startTestService();
    const update = await running(service);
    await update.send({ entries: [BEGIN], records: [OPENED, TASK] });
    const url = `${service.url}/console/stream?stack=organization/shop/dev&after=0-0`;
    const auth = { authorization: `token ${service.token}` };
    const first = await eventsUntil(
      url,
      auth,
      (text) => recordsIn(text).length >= 2 && text.includes('event: stack'),
    );
    expect(recordsIn(first)).toEqual([OPENED, { ...TASK, data: { urn: URN } }]);
    const [, id = ''] = /^id: (\S+)$/m.exec(first) ?? [];
    expect(id).toBe('1-2');
    await update.send({ entries: [], records: [INTENT] });
    const again = await eventsUntil(
      url,
      { ...auth, 'last-event-id': id },
      (text) => recordsIn(text).length >= 1,
    );
    const { entry: _, ...shown } = INTENT;
    expect(recordsIn(again)).toEqual([shown]);
    const ended = eventsUntil(url, { ...auth, 'last-event-id': '1-3' }, (text) =>
      text.includes('"running":null'),
    );
    await update.cancel();
    expect(await ended).toMatch(
      /event: stack\ndata: {"stack":"organization\/shop\/dev","running":null,"change":1,"latest":"[\da-f-]{36}"}/,
    );
  });

  storeTest('needs a name of a stack that the user may see', async () => {
    const service = await startTestService();
    for (const [query, status] of [
      ['', 400],
      ['?stack=organization/shop/none', 404],
      ['?stack=other/shop/dev', 404],
      ['?stack=a/b', 404],
      ['?stack=organization/../dev', 400],
      ['?stack=organization/shop/dev/more', 400],
    ] as const) {
      const { status: found } = await service.call('GET', `/console/stream${query}`);
      expect([query, found]).toEqual([query, status]);
    }
  });

  storeTest('ends with the service, which need not wait for its reader', async () => {
    const service = await startTestService();
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
    const headers = { authorization: `token ${service.token}` };
    const response = await fetch(`${service.url}/console/stream?stack=organization/shop/dev`, { headers });
    const text = response.text();
    await service.stop();
    expect(await text).toContain('retry: 1000');
  });
});

storeTest('a step in doubt has its change, since when, and the answers that were given', async () => {
  const service = await startTestService();
  const update = await running(service);
  const outcome = {
    ...{
      seq: 4,
      tx: 4,
      at: AT,
      record: 'outcome',
      task: '1',
      direction: 'do',
      result: 'unknown',
      status: 'wait',
    },
    ...{ ms: 1, reason: 'the provider did not answer' },
  };
  await update.send({ entries: [BEGIN], records: [OPENED, TASK, INTENT, outcome] });
  await update.cancel();
  const message = { t: 'resolve', task: '1', answer: 'not-created', by: '' };
  await service.call('POST', `${S}/changes/1/messages`, { body: message });
  const { body } = await service.call('GET', C);
  expect(body['doubts']).toEqual([
    {
      ...{
        name: expect.stringMatching(/^[0-9a-f]{8}$/),
        type: 'creating',
        urn: URN,
        change: 1,
        task: '1',
        since: AT,
      },
      ...{ reason: 'the provider did not answer', answers: [{ by: 'writer-user', answer: 'not-created' }] },
    },
  ]);
  const [row] = (await service.call('GET', '/console/stacks')).body['stacks'] as object[];
  expect(row).toMatchObject({ inDoubt: 1, running: false });
  const change = (await service.call('GET', `${C}/changes/1`)).body;
  expect(JSON.stringify(change)).not.toMatch(/sealed-goal|"entry"/);
  expect((await service.call('GET', `${C}/changes/2`)).status).toBe(404);
});

storeTest('previews are plans, and those of refreshes are runs of the drift detection', async () => {
  const service = await startTestService();
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const preview = async (
    kind: string,
    ops: readonly (readonly [op: string, name: string])[],
  ): Promise<string> => {
    const { route, id, auth } = await startUpdate(service, { dryRun: true, kind });
    const events = ops.map(([op, name], sequence) => {
      const detailedDiff = { size: { diffKind: 'update' } };
      const metadata = { op, urn: `${URN}${name}`, type: 'test:index:Thing', detailedDiff, new: SECRET };
      return { sequence, [kind === 'refresh' ? 'resOutputsEvent' : 'resourcePreEvent']: { metadata } };
    });
    const summaryEvent = { resourceChanges: Object.fromEntries(ops.map(([op]) => [op, 1])) };
    const diagnosticEvent = { urn: `${URN}2`, severity: 'info', message: 'last changed by ada' };
    const more = [{ diagnosticEvent }, { summaryEvent }].map((event, index) => ({
      ...{ sequence: ops.length + index, ...event },
    }));
    await service.call('POST', `${route}/events/batch`, { auth, body: { events: [...events, ...more] } });
    await service.call('POST', `${route}/complete`, { auth, body: { status: 'succeeded' } });
    return id;
  };
  const read = async (path: string): Promise<Record<string, unknown>> => {
    const { body } = await service.call('GET', C + path);
    expect(JSON.stringify(body)).not.toContain(SECRET);
    return body;
  };
  expect(await read('/previews')).toEqual({ previews: [] });
  const plan = await preview('preview', [
    ['create', '1'],
    ['replace', '2'],
    ['same', '3'],
  ]);
  await preview('refresh', [['update', '1']]);
  await preview('refresh', [
    ['update', '1'],
    ['delete', '2'],
    ['same', '3'],
  ]);
  const { previews, drift } = (await read('/previews')) as {
    readonly previews: readonly { readonly kind: string; readonly startTime: number }[];
    readonly drift: object;
  };
  expect(previews.map(({ kind }) => kind)).toEqual(['refresh', 'refresh', 'update']);
  const differences = [{ path: 'size', kind: 'update' }];
  const type = 'test:index:Thing';
  expect(drift).toEqual({
    at: expect.any(Number),
    resources: [
      {
        ...{ urn: `${URN}2`, type, op: 'delete', differences, since: expect.any(Number) },
        says: ['last changed by ada'],
      },
      { urn: `${URN}1`, type, op: 'update', differences, since: expect.any(Number) },
    ],
  });
  expect(await read(`/previews/${plan}`)).toMatchObject({
    preview: { id: plan, kind: 'update', by: 'writer-user', result: 'succeeded' },
    steps: [{ op: 'replace' }, { op: 'create' }],
    ...{ policies: [], moved: { versions: 0, urns: [] } },
  });
  const state = {
    version: 3,
    deployment: { manifest: MANIFEST, resources: [{ ...resource('a'), urn: `${URN}1` }] },
  };
  await service.call('POST', `${S}/import`, { body: state });
  expect((await read(`/previews/${plan}`))['moved']).toEqual({ versions: 1, urns: [`${URN}1`] });
  expect((await read('/previews'))['previews']).toEqual([]);
  const unknown = plan.replaceAll(/[0-9a-f]/g, '0');
  expect((await service.call('GET', `${C}/previews/${unknown}`)).status).toBe(404);
});

storeTest('a service without providers says where a change can be continued', async () => {
  const service = await startTestService();
  const update = await running(service);
  await update.cancel();
  const body = { how: 'rollback' };
  expect((await service.call('GET', C)).body['continues']).toBe(false);
  expect(await service.call('POST', `${C}/changes/1/continue`, { body })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Run `cairn rollback 1` where they are.') },
  });
});

storeTest('the answer to a browser without a session says how to log in', async () => {
  const service = await startTestService();
  expect((await send(service.url, 'GET', '/console/start', { auth: '' })).body).toEqual({
    ...{ signIn: false, passwords: false },
  });
  expect((await send(service.url, 'GET', '/console/session', { auth: '' })).status).toBe(401);
});
