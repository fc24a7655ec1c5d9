import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Administration, PasswordDigests } from '../src/index.js';
import type { ServiceStore } from '../src/index.js';
import { Passwords } from '../src/calls/passwords.js';
import { endServices, isShared, newFolder, startTestService, storeTest } from './service.js';
import type { TestService } from './service.js';

afterEach(endServices);

const CHEAP = new PasswordDigests({ ln: 4, r: 8, p: 1 });
const ANN = 'a horse that counts';
const BOB = 'stairs in the lake';
const HEADERS = { 'x-cairn-console': '1', 'content-type': 'application/json', origin: 'http://127.0.0.1' };
const SIGN_IN = '/console/password-sign-in';

interface Page {
  readonly status: number;
  readonly cookie: string;
  readonly later: number;
  readonly body: Record<string, unknown>;
}

let turn = 0;

/** Makes a call as the page of the console does, to one service after the other. */
async function browse(
  { urls }: TestService,
  route: string,
  body: unknown,
  headers: object = {},
  method = 'POST',
): Promise<Page> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${urls[turn++ % urls.length]}${route}`, {
    ...{ method, headers: { ...HEADERS, ...headers }, redirect: 'manual' },
    ...(method === 'GET' ? {} : { body: text }),
  });
  const answer = await response.text();
  return {
    status: response.status,
    cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    later: Number(response.headers.get('retry-after')),
    body: answer.startsWith('{') ? (JSON.parse(answer) as Page['body']) : { text: answer },
  };
}

const session = (service: TestService, cookie: string): Promise<Page> =>
  browse(service, '/console/session', '', { cookie }, 'GET');

function adminOf({ store }: { readonly store: ServiceStore }): Administration {
  return new Administration({ store, now: () => new Date(), newId: randomUUID, by: 'root' });
}

function passwordsOf(store: ServiceStore): Passwords {
  return new Passwords({ store, now: () => new Date(), newId: randomUUID, digests: CHEAP });
}

/** Service with two users who have a password. */
async function withUsers(folder = newFolder()): Promise<TestService> {
  const service = await startTestService(folder, { passwords: CHEAP });
  for (const [login, password] of [
    ['ann-user', ANN],
    ['bob-user', BOB],
  ] as const) {
    await adminOf(service).setMember(login, 'writer', false);
    await passwordsOf(service.store).set(login, password);
  }
  return service;
}

/** Returns events, users and descriptions of the audit log that concern passwords. */
async function rows({ store }: TestService): Promise<readonly string[]> {
  const found = await store.auditRows({ newestFirst: false, most: 100 });
  return found
    .map(({ text }) => (JSON.parse(text) as readonly string[]).slice(3, 6).join('|'))
    .filter((row) => row.includes('password'));
}

storeTest('a user signs in to the console, and a command gets a token', async () => {
  const service = await withUsers();
  const { status, cookie, body } = await browse(service, SIGN_IN, { user: 'ann-user', password: ANN });
  expect([status, body]).toEqual([200, {}]);
  expect(cookie).toMatch(/^cairn-session=session-[\w-]{43}$/);
  expect((await session(service, cookie)).body).toMatchObject({ user: 'ann-user', password: true });
  // From a page with TLS the cookie is for TLS alone.
  const page = { origin: 'https://state.example.com' };
  const secure = await browse(service, SIGN_IN, { user: 'ann-user', password: ANN }, page);
  expect(secure.cookie).toMatch(/^__Host-cairn-session=/);
  const command = { port: 4321, nonce: '0123456789abcdef', description: 'laptop' };
  const made = await browse(service, SIGN_IN, { user: 'ann-user', password: ANN, command });
  const target = new URL(String(made.body['redirect']));
  expect([made.cookie, target.host, target.searchParams.get('nonce')]).toEqual([
    ...['', '127.0.0.1:4321', command.nonce],
  ]);
  const auth = `token ${target.searchParams.get('accessToken')}`;
  expect((await service.call('GET', '/api/user', { auth })).body).toMatchObject({
    ...{ githubLogin: 'ann-user', tokenInfo: { name: 'laptop' } },
  });
  expect(await rows(service)).toEqual([
    ...Array.from({ length: 3 }, () => 'console-password-sign-in|signed in with a password|ann-user'),
  ]);
});

storeTest('what is wrong is refused, and an unknown user costs the work of a known one', async () => {
  const service = await withUsers();
  const user = 'ann-user';
  for (const [body, headers, status] of [
    [{ user, password: ANN }, { 'x-cairn-console': undefined }, 400],
    [{ user, password: ANN }, { origin: 'http://state.example.com' }, 403],
    [{ user, password: ANN }, { origin: 'null' }, 403],
    ['{', {}, 400],
    ['[]', {}, 400],
    [{ user }, {}, 400],
    [{ user, password: '' }, {}, 400],
    [{ user, password: [ANN] }, {}, 400],
    [{ user, password: 'x'.repeat(1025) }, {}, 400],
    [{ user: 'x'.repeat(101), password: ANN }, {}, 400],
    [`{"user":"ann-user","password":"${'x'.repeat(100_000)}"}`, {}, 413],
    [{ user, password: ANN, command: { port: 0, nonce: 'x'.repeat(16), description: '' } }, {}, 400],
    [{ user, password: ANN, command: { port: 80, nonce: '\n'.repeat(16), description: '' } }, {}, 400],
    [{ user, password: BOB }, {}, 401],
    [{ user, password: `${ANN} ` }, {}, 401],
    [{ user: 'ANN-USER', password: ANN }, {}, 401],
    [{ user: '__proto__', password: ANN }, {}, 401],
    [{ user: 'nul\0user', password: ANN }, {}, 401],
    [{ user: '../ann-user', password: ANN }, {}, 401],
  ] as const) {
    const sent = Object.entries({ ...HEADERS, ...headers }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    );
    const response = await fetch(service.url + SIGN_IN, {
      ...{ method: 'POST', headers: sent },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const answer = (await response.json()) as { readonly code: number; readonly message: string };
    const [got, cookie] = [response.status, response.headers.get('set-cookie')];
    expect([body, got, answer.code, cookie]).toEqual([body, status, status, null]);
    if (status === 401) expect(answer.message).toBe('Unauthorized: The user or the password is wrong.');
  }
  expect(service.lines.join('')).not.toContain(ANN);
});

storeTest('attempts are counted by user and address over all processes, and right ones are not', async () => {
  const service = await withUsers();
  const attempt = (user: string, password: string): Promise<Page> =>
    browse(service, SIGN_IN, { user, password });
  for (let round = 0; round < 2; round += 1) {
    for (let count = 0; count < 9; count += 1) expect((await attempt('ann-user', BOB)).status).toBe(401);
    expect((await attempt('ann-user', ANN)).status).toBe(200);
  }
  const statuses = await Promise.all(Array.from({ length: 12 }, () => attempt('ann-user', BOB)));
  expect(statuses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429, 429]);
  const { status, later, body } = await attempt('ann-user', ANN);
  expect([status, body['code'], later > 800 && later <= 900]).toEqual([429, 429, true]);
  expect((await attempt('bob-user', BOB)).status).toBe(200);
  // A user who is not known is counted in the same way.
  for (let count = 0; count < 10; count += 1) await attempt('cyd-user', ANN);
  expect((await attempt('cyd-user', ANN)).status).toBe(429);
  await service.pass(900_000);
  expect((await attempt('ann-user', ANN)).status).toBe(200);
  await service.service.sweep();
  expect((await rows(service)).filter((row) => row.startsWith('refused'))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^refused-call\|refused \d+ calls in the name of the user: console-password-sign-in\|ann-user$/,
      ) as string,
    ]),
  );
});

storeTest('a change ends what the former password opened, and nothing else', async () => {
  const service = await withUsers();
  const signIn = async (command?: object): Promise<Page> =>
    browse(service, SIGN_IN, { user: 'ann-user', password: ANN, ...(command && { command }) });
  const change = (body: object, headers: object): Promise<Page> =>
    browse(service, '/console/password', body, headers);
  const { cookie } = await signIn();
  const other = await signIn();
  const redirect = (await signIn({ port: 1, nonce: 'x'.repeat(16), description: '' })).body['redirect'];
  const auth = `token ${new URL(String(redirect)).searchParams.get('accessToken')}`;
  const { body: own } = await service.call('POST', '/api/user/tokens', { auth, body: { name: 'ci' } });
  const next = 'a goose that counts';
  for (const [wrong, status] of [
    [{ current: BOB, next }, 401],
    [{ current: ANN, next: 'too short' }, 400],
    [{ current: ANN, next: 'of ann-user only' }, 400],
    [{ current: ANN, next: 'x'.repeat(300) }, 400],
    [{ current: ANN }, 400],
  ] as const)
    expect([wrong, (await change(wrong, { cookie })).status]).toEqual([wrong, status]);
  expect((await session(service, other.cookie)).status).toBe(200);
  const changed = await change({ current: ANN, next }, { cookie });
  expect(changed.status).toBe(200);
  expect((await session(service, changed.cookie)).body).toMatchObject({ user: 'ann-user' });
  for (const ended of [cookie, other.cookie]) expect((await session(service, ended)).status).toBe(401);
  expect((await service.call('GET', '/api/user', { auth })).status).toBe(401);
  const kept = `token ${String(own['tokenValue'])}`;
  expect((await service.call('GET', '/api/user', { auth: kept })).status).toBe(200);
  const { body: listed } = await service.call('GET', '/api/user/tokens', { auth: kept });
  expect((listed['tokens'] as { name: string }[]).map(({ name }) => name).sort()).toEqual(['ci', 'console']);
  expect((await signIn()).status).toBe(401);
  expect((await rows(service)).at(-1)).toBe('console-change-password|changed the own password|ann-user');
});

storeTest('a session of a password that is changed at the same moment has no rights', async () => {
  const service = await withUsers();
  // The session is stored after the change has looked for it.
  const { cookie } = await browse(service, SIGN_IN, { user: 'ann-user', password: ANN });
  const listed = await service.store.listTokens();
  await passwordsOf(service.store).set('ann-user', 'a goose that counts');
  for (const token of listed) await service.store.putToken(token);
  expect((await session(service, cookie)).status).toBe(401);
});

storeTest('an administrator sets and removes passwords; a digest of another cost is made anew', async () => {
  const service = await withUsers();
  const admin = adminOf(service);
  const stored = async () =>
    (await service.store.findAccess('passwords', '', 'bob-user'))?.digest.split('$')[2];
  await admin.setPassword('bob-user', 'a lake without stairs');
  expect(await stored()).toBe('ln=17,r=8,p=1');
  const signIn = (): Promise<Page> =>
    browse(service, SIGN_IN, { user: 'bob-user', password: 'a lake without stairs' });
  const { status, cookie } = await signIn();
  expect([status, await stored()]).toEqual([200, 'ln=4,r=8,p=1']);
  // The session stays with the password, whose digest alone is new.
  expect((await session(service, cookie)).status).toBe(200);
  for (const [login, password] of [
    ['cyd-user', ANN],
    ['bob-user', 'short'],
    ['__proto__', ANN],
  ] as const)
    await expect(admin.setPassword(login, password)).rejects.toMatchObject({
      diagnostics: [{ code: 'CAIRN-USAGE' }],
    });
  await admin.dropPassword('bob-user');
  expect([(await session(service, cookie)).status, (await signIn()).status]).toEqual([401, 401]);
  await expect(admin.dropPassword('bob-user')).rejects.toMatchObject({ diagnostics: [{}] });
  expect((await rows(service)).filter((row) => !row.startsWith('console'))).toEqual([
    ...['set-password|set the password of a user: bob-user|root'],
    ...['remove-password|removed the password of a user: bob-user|root'],
  ]);
});

storeTest('a team has no password, and a service without the option has none either', async () => {
  const service = await withUsers();
  const auth = `token ${await service.tokenFor('admin')}`;
  const body = { name: 'a team', role: 'reader' };
  await service.call('POST', '/api/orgs/organization/teams', { auth, body: { name: 'ops' } });
  const made = await service.call('POST', '/api/orgs/organization/teams/ops/tokens', { auth, body });
  const team = { authorization: `token ${String(made.body['tokenValue'])}` };
  const change = { current: ANN, next: 'a goose that counts' };
  expect((await browse(service, '/console/password', change, team)).status).toBe(403);
  await service.stop();
  const plain = await startTestService(service.folder);
  const token = { authorization: `token ${plain.token}` };
  expect((await browse(plain, SIGN_IN, { user: 'ann-user', password: ANN })).status).toBe(404);
  expect((await browse(plain, '/console/password', change, token)).status).toBe(404);
  expect((await browse(plain, '/console/start', '', {}, 'GET')).body).toEqual({
    ...{ signIn: false, passwords: false },
  });
});

test('a command is sent to the page that asks for the password, and to the provider if asked for', async () => {
  const url = 'https://example.com/cairn';
  const service = await startTestService(newFolder(), { passwords: CHEAP, url });
  const query = 'cliSessionPort=4321&cliSessionNonce=0123456789abcdef';
  const visit = async (more: string): Promise<readonly unknown[]> => {
    const response = await fetch(`${service.url}/cairn/cli-login?${more}`, { redirect: 'manual' });
    return [response.status, response.headers.get('location')];
  };
  expect(await visit(query)).toEqual([302, `/cairn/enter/command?${query}`]);
  expect(await visit(`${query}&at=provider`)).toEqual([404, null]);
  expect(await visit('cliSessionPort=x&cliSessionNonce=0123456789abcdef')).toEqual([400, null]);
});

const bucketTest = isShared() ? test.skip : test;

bucketTest('no file of a bucket has a password, and counts that ended are removed', async () => {
  const service = await withUsers();
  const counts = (): number =>
    readdirSync(path.join(service.folder, '.pulumi', 'service', 'attempts')).length;
  await browse(service, SIGN_IN, { user: 'ann-user', password: ANN });
  await browse(service, SIGN_IN, { user: 'ann-user', password: BOB });
  const files = readdirSync(service.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const texts = files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'utf8'));
  expect(texts.filter((text) => text.includes('$scrypt$ln=4'))).toHaveLength(1);
  expect(texts.filter((text) => text.includes(ANN) || text.includes(BOB))).toEqual([]);
  const clean = (): Promise<void> =>
    service.store.clean({ eventsMs: undefined, statesMs: undefined, now: () => new Date() });
  await clean();
  expect(counts()).toBe(3);
  await service.pass(900_000);
  await clean();
  expect(counts()).toBe(0);
});
