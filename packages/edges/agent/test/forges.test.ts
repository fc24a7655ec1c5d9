import { createHmac } from 'node:crypto';
import { FakeForge } from '@cairn/testkit/servers';
import type { FakeHook } from '@cairn/testkit/servers';
import type { ForgeSettings } from '../src/config/agent-config.js';
import { readDelivery } from '../src/forges/deliveries.js';
import type { ForgeApi } from '../src/forges/forge.js';
import { forgeApi } from '../src/forges/forge-api.js';
import { ForgeClient } from '../src/forges/forge-client.js';
import { commandsOf } from '../src/forges/pull-commands.js';

const KINDS = ['github', 'gitlab', 'forgejo'] as const;
const forges: FakeForge[] = [];
afterAll(() => Promise.all(forges.map((forge) => forge.stop())));

async function withForge(
  kind: (typeof KINDS)[number],
  more: Partial<ForgeSettings> = {},
  token?: string,
): Promise<{ readonly fake: FakeForge; readonly api: ForgeApi; readonly clock: { now: number } }> {
  const fake = await FakeForge.start(kind);
  forges.push(fake);
  const names = {
    name: 'hub',
    kind,
    api: fake.api,
    repository: 'acme/shop',
    token: 'TOKEN',
    secret: 'SECRET',
  };
  const settings = { ...names, ...more };
  const clock = { now: Date.now() };
  const client = new ForgeClient(settings, token ?? fake.token, () => new Date(clock.now));
  return { fake, api: forgeApi(settings, client), clock };
}

const PULL = { state: 'open', head: 'a'.repeat(40), base: 'main', isFork: false, author: 'bob' } as const;

test.each(KINDS)('%s: a pull request, its files, and its members', async (kind) => {
  const { fake, api } = await withForge(kind);
  const page = 'https://forge.example.com/acme/shop/3';
  fake.pulls.set(3, { ...PULL, page, files: ['a', 'b', 'c', 'd', 'e'] });
  expect(await api.pull(3)).toEqual({ ...PULL, page, merge: undefined, mergedBy: undefined });
  fake.pulls.set(5, { ...PULL, page: 'javascript:alert(1)', files: [] });
  expect(await api.pull(5)).not.toHaveProperty('page');
  // The forge has pages of two, however many are asked for.
  expect(await api.files(3)).toEqual(['a', 'b', 'c', 'd', 'e']);
  fake.pulls.set(4, { ...PULL, state: 'merged', merge: 'b'.repeat(40), isFork: true, files: [] });
  expect(await api.pull(4)).toMatchObject({
    state: 'merged',
    merge: 'b'.repeat(40),
    isFork: true,
    mergedBy: 'ada',
  });
  expect([await api.isMember('ada'), await api.isMember('mallory')]).toEqual([true, false]);
});

test.each(KINDS)('%s: one comment, edited in place', async (kind) => {
  const { fake, api } = await withForge(kind);
  fake.pulls.set(3, { ...PULL, files: [] });
  fake.commentHook(3, 'mallory', '<!-- cairn agent --> mine');
  const id = await api.comment(3, undefined, 'one <!-- cairn agent -->');
  expect(await api.comment(3, id, 'two <!-- cairn agent -->')).toBe(id);
  // An agent that died before it had stored the id finds its comment again, and not that of another user.
  expect(await api.comment(3, undefined, 'three <!-- cairn agent -->')).toBe(id);
  expect(fake.ownComments(3)).toEqual(['three <!-- cairn agent -->']);
  // A comment that was deleted is written again.
  fake.comments.set(3, []);
  expect(await api.comment(3, id, 'four <!-- cairn agent -->')).not.toBe(id);
  expect(fake.ownComments(3)).toEqual(['four <!-- cairn agent -->']);
  await api.status('a'.repeat(40), { context: 'cairn/dev', state: 'failure', description: 'no' });
  expect(fake.statuses).toEqual([
    {
      commit: 'a'.repeat(40),
      context: 'cairn/dev',
      state: kind === 'gitlab' ? 'failed' : 'failure',
      description: 'no',
    },
  ]);
});

test.each(KINDS)('%s: limits of calls are kept, and a wrong token says so', async (kind) => {
  const { fake, api, clock } = await withForge(kind);
  fake.pulls.set(3, { ...PULL, files: [] });
  fake.refusals = 1;
  await expect(api.pull(3)).rejects.toThrow(/it takes no calls until /);
  // It does not even ask before that time.
  await expect(api.pull(3)).rejects.toThrow(/it takes no calls until /);
  expect(fake.calls).toEqual([]);
  clock.now += 1000;
  expect(await api.pull(3)).toMatchObject({ state: 'open' });
  const wrong = await withForge(kind, {}, 'other');
  await expect(wrong.api.pull(3)).rejects.toThrow(/it answered 401: .*Bad credentials/);
  const nowhere = await withForge(kind, { api: 'http://127.0.0.1:1' });
  await expect(nowhere.api.pull(3)).rejects.toThrow(/cannot call http:\/\/127\.0\.0\.1:1/);
});

test.each(KINDS)('%s: webhooks are read if they are signed and new', async (kind) => {
  const { fake } = await withForge(kind);
  const now = new Date();
  const read = ({ headers, body }: FakeHook, secret = fake.secret) =>
    readDelivery(kind, headers, Buffer.from(body), secret, now);
  const hook = fake.pullHook(3);
  const first = read(hook);
  expect(first).toMatchObject({ t: 'event', event: { t: 'pull', number: 3 } });
  // The same body has the same id, whatever the headers say.
  expect(read({ ...hook, headers: { ...hook.headers, 'x-github-delivery': 'other' } })).toEqual(first);
  expect(read(fake.pullHook(3))).not.toEqual(first);
  const refused = { t: 'refused', status: 401 };
  expect(read(hook, 'another secret')).toMatchObject(refused);
  expect(read(hook, '')).toMatchObject(refused);
  const {
    'x-hub-signature-256': _a,
    'x-gitlab-token': _b,
    'x-forgejo-signature': _c,
    ...unsigned
  } = hook.headers;
  expect(read({ ...hook, headers: unsigned })).toMatchObject(refused);
  if (kind !== 'gitlab') expect(read({ ...hook, body: `${hook.body} ` })).toMatchObject(refused);
  expect(read(fake.commentHook(3, 'ada', 'cairn preview'))).toMatchObject({
    event: { t: 'comment', number: 3, by: 'ada', text: 'cairn preview' },
  });
  const old = new Date(now.getTime() - 2 * 3_600_000);
  expect(read(fake.commentHook(3, 'ada', 'cairn preview', old))).toMatchObject({
    t: 'ignored',
    why: 'the comment is older than an hour',
  });
  expect(read(fake.hook('push', { object_kind: 'push', ref: 'refs/heads/main' }))).toMatchObject({
    event: { t: 'push', branch: 'main' },
  });
  expect(read(fake.hook('star', { object_kind: 'star' }))).toMatchObject({ t: 'ignored' });
  for (const content of ['null', '"text"', '[]', '{', '{"object_kind":"note","merge_request":null}']) {
    const body = Buffer.from(content);
    const signed = fake.hook('issue_comment', {});

    const digest = createHmac('sha256', fake.secret).update(body).digest('hex');
    const headers = {
      ...signed.headers,
      'x-hub-signature-256': `sha256=${digest}`,
      'x-forgejo-signature': digest,
    };
    expect(['refused', 'ignored']).toContain(readDelivery(kind, headers, body, fake.secret, now).t);
  }
});

test.each([
  ['cairn preview', [{ t: 'preview' }]],
  ['Looks good.\r\ncairn approve 12\r\n', [{ t: 'approve', run: '12' }]],
  ['> cairn approve 12', []],
  ['approve', []],
  ['cairn approve', []],
  ['cairn approve 12 and more', []],
  ['please cairn preview', []],
  ['cairn preview\ncairn approve 1', [{ t: 'preview' }, { t: 'approve', run: '1' }]],
])('commands of %j', (text, commands) => {
  expect(commandsOf(text)).toEqual(commands);
});
