import type { Browser, Page } from 'playwright-core';
import { browserTests, keptByBrowser, startBrowser } from '../support/browser.js';
import { expectOk } from '../support/cairn.js';
import { bucketOf, consoleBox, openStack, openTab } from '../support/console.js';
import type { ConsoleBox } from '../support/console.js';
import { startProxy } from '../support/proxy.js';
import type { Proxy } from '../support/proxy.js';

/** A path with a character that addresses escape. */
const BASE = '/my%20cairn';

const program = (content: string): string => `
import { LocalFile } from '@cairn/provider-local';
new LocalFile('page', { path: 'page.txt', content: '${content}' });
`;

let browser: Browser;
let proxy: Proxy;
let made: ConsoleBox;

const browserTest = browserTests(async () => {
  browser = await startBrowser();
  proxy = await startProxy(undefined, BASE);
  made = await consoleBox({ 'index.ts': program('one') }, (box) => ({
    ...bucketOf(box),
    serve: ['--url', proxy.url],
  }));
  proxy.target = made.service.url;
  made.service = { ...made.service, client: { ...made.service.client, CAIRN_BACKEND_URL: proxy.url } };
  expectOk(await made.cairn('stack', 'select', 'dev'));
});
afterAll(async () => {
  made?.remove();
  proxy?.end();
  await browser?.close();
});

/** Returns the addresses that an operation has printed. */
const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/^View Live: (.*)$/gm)].map(([, address = '']) => address);

/** Watches the paths of the requests of a page. */
function pathsOf(page: Page): readonly string[] {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

/** Opens an address, and returns that of the page that it leads to, without that of the service. */
async function led(page: Page, address: string, heading: string | RegExp): Promise<string> {
  await page.goto(address);
  await page.getByRole('heading', { name: heading }).waitFor();
  return page.url().replace(proxy.url, '');
}

browserTest(
  'the console works behind a proxy that adds a path, and pages keep themselves up to date',
  async () => {
    const opened = await made.open(browser);
    const { page, context, errors } = opened;
    const paths = pathsOf(page);
    expect(new URL(page.url()).pathname).toBe(`${BASE}/`);
    await openStack(page);
    await page.getByText('No operation has changed this stack.').waitFor();
    expectOk(await made.cairn('stack', 'export', '--file', 'empty.json'));
    expectOk(await made.cairn('stack', 'import', '--file', 'empty.json'));
    await page.getByText('No change is on record for the versions of this stack.').waitFor();
    await page.getByRole('link', { name: 'See its history' }).click();
    await page.getByRole('cell', { name: 'alice' }).waitFor();
    await page.goBack();
    const up = expectOk(await made.cairn('up', '--yes', '--skip-preview'));
    expect(linksIn(up.text)).toEqual([`${proxy.url}/s/organization/shop/dev/changes/2`]);
    await page.getByRole('link', { name: /2 +Update dev/ }).click();
    await page.getByRole('heading', { name: /Change 2/ }).waitFor();
    for (const tab of ['Resources', 'Graph', 'History', 'Settings']) {
      await openTab(page, tab);
      await page.waitForURL(`${proxy.url}/s/organization/shop/dev/${tab.toLowerCase()}`);
    }
    expect(new URL(page.url()).pathname).toBe(`${BASE}/s/organization/shop/dev/settings`);
    await page.goBack();
    await page.getByRole('region', { name: 'Versions' }).waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'Versions' }).waitFor();
    await page.getByRole('link', { name: '2', exact: true }).click();
    await page.getByRole('heading', { name: /Change 2/ }).waitFor();
    expect(paths.filter((path) => !path.startsWith(`${BASE}/`))).toEqual([]);
    expect(paths.some((path) => path === `${BASE}/console/stream`)).toBe(true);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: 'cairn-session', path: '/', httpOnly: true, sameSite: 'Strict' });
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByText(`cairn console --backend-url ${proxy.url}`).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${BASE}/`);
    expect((JSON.parse(await keptByBrowser(opened)) as { readonly cookies: unknown }).cookies).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  },
);

browserTest('the service also takes requests from a proxy that keeps the path', async () => {
  const whole = await startProxy();
  whole.target = made.service.url;
  try {
    for (const path of ['/healthz', '/s/organization/shop/dev', '/console/start'])
      expect((await fetch(`${whole.url}${BASE}${path}`)).status).toBe(200);
    const page = await (await fetch(`${whole.url}${BASE}/`)).text();
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
    expect(script).toMatch(/^\/my%20cairn\/console\/assets\/app-\w+\.js$/);
    expect((await fetch(whole.url + script)).headers.get('content-type')).toContain('javascript');
    expect((await fetch(`${whole.url}/my%20cairnish/healthz`)).status).toBe(404);
  } finally {
    whole.end();
  }
});

browserTest('addresses that the command of Pulumi prints lead to the pages of the console', async () => {
  expectOk(await made.cairn('up', '--yes', '--skip-preview'));
  made.box.write('index.ts', program('two'));
  const [plan = ''] = linksIn(expectOk(await made.cairn('preview')).text);
  expectOk(await made.cairn('up', '--yes', '--skip-preview'));
  expectOk(await made.cairn('stack', 'export', '--file', 'state.json'));
  expectOk(await made.cairn('stack', 'import', '--file', 'state.json'));
  const history = JSON.parse(expectOk(await made.cairn('stack', 'history', '--json')).stdout) as readonly {
    readonly version: number;
    readonly kind: string;
  }[];
  const [imported, updated] = history;
  expect([imported?.kind, updated?.kind]).toEqual(['import', 'update']);
  const changes = expectOk(await made.cairn('changes')).stdout;
  expect(changes).toContain('Update dev');
  const { page, context, errors } = await made.open(browser);
  const at = `${proxy.url}/organization/shop/dev`;
  const own = '/s/organization/shop/dev';
  expect(await led(page, at, 'Changes')).toBe(own);
  expect(await led(page, `${at}/previews/${plan.split('/').at(-1)}`, /update/i)).toBe(
    plan.replace(proxy.url, ''),
  );
  const change = await led(page, `${at}/updates/${updated?.version}`, /^Change \d+/);
  expect(change).toMatch(new RegExp(`^${own}/changes/\\d+$`));
  // A version that no change has made: what differs from the one before.
  const version = imported?.version ?? 0;
  await page.goto(`${at}/updates/${version}`);
  await page.getByRole('radio', { name: `Compare to version ${version}`, checked: true }).waitFor();
  await page.goto(`${at}/updates/999`);
  await page.getByText('Choose two versions to compare them').waitFor();
  expect(errors).toEqual([]);
  await context.close();
});
