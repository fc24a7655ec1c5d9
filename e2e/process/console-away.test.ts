import type { Browser } from 'playwright-core';
import { browserTests, keptByBrowser, openPage, startBrowser } from '../support/browser.js';
import { expectOk } from '../support/cairn.js';
import { bucketOf, consoleBox, openStack } from '../support/console.js';
import type { ConsoleBox } from '../support/console.js';
import { freeze, thaw } from '../support/freeze.js';
import { newToken, startServe } from '../support/served.js';

const program = `
import { LocalFile } from '@cairn/provider-local';
new LocalFile('page', { path: 'page.txt', content: 'one' });
`;

let browser: Browser;
let made: ConsoleBox;

const browserTest = browserTests(async () => {
  browser = await startBrowser();
  made = await consoleBox({ 'index.ts': program });
});
afterAll(async () => {
  made?.remove();
  await browser?.close();
});

/** Returns the process that has started all others of a browser. */
async function processOf(started: Browser): Promise<number> {
  const protocol = await started.newBrowserCDPSession();
  const { processInfo } = await protocol.send('SystemInfo.getProcessInfo');
  return processInfo.find(({ type }) => type === 'browser')?.id ?? Number.NaN;
}

browserTest('a tab that was asleep shows what has happened meanwhile, without a reload', async () => {
  const { page, context, errors } = await made.open(browser);
  await openStack(page);
  await page.getByText('No operation has changed this stack.').waitFor();
  await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
  const asleep = await freeze(await processOf(browser));
  try {
    const { port } = new URL(made.service.url);
    made.service.running.process.kill('SIGKILL');
    await made.service.running.finished;
    const again = await startServe(made.box, bucketOf(made.box), `127.0.0.1:${port}`);
    made.service = { ...made.service, ...again };
    expectOk(await made.cairn('up', '--yes', '--skip-preview'));
  } finally {
    thaw(asleep);
  }
  await page.getByRole('link', { name: /1 +Update dev/ }).waitFor();
  await page.getByText('The connection to the service is lost').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true);
  expect(errors).toEqual([]);
  await context.close();
});

/** Opens the console as another user. Returns the token of its client too. */
async function openAs(user: string) {
  const token = await newToken(made.box, bucketOf(made.box), { user, role: 'reader' });
  const env = { ...made.service.client, CAIRN_ACCESS_TOKEN: token };
  const link = expectOk(await made.box.cairn(['console'], { env })).stdout.trim();
  const opened = await openPage(browser);
  await opened.page.goto(link);
  await opened.page.getByRole('heading', { name: 'Stacks' }).waitFor();
  return { ...opened, token, link };
}

browserTest('a page whose token is revoked says so by itself, and shows nothing any more', async () => {
  const { page, context, token } = await openAs('guest');
  await openStack(page);
  const address = page.url();
  const headers = { authorization: `token ${token}` };
  const list = await fetch(`${made.service.url}/api/user/tokens`, { headers });
  const { tokens } = (await list.json()) as { readonly tokens: readonly { readonly id: string }[] };
  for (const { id } of tokens) {
    const { status } = await fetch(`${made.service.url}/api/user/tokens/${id}`, {
      method: 'DELETE',
      headers,
    });
    expect([200, 204, 401]).toContain(status);
  }
  // The stream notices it, also while nothing happens.
  await page.getByText('this opens the console').waitFor();
  expect([page.url(), await page.getByRole('heading', { name: 'shop / dev' }).count()]).toEqual([address, 0]);
  await context.close();
});

browserTest('a link that was stolen opens one browser; the second gets nothing and learns why', async () => {
  const thief = await openAs('victim');
  const owner = await openPage(browser);
  await owner.page.goto(thief.link);
  await owner.page.getByText('404 Not Found: The link is not valid, or no longer').waitFor();
  await owner.page.getByText('this opens the console').waitFor();
  expect(await owner.context.cookies()).toEqual([]);
  const [, secret = ''] = thief.link.split('#');
  for (const each of [thief, owner]) expect(await keptByBrowser(each)).not.toContain(secret);
  await Promise.all([thief.context.close(), owner.context.close()]);
});
