import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { OidcProvider, startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import type { Postgres } from '@cairn/testkit/servers';
import { browserTests, openPage, settled, startBrowser, whyNoBrowser } from '../support/browser.js';
import type { WatchedPage } from '../support/browser.js';
import { expectOk } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { consoleBox, openTab } from '../support/console.js';
import type { ConsoleBox } from '../support/console.js';
import { startProxy } from '../support/proxy.js';
import type { Proxy } from '../support/proxy.js';
import { newToken } from '../support/served.js';
import type { ServedStore } from '../support/served.js';
import { until } from '../support/until.js';

const program = `
import { LocalFile } from '@cairn/provider-local';
new LocalFile('page', { path: 'page.txt', content: 'one' });
`;
const ORG = '/api/orgs/organization';
const DEV = '/s/organization/shop/dev';

let browser: Browser;
let database: Postgres;
let provider: OidcProvider;
/** Address at which people reach the service. It is known before the service starts. */
let front: Proxy;
let made: ConsoleBox;
let admin: string;

const browserTest = browserTests(async () => {
  [browser, database, provider, front] = await Promise.all([
    startBrowser(),
    startPostgres(),
    OidcProvider.start(),
    startProxy(),
  ]);
  made = await consoleBox({ 'index.ts': program }, storeOf);
  front.target = made.service.url;
  admin = await newToken(made.box, storeOf(made.box), { user: 'boss', role: 'admin' });
}, whyNoBrowser() ?? whyNoPostgres());
afterAll(async () => {
  made?.remove();
  front?.end();
  await provider?.stop();
  await browser?.close();
  await database?.close();
});

/** Store on PostgreSQL, with a sign-in of people at the provider. */
function storeOf(box: Sandbox): ServedStore {
  box.write('blobs/none', '');
  box.write('secret', 's3cret');
  const settings = { issuer: provider.issuer, clientId: 'cairn', clientSecretFile: 'secret', url: front.url };
  box.write('sign-in.json', JSON.stringify(settings));
  return {
    words: [
      ...['--store', `postgres://${database.user}@${database.host}:${database.port}/postgres`],
      ...['--blobs', `file://${path.join(box.directory, 'blobs')}`],
    ],
    env: { PGPASSWORD: database.password },
    serve: ['--sign-in', path.join(box.directory, 'sign-in.json'), '--password-sign-in'],
  };
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Calls the API of the service. */
async function api(token: string, method: string, at: string, body?: object): Promise<Answer> {
  const answer = await fetch(made.service.url + at, {
    method,
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {} };
}

/** Signs a user in at the provider, by the button of the console, which leads back to the page that was wanted. */
async function signIn(name: string, to: string, heading: string): Promise<WatchedPage> {
  provider.user = { sub: `sub-${name}`, preferred_username: name };
  const opened = await openPage(browser);
  await opened.page.goto(front.url + to);
  await opened.page.getByRole('link', { name: 'Sign in' }).click();
  await opened.page.getByRole('heading', { name: heading }).waitFor();
  expect(opened.page.url()).toBe(front.url + to);
  return opened;
}

/** Opens the console as the administrator. */
function asAdmin(): Promise<WatchedPage> {
  made.service = { ...made.service, client: { ...made.service.client, CAIRN_ACCESS_TOKEN: admin } };
  return made.open(browser, { acceptDownloads: true });
}

browserTest('people sign in at a provider, and see and do what their role allows from then on', async () => {
  expectOk(await made.cairn('up', '--yes', '--skip-preview'));
  const { page, context, errors } = await signIn('ann-user', `${DEV}?from=mail`, 'shop / dev');
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'cairn-session');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
  await page.getByText('reader', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Set tag' }).count()).toBe(0);
  await openTab(page, 'Changes');
  await page.getByRole('link', { name: /^1 / }).click();
  await page.getByRole('option', { name: /page .* created/ }).waitFor();
  // A reader sees what a rollback would do, and cannot begin one.
  await page.getByRole('button', { name: 'Roll back …' }).click();
  const plan = page.getByRole('dialog', { name: 'Roll back change 1' });
  await plan.getByText('cairn rollback 1 --stack organization/shop/dev').waitFor();
  expect(await plan.getByRole('button', { name: 'Roll back' }).count()).toBe(0);
  await plan.getByRole('button', { name: 'Close' }).click();
  const organization = page.getByRole('link', { name: 'organization' });
  await organization.click();
  await page.getByText('Cannot read the audit log').waitFor();
  await page.getByText('Ask an administrator').first().waitFor();

  const role = { fgaRoleId: 'writer' };
  expect((await api(admin, 'PATCH', `${ORG}/members/ann-user`, role)).status).toBe(200);
  await page.goto(`${front.url}${DEV}`);
  await page.getByLabel('Name of the tag').fill('team');
  await page.getByLabel('Value of the tag').fill('web');
  await page.getByRole('button', { name: 'Set tag' }).click();
  await page.getByRole('button', { name: 'Remove tag team' }).waitFor();
  const stack = await api(admin, 'GET', '/api/stacks/organization/shop/dev');
  expect(stack.body['tags']).toMatchObject({ team: 'web' });
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

browserTest(
  'administrators see roles, grants and trusts, and a token that is made here has its role',
  async () => {
    const descriptor = { __type: 'PermissionDescriptorAllow', permissions: ['stack:read', 'stack:write'] };
    const made = [
      await api(admin, 'POST', `${ORG}/roles`, {
        ...{ name: 'deployer', description: 'deploys', resourceType: 'stack', details: descriptor },
      }),
      await api(admin, 'POST', `${ORG}/grants`, { to: 'user:alice', role: 'admin', stacks: 'shop/*' }),
      await api(admin, 'POST', `${ORG}/trusts`, {
        ...{
          name: 'deploys',
          issuer: 'https://issuer.test',
          audience: 'here',
          claims: { sub: 'repo:acme/*' },
        },
        ...{ to: 'user:alice', role: 'writer', stacks: ['shop'], minutes: 30 },
      }),
    ];
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { page, context, received, errors } = await asAdmin();
    await page.getByRole('link', { name: 'organization' }).click();
    const rows = (section: string, name: RegExp) =>
      page.getByRole('region', { name: section, exact: true }).getByRole('row', { name });
    await rows('Members', /alice/).waitFor();
    await rows('Roles', /deployer .*deploys/).waitFor();
    await rows('Grants', /user:alice admin shop/).waitFor();
    await rows('Trusted issuers', /deploys https:\/\/issuer\.test sub=repo:acme/).waitFor();

    await page.getByLabel('Name of the token').fill('reads only');
    await page.getByLabel('Role of the token').selectOption('reader');
    await page.getByRole('button', { name: 'Make a token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Token reads only' });
    const token = (await dialog.getByRole('code').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText(token).waitFor({ state: 'detached' });
    await until(() => received.some((text) => text.includes(token)));
    expect(received.filter((text) => text.includes(token))).toHaveLength(1);
    expect(await page.content()).not.toContain(token);
    const stacks = '/api/stacks/organization/shop';
    expect((await api(token, 'GET', `${stacks}/dev`)).status).toBe(200);
    expect((await api(token, 'POST', stacks, { stackName: 'new' })).status).toBe(403);
    await page.reload();
    await rows('Tokens', /reads only .*reader/).waitFor();
    expect(received.filter((text) => text.includes(token))).toHaveLength(1);
    expect(errors).toEqual([]);
    await context.close();
  },
);

browserTest('users sign in with a password, change it, and let a command sign in', async () => {
  const store = storeOf(made.box);
  const asRoot = (words: readonly string[], input?: string) =>
    made.box.cairn(['serve', 'user', ...words, ...store.words], { env: store.env, ...(input && { input }) });
  expectOk(await asRoot(['set', 'pat-user', '--role', 'writer']));
  const short = await asRoot(['password', 'pat-user'], 'too short\n');
  expect([short.code, short.stderr]).toEqual([2, expect.stringContaining('has fewer than 12 characters')]);
  expectOk(await asRoot(['password', 'pat-user'], 'a horse that counts\n'));

  const { page, context, errors, received } = await openPage(browser);
  const signIn = async (password: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'User' }).fill('pat-user');
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.keyboard.press('Enter');
  };
  await page.goto(front.url + DEV);
  await signIn('a horse that guesses');
  await page.getByText('401 Unauthorized: The user or the password is wrong.').waitFor();
  await signIn('a horse that counts');
  await page.getByRole('heading', { name: 'shop / dev' }).waitFor();
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'cairn-session');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
  await page.getByRole('link', { name: 'pat-user' }).click();
  await page.getByLabel('Current password').fill('a horse that counts');
  for (const label of ['New password', 'New password again'])
    await page.getByLabel(label, { exact: true }).fill('a goose that counts');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('The password is changed.').waitFor();
  await page.getByRole('link', { name: 'Cairn' }).click();
  await page.getByRole('link', { name: 'shop / dev' }).waitFor();

  const login = made.box.start(['login', front.url, '--browser'], { env: { CAIRN_BACKEND_URL: undefined } });
  let shown = '';
  login.process.stderr?.on('data', (chunk: string) => (shown += chunk));
  await login.shown('cli-login?');
  await until(() => /cliSessionDescription=\S+/.test(shown));
  await page.goto(/http\S+/.exec(shown)?.[0] ?? '');
  await page.getByText('A command on this machine asks you to sign in').waitFor();
  await signIn('a goose that counts');
  await page.getByText('You are signed in.').waitFor();
  expect(expectOk(await login.finished).stderr).toContain(`Logged in to ${front.url} as pat-user`);
  expect(received.filter((text) => text.includes('that counts'))).toEqual([]);
  // The browser notes the wrong password, which is what was to be seen.
  expect(errors.filter((text) => !text.includes('401'))).toEqual([]);
  await context.close();

  expectOk(await asRoot(['password', 'pat-user', '--remove']));
});

browserTest('the audit log is filtered, walked page by page, and exported', async () => {
  for (let count = 0; count < 130; count += 1)
    expect((await api(admin, 'PATCH', '/api/stacks/organization/shop/dev/tags', {})).status).toBe(200);
  const { page, context, errors } = await asAdmin();
  await page.goto(`${made.service.url}/o/organization?user=boss&event=set-tags`);
  const rows = page.getByRole('region', { name: 'Audit rows' }).getByRole('row', { name: /boss set-tags/ });
  await rows.first().waitFor();
  expect(await rows.count()).toBe(100);
  await page.getByRole('button', { name: 'Older rows' }).click();
  await page.getByRole('button', { name: 'Older rows' }).waitFor({ state: 'detached' });
  await rows.nth(29).waitFor();
  expect(await rows.count()).toBe(30);
  await page.getByLabel('User of the audit log').fill('ann-user');
  await page.keyboard.press('Enter');
  const other = page.getByRole('region', { name: 'Audit rows' }).getByRole('row', { name: /ann-user/ });
  await other.first().waitFor();
  expect([await other.count(), await rows.count()]).toEqual([1, 0]);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('audit.csv');
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('ann-user');
  expect(errors).toEqual([]);
  await context.close();
});

browserTest('an id of another stack, and a stack of another organization, are not found', async () => {
  expectOk(await made.cairn('stack', 'init', 'other', '--no-select'));
  expectOk(await made.cairn('preview', '--stack', 'other'));
  const { previews } = (await api(admin, 'GET', '/console/stacks/organization/shop/other/previews')).body as {
    readonly previews: readonly { readonly id: string }[];
  };
  const id = previews[0]?.id ?? '';
  const { page, context } = await asAdmin();
  await page.goto(`${made.service.url}/s/organization/shop/other/previews/${id}`);
  await page.getByRole('heading', { name: 'Preview of update by boss' }).waitFor();
  await page.goto(`${made.service.url}${DEV}/previews/${id}`);
  await page.getByText('Cannot show the preview').waitFor();
  await page.getByText(/^404 /).first().waitFor();
  await page.goto(`${made.service.url}/s/organization/shop/other/changes/1`);
  await page.getByText('404 Not Found: Change 1 not found.').first().waitFor();
  await context.close();

  expect((await api(admin, 'DELETE', `${ORG}/members/ann-user`)).status).toBe(200);
  const outsider = await signIn('ann-user', '/', 'Stacks');
  await settled(outsider);
  expect(await outsider.page.getByRole('link', { name: 'shop / dev' }).count()).toBe(0);
  await outsider.page.goto(`${front.url}${DEV}`);
  await outsider.page.getByText('404 Not Found: Organization').first().waitFor();
  expect(outsider.received.filter((text) => text.includes('page.txt'))).toEqual([]);
  await outsider.context.close();
});
