import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { browserTests, openPage, settled, startBrowser } from '../support/browser.js';
import type { WatchedPage } from '../support/browser.js';
import { CONSOLE_PAGES, filledConsole } from '../support/console-pages.js';
import type { ConsolePageName } from '../support/console-pages.js';
import { bucketOf, openTab, stateText } from '../support/console.js';
import type { ConsoleBox } from '../support/console.js';
import {
  POURING_STREAM,
  accessibleText,
  cutOff,
  hear,
  heardSentences,
  movingParts,
  shownScheme,
  walkFocus,
} from '../support/page-looks.js';
import { startServe } from '../support/served.js';

const SHOWN = '/s/organization/shop/shown';
/** Calls of every page but those of its session and its stream. */
const CALLS = /\/(?:console\/stacks|api)\b/;

let browser: Browser;
let made: ConsoleBox;
let shared: WatchedPage;
let page: Page;

const browserTest = browserTests(async () => {
  browser = await startBrowser();
  made = await filledConsole();
  shared = await made.open(browser);
  ({ page } = shared);
});
afterEach(() => page?.unrouteAll());
afterAll(async () => {
  made?.remove();
  await browser?.close();
});

/** Opens a page, and waits until it has loaded what it shows. */
async function go(watched: WatchedPage, address: string): Promise<void> {
  await watched.page.goto(made.service.url + address);
  await settled(watched);
}

/** Opens another page in a context of its own, which is logged in. */
async function openAnother(options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> {
  const other = await openPage(browser, options);
  await other.context.addCookies(await shared.context.cookies());
  return other;
}

/** Calls the service as its administrator. */
async function send(method: string, at: string, body: string): Promise<void> {
  const headers = {
    authorization: `token ${made.service.client['CAIRN_ACCESS_TOKEN']}`,
    'content-type': 'application/json',
  };
  const { status } = await fetch(`${made.service.url}/api/stacks/organization/shop${at}`, {
    ...{ method, headers, body },
  });
  expect([at, Math.floor(status / 100)]).toEqual([at, 2]);
}

browserTest('every page works from 360 to 3,840 pixels, in light and dark', async () => {
  const wrong: string[] = [];
  for (const [name, address] of CONSOLE_PAGES) {
    await go(shared, address);
    const texts = [];
    for (const width of [1440, 360, 3840]) {
      await page.setViewportSize({ width, height: 1000 });
      for (const fault of await cutOff(page)) wrong.push(`${name} at ${width}: ${fault}`);
      texts.push(await accessibleText(page));
    }
    for (const text of texts.slice(1)) expect([name, text]).toEqual([name, texts[0]]);
    for (const colorScheme of ['light', 'dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([name, await shownScheme(page)]).toEqual([name, colorScheme]);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(wrong).toEqual([]);
});

browserTest('the focus is seen at every stop of Tab, on each page and in a dialog', async () => {
  const unseen: string[] = [];
  for (const [name, address] of CONSOLE_PAGES) {
    await go(shared, address);
    const walk = await walkFocus(page);
    // Each page has the link over the head, the head, and something of its own.
    expect([name, walk.stops]).toEqual([name, expect.any(Number)]);
    expect(walk.stops).toBeGreaterThan(5);
    unseen.push(...walk.unseen.map((each) => `${name}: ${each}`));
  }
  await go(shared, `${SHOWN}/changes/2`);
  await page.getByRole('button', { name: 'Roll back …' }).press('Enter');
  const { stops, unseen: inDialog } = await walkFocus(page);
  expect([stops > 0, inDialog, unseen]).toEqual([true, [], []]);
  await page.keyboard.press('Escape');
});

browserTest('what a page waits for has a name, and nothing moves for who wants no motion', async () => {
  const motions = new Map<string, Set<string>>();
  let release = (): void => undefined;
  let gate = Promise.resolve();
  await page.route(CALLS, async (route) => {
    await gate;
    await route.continue().catch(() => undefined);
  });
  for (const [name, address] of CONSOLE_PAGES) {
    gate = new Promise((resolve) => (release = resolve));
    await page.goto(made.service.url + address);
    await page
      .getByText(/^Loading \S.* …$/)
      .first()
      .waitFor();
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      await page.emulateMedia({ reducedMotion });
      const found = motions.get(reducedMotion) ?? new Set();
      motions.set(reducedMotion, found);
      for (const each of await movingParts(page)) found.add(`${name}: ${each}`);
    }
    release();
    await settled(shared);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect([name, await movingParts(page)]).toEqual([name, []]);
  }
  expect([...(motions.get('reduce') ?? [])]).toEqual([]);
  expect([...(motions.get('no-preference') ?? [])]).toContain('stack: animation appear');
  await page.unrouteAll();
});

browserTest('each view has an address, which opens it again, and Back works', async () => {
  await go(shared, '/');
  await page.getByRole('link', { name: 'shop / shown' }).click();
  const visited: (readonly [address: string, title: string])[] = [];
  const note = async (): Promise<void> => {
    await settled(shared);
    visited.push([page.url(), await page.title()]);
  };
  await note();
  const tabs = await page.getByRole('navigation', { name: 'Stack' }).getByRole('link').allInnerTexts();
  for (const tab of tabs.slice(1)) {
    await openTab(page, tab);
    await note();
  }
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'organization' }).click();
  await note();
  expect(new Set(visited.map(([address]) => address)).size).toBe(tabs.length + 1);
  expect(new Set(visited.map(([, title]) => title)).size).toBe(tabs.length + 1);
  const other = await openAnother();
  for (const [address, title] of visited) {
    await other.page.goto(address);
    await settled(other);
    expect([address, await other.page.title()]).toEqual([address, title]);
  }
  await other.context.close();
  for (const [address, title] of visited.slice(0, -1).reverse()) {
    await page.goBack();
    await settled(shared);
    expect([page.url(), await page.title()]).toEqual([address, title]);
  }
});

browserTest('live regions say at most one sentence in 5 seconds while events pour in', async () => {
  const other = await openAnother();
  await other.page.clock.install();
  await other.page.addInitScript(POURING_STREAM);
  const change = { number: 1, operation: { operation: 'up' }, running: true };
  await other.page.route('**/console/stacks/**/changes/1', (route) =>
    route.fulfill({ json: { change, records: [] } }),
  );
  await go(other, `${SHOWN}/changes/1`);
  await hear(other.page);
  await other.page.clock.runFor(60_000);
  const heard = await heardSentences(other.page);
  const gaps = heard.slice(1).map(([ms], index) => ms - (heard[index]?.[0] ?? 0));
  expect([heard.length >= 10, heard.length <= 13]).toEqual([true, true]);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4999);
  expect(heard.at(-1)?.[1]).toMatch(/^1\d\d\d of 1\d\d\d tasks ended$/);
  await other.context.close();
});

/** Returns a zone in which it is about noon, so that no day ends while a test runs. */
function noonZone(): string {
  const hours = 12 - new Date().getUTCHours();
  // The signs of these zones are the reverse of what they mean.
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

browserTest('times are local, in UTC on hover, and stay true with the clock', async () => {
  const timezoneId = noonZone();
  const other = await openAnother({ timezoneId, locale: 'en-GB' });
  await other.page.clock.install();
  await go(other, `${SHOWN}/changes`);
  const time = other.page.getByRole('row', { name: /^1 / }).getByRole('time');
  const utc = (await time.getAttribute('title')) as string;
  expect(utc).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const local = new Date(utc).toLocaleTimeString('en-GB', { timeZone: timezoneId, timeStyle: 'short' });
  const shown = async (): Promise<string> => (await time.innerText()).replace(/\d+ (?:s|min) ago|now/, 'AGO');
  expect(await shown()).toBe(`${local}, AGO`);
  const age = Math.floor((Date.now() - Date.parse(utc)) / 60_000);
  await other.page.clock.fastForward(10 * 60_000);
  await time.getByText(new RegExp(`^${local}, (?:${age + 10}|${age + 11}) min ago$`)).waitFor();
  await other.page.clock.fastForward(86_400_000);
  const date = new Date(utc).toLocaleString('en-GB', { timeZone: timezoneId, dateStyle: 'medium' });
  await time.getByText(new RegExp(`^${date}, ${local}, 1 day ago$`)).waitFor();
  await other.context.close();
});

/** Outputs of a program, of which one is an address that a page may open. */
const OUTPUTS = {
  site: 'https://site.example:8443/path?x=1',
  script: 'javascript:alert(1)',
  plain: 'http://plain.example/',
  disguised: 'https://site.example@evil.example/',
};

browserTest('a link to another site is https, names its host, and tells the site nothing', async () => {
  await send('POST', '', JSON.stringify({ stackName: 'linked' }));
  const urn = 'urn:pulumi:linked::shop::pulumi:pulumi:Stack::shop-linked';
  const root = { urn, custom: false, type: 'pulumi:pulumi:Stack', outputs: OUTPUTS };
  await send('POST', '/linked/import', stateText([root]));
  await go(shared, '/s/organization/shop/linked');
  for (const text of Object.values(OUTPUTS)) await page.getByText(text, { exact: true }).waitFor();
  const link = page.getByRole('link', { name: /^Open / });
  expect(await link.allInnerTexts()).toEqual(['Open site.example:8443']);
  let asked: Readonly<Record<string, string>> | undefined;
  await shared.context.route('https://site.example:8443/**', async (route) => {
    asked = await route.request().allHeaders();
    await route.fulfill({ contentType: 'text/html', body: '<title>there</title>' });
  });
  const [opened] = await Promise.all([shared.context.waitForEvent('page'), link.click()]);
  await opened.waitForURL(OUTPUTS.site);
  expect(await opened.evaluate('[opener, document.referrer]')).toEqual([null, '']);
  expect([asked?.['referer'], asked?.['cookie']]).toEqual([undefined, undefined]);
  await opened.close();
});

/** Pages without content, each with the start of the command that fills it. */
const EMPTY = [
  ['', 'cairn up'],
  ['/resources', 'cairn up'],
  ['/graph', 'cairn up'],
  ['/changes', 'cairn up'],
  ['/previews', 'cairn preview'],
  ['/runs', 'cairn request'],
  ['/drift', 'cairn refresh --preview-only'],
  ['/history', 'cairn up'],
  ['/settings', 'cairn deployment settings'],
  ['/settings', 'cairn stack schedule new'],
  ['/settings', 'cairn stack webhook new'],
] as const;
/** Headings of the reference of commands. */
const COMMANDS = new Set(
  readFileSync(path.resolve(__dirname, '..', '..', 'docs', 'cli.md'), 'utf8').match(/^#{2,3} .*$/gm) ?? [],
);

/** Returns a command without its arguments, as the reference has it, or the text if there is none. */
function headingOf(command: string): string {
  const words = command.replace(/^cairn /, '').split(' ');
  const counts = words.map((_, index) => words.length - index);
  const found = counts
    .map((count) => words.slice(0, count).join(' '))
    .find((text) => COMMANDS.has(`## ${text}`));
  return found === undefined ? command : `## ${found}`;
}

browserTest('an empty page names the command that fills it', async () => {
  await send('POST', '', JSON.stringify({ stackName: 'empty' }));
  for (const [at, command] of EMPTY) {
    await go(shared, `/s/organization/shop/empty${at}`);
    const shown = await page.getByRole('code').allInnerTexts();
    const found = shown.find((text) => text.startsWith(command));
    expect([at, command, shown, headingOf(found ?? '')]).toEqual([
      at,
      command,
      shown,
      expect.stringMatching(/^## /),
    ]);
  }
  await go(shared, '/s/organization/shop/empty/doubts');
  await page.getByText('No step is in doubt: every step that was begun has a known end.').waitFor();
});

const ERRORS = [
  [403, 'Ask an administrator of the organization for a higher role.'],
  [404, 'Go back to the list of stacks.'],
  [409, 'Look at the stack again: it has changed.'],
  [500, 'Look into the log of the service.'],
  [503, 'The service is busy. The page tries again by itself.'],
] as const;

browserTest('an error has its code, its cause, the next action and the id of the request', async () => {
  for (const [status, next] of ERRORS)
    for (const [name, address] of CONSOLE_PAGES) {
      await page.route(CALLS, (route) =>
        route.fulfill({
          ...{ status, headers: { 'x-request-id': `request-${status}` } },
          json: { code: status, message: 'The cause of it' },
        }),
      );
      await page.goto(made.service.url + address);
      const alert = page.getByRole('alert').first();
      await alert.waitFor();
      const text = await alert.innerText();
      for (const part of ['Cannot ', `${status} The cause of it`, next, `Request request-${status}`])
        expect([name, text]).toEqual([name, expect.stringContaining(part)]);
      await page.unrouteAll();
      // One status shows that each page has all parts; the others show their next actions.
      if (status !== 403) break;
    }
  await go(shared, SHOWN);
  await page.route('**/tags', (route) => route.fulfill({ status: 503, json: { message: 'It waits' } }));
  await page.getByLabel('Name of the tag').fill('team');
  await page.getByLabel('Value of the tag').fill('web');
  await page.getByRole('button', { name: 'Set tag' }).click();
  await page.getByRole('alert').getByText('The service is busy. Try again.').waitFor();
});

/** Pages with a way of their own to load, and two that load as all others do. */
const LOADING = new Set<ConsolePageName>(['stacks', 'stack', 'change', 'organization']);

browserTest('a service that does not answer is asked again by the page itself', async () => {
  for (const [name, address] of CONSOLE_PAGES.filter(([each]) => LOADING.has(each))) {
    await go(shared, address);
    await page.clock.install();
    await page.route(/\/(?:console\/stacks|console\/stream|api)\b/, (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('The page tries again by itself.').first().waitFor();
    await page.unrouteAll();
    await page.clock.runFor(20_000);
    await page.getByText('The page tries again by itself.').first().waitFor({ state: 'detached' });
    expect([name, await page.getByRole('alert').count()]).toEqual([name, 0]);
  }
  await page.clock.resume();
});

browserTest('a lost connection is said, and mends without a reload', async () => {
  const other = await openAnother();
  await go(other, SHOWN);
  await other.page.evaluate(() => Object.assign(globalThis, { isSame: true }));
  const { port } = new URL(made.service.url);
  made.service.running.process.kill('SIGKILL');
  await made.service.running.finished;
  await other.page.getByRole('status').getByText('The connection to the service is lost.').waitFor();
  made.service = {
    ...made.service,
    ...(await startServe(made.box, bucketOf(made.box), `127.0.0.1:${port}`)),
  };
  await send('PATCH', '/shown/tags', JSON.stringify({ mended: 'yes' }));
  await other.page.getByText('The connection to the service is lost.').waitFor({ state: 'detached' });
  await other.page.getByRole('button', { name: 'Remove tag mended' }).waitFor();
  expect(await other.page.evaluate(() => 'isSame' in globalThis)).toBe(true);
  await other.context.close();
});

browserTest('without JavaScript, every address names commands that do the same', async () => {
  const other = await openPage(browser, { javaScriptEnabled: false });
  let text = '';
  for (const [, address] of CONSOLE_PAGES) {
    await other.page.goto(made.service.url + address);
    text = (await other.page.getByRole('main').textContent()) ?? '';
    expect([address, text]).toEqual([address, expect.stringContaining('This page needs JavaScript.')]);
  }
  const commands = text.match(/^cairn (?:[a-z]+ )+/gm) ?? [];
  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands) expect(headingOf(command.trim())).toMatch(/^## /);
  await other.context.close();
});
