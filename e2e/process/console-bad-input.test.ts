import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page, Route } from 'playwright-core';
import { browserTests, openPage, settled, startBrowser } from '../support/browser.js';
import type { WatchedPage } from '../support/browser.js';
import { expectOk } from '../support/cairn.js';
import { bucketOf, consoleBox, openTab, stateText, thing, thingUrn } from '../support/console.js';
import type { ConsoleBox } from '../support/console.js';
import { startProxy } from '../support/proxy.js';
import type { Proxy } from '../support/proxy.js';
import { newToken } from '../support/served.js';

/** The name has a character of two bytes. The second file waits for an approval. */
const program = `
import { LocalFile } from '@cairn/provider-local';
new LocalFile('grün', { path: 'green.txt', content: 'one' });
new LocalFile('shut', { path: 'shut.txt', content: 'one' }, { gate: 'the data team agrees' });
`;

let browser: Browser;
let made: ConsoleBox;
let shared: WatchedPage;
let page: Page;

const browserTest = browserTests(async () => {
  browser = await startBrowser();
  made = await consoleBox({ 'index.ts': program });
  expect((await made.cairn('up', '--yes', '--skip-preview')).code).toBe(10);
  shared = await made.open(browser);
  ({ page } = shared);
});
afterAll(async () => {
  made?.remove();
  await browser?.close();
});
afterEach(async () => {
  await page.unrouteAll();
  expect(shared.errors).toEqual([]);
  expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false);
});

const DEV = '/s/organization/shop/dev';
const go = (address: string): Promise<unknown> => page.goto(made.service.url + address);

/** Calls the service as its administrator. */
async function asAdmin(method: string, path: string, body?: object): Promise<unknown> {
  const token = await newToken(made.box, bucketOf(made.box), { user: 'boss', role: 'admin' });
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(made.service.url + path, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  expect([path, answer.status, text]).toEqual([path, 200, expect.anything()]);
  return text;
}

const LONG = 'n'.repeat(10_000);
const EVIL = [
  '<img src=x onerror=globalThis.hit=1>',
  'javascript:globalThis.hit=1',
  '\u202eevil\u200b',
  '\u001b[31mred\u001b]8;;javascript:globalThis.hit=1\u0007',
  '__proto__',
  LONG,
];

browserTest('names and values of any kind stay texts, and a damaged state is shown and marked', async () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, index]));
  const resources = [
    ...EVIL.map((name) => thing(name, { inputs: { [name]: name, deep: [{ [name]: name }] } })),
    thing('large', { inputs: { text: 'x'.repeat(5_000_000) } }),
    thing('wide', { inputs: many }),
    thing('one', { parent: thingUrn('other') }),
    thing('other', { parent: thingUrn('one') }),
    thing('orphan', { parent: thingUrn('nowhere') }),
  ];
  made.box.write('state.json', stateText(resources));
  expectOk(await made.cairn('stack', 'init', 'bad', '--no-select'));
  expectOk(
    await made.cairn(
      'stack',
      'import',
      '--file',
      'state.json',
      '--force',
      '--stack',
      'bad',
      '--disable-integrity-checking',
    ),
  );
  expectOk(await made.cairn('stack', 'tag', 'set', 'web', EVIL[0] as string, '--stack', 'bad'));
  await go('/?filter=bad');
  await page.getByText(EVIL[0] as string).waitFor();
  await page.getByRole('link', { name: 'shop / bad' }).click();
  await page.getByText('The state fails its integrity check').waitFor();
  await openTab(page, 'Resources');
  const tree = page.getByRole('tree', { name: 'Resources' });
  await tree
    .getByRole('treeitem')
    .nth(resources.length - 1)
    .waitFor();
  expect(await tree.getByRole('treeitem').count()).toBe(resources.length);
  await tree.getByRole('treeitem', { name: /^large/ }).click();
  await page.getByRole('button', { name: 'Show 4998000 more characters' }).waitFor();
  await tree.getByRole('treeitem', { name: /^wide/ }).click();
  await page.getByRole('button', { name: 'Show 500 of 99900 more' }).click();
  const keys = page.getByRole('region', { name: 'Resource wide' }).getByText(/^key\d+$/);
  await keys.nth(599).waitFor();
  expect(await keys.count()).toBe(600);
  await tree.getByRole('treeitem', { name: /^n{50}/ }).click();
  await page.getByRole('region', { name: /Resource n{50}/ }).waitFor();
  await openTab(page, 'Graph');
  await page.getByText(`${resources.length} resources`).waitFor();
  await settled(shared);
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect(wide).toBeLessThanOrEqual(0);
});

browserTest('an address of another stack, or of nothing, says what is wrong', async () => {
  for (const [address, text] of [
    ['/s/organization/shop/none', '404 Not Found: Stack'],
    ['/s/nobody/shop/dev', '404 Not Found: Organization'],
    [`${DEV}/changes/99`, '404 Not Found: Change 99 not found.'],
    [`${DEV}/resources?urn=urn:none`, '404 Not Found: Resource not found.'],
    [`${DEV}/history?from=1&to=77`, '404 Not Found: Version 77 not found.'],
    ['/s/organization', 'There is no page at this address.'],
  ] as const) {
    await go(address);
    await page.getByText(text).first().waitFor();
    await page.getByRole('link', { name: 'Cairn' }).waitFor();
  }
});

interface Change {
  readonly records: readonly object[];
}

/** Answers a request with other records. The page may have given it up meanwhile, and asked again. */
async function answerWith(route: Route, records: (change: Change) => readonly object[]): Promise<void> {
  const answered = async (): Promise<void> => {
    const change = (await (await route.fetch()).json()) as Change;
    await route.fulfill({ json: { ...change, records: records(change) } });
  };
  await answered().catch(() => undefined);
}

browserTest('records of a newer Cairn are named, and a newer state is shown', async () => {
  await page.route('**/console/stacks/**/changes/1', (route) =>
    answerWith(route, ({ records }) => {
      const seq = records.length + 1;
      const newer = { seq, at: '2030-01-01T00:00:00Z', record: 'teleport', task: '1', status: 'beamed' };
      return [...records, newer, { seq: seq + 1 }];
    }),
  );
  await go(`${DEV}/changes/1`);
  await page.getByText(/records that this page does not know: teleport/).waitFor();
  await page.getByRole('option', { name: /grün .* created/ }).waitFor();
});

browserTest('events late, twice and out of order give the page of the record', async () => {
  const at = `${made.service.url}/console/stacks/organization/shop/dev/changes/1`;
  const json = (await (await page.request.get(at)).json()) as { readonly records: readonly object[] };
  const { records } = json;
  const half = Math.floor(records.length / 2);
  const parts = [records.slice(half).reverse(), records.slice(half), records.slice(0, half), records];
  const events = parts.map((part) => {
    const data = JSON.stringify({ stack: 'organization/shop/dev', change: 1, records: part });
    return `event: records\nid: 1-1\ndata: ${data}\n\n`;
  });
  await page.route('**/console/stacks/**/changes/1', (route) =>
    route.fulfill({ json: { ...json, records: [] } }),
  );
  await page.route('**/console/stream*', (route) =>
    route.fulfill({ headers: { 'content-type': 'text/event-stream' }, body: events.join('') }),
  );
  await go(`${DEV}/changes/1`);
  await page.getByRole('option', { name: /grün .* created/ }).waitFor();
  await page.getByRole('option', { name: /waits for an approval/ }).waitFor();
});

/** Holds answers to calls of an address. `isHeld` resolves when the page waits for the first of them. */
async function holdAnswers(each: Page, address: RegExp, times: number) {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  let held = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (held = resolve));
  const hold = async (route: Route): Promise<void> => {
    const response = await route.fetch();
    held();
    await gate;
    await route.fulfill({ response });
  };
  await each.route(address, hold, { times });
  return { isHeld, letGo };
}

browserTest('an answer that comes late does not replace a newer one', async () => {
  await go(DEV);
  await settled(shared);
  const setTag = async (name: string): Promise<void> => {
    await page.getByLabel('Name of the tag').fill(name);
    await page.getByLabel('Value of the tag').fill('web');
    await page.getByRole('button', { name: 'Set tag' }).click();
  };
  const late = await holdAnswers(page, /\/console\/stacks\/organization\/shop\/dev$/, 1);
  await setTag('first');
  await late.isHeld;
  await setTag('second');
  await page.getByRole('button', { name: 'Remove tag second' }).waitFor();
  late.letGo();
  await settled(shared);
  expect(await page.getByRole('button', { name: 'Remove tag second' }).count()).toBe(1);
});

browserTest('a list of stacks that is older than its stream is read again', async () => {
  let isOld = true;
  await page.route(/\/console\/stacks\?/, async (route) => {
    const response = await route.fetch();
    const { stacks, ...answer } = (await response.json()) as { readonly stacks: readonly object[] };
    const shown = isOld ? stacks.map((row) => ({ ...row, running: true })) : stacks;
    isOld = false;
    await route.fulfill({ response, json: { ...answer, stacks: shown } });
  });
  await go('/?filter=dev');
  await page.getByRole('link', { name: 'shop / dev' }).waitFor();
  await page.getByText('running', { exact: true }).waitFor({ state: 'detached' });
  expect(isOld).toBe(false);
});

browserTest('a change is read again from a busy service, and continued once its stack is known', async () => {
  const other = await made.open(browser);
  await other.page.clock.install();
  // Without events, only the page itself reads a change again.
  await other.page.route('**/console/stream*', () => undefined);
  await other.page.route(
    '**/console/stacks/**/changes/1',
    (route) => route.fulfill({ status: 503, json: { code: 503, message: 'busy' } }),
    { times: 1 },
  );
  const facts = await holdAnswers(other.page, /\/console\/stacks\/organization\/shop\/dev\?/, 9);
  await other.page.goto(`${made.service.url}${DEV}/changes/1`);
  await other.page.getByText('The service is busy. The page tries again by itself.').waitFor();
  await other.page.clock.fastForward(5000);
  await other.page.getByRole('option', { name: /waits for an approval/ }).waitFor();
  await facts.isHeld;
  const button = other.page.getByRole('button', { name: 'Roll back …' });
  expect(await button.count()).toBe(0);
  facts.letGo();
  await button.waitFor();
  await other.context.close();
});

/** Starts a proxy that cuts the first stream after the first byte of the character `ü`. */
async function cuttingProxy(target: string): Promise<{ readonly proxy: Proxy; cuts(): number }> {
  let cuts = 0;
  const proxy = await startProxy((path, answer, outgoing) => {
    answer.on('data', (chunk: Buffer) => {
      const at = path.startsWith('/console/stream') && cuts === 0 ? chunk.indexOf('ü') : -1;
      if (at === -1) return void outgoing.write(chunk);
      cuts += 1;
      answer.removeAllListeners('data');
      outgoing.write(chunk.subarray(0, at + 1), () => outgoing.destroy());
    });
    answer.on('end', () => outgoing.end());
  });
  proxy.target = target;
  return { proxy, cuts: () => cuts };
}

browserTest('a stream that is cut in a character goes on, and no record is missing', async () => {
  const { proxy, cuts } = await cuttingProxy(made.service.url);
  try {
    await page.route('**/console/stacks/**/changes/1', (route) => answerWith(route, () => []));
    await page.goto(`${proxy.url}${DEV}/changes/1`);
    await page.getByRole('option', { name: /grün .* created/ }).waitFor();
    await page.getByText('The connection to the service is lost').waitFor({ state: 'detached' });
    expect(cuts()).toBe(1);
  } finally {
    await go('/');
    proxy.end();
  }
});

browserTest('a clock that is a day off tells no wrong times', async () => {
  const other = await made.open(browser);
  await other.page.clock.setSystemTime(Date.now() + 86_400_000);
  await other.page.goto(`${made.service.url}/?filter=dev`);
  const row = other.page.getByRole('row', { name: /shop \/ dev/ });
  await row
    .getByText(/(?:just now|s ago|min ago)/)
    .first()
    .waitFor();
  expect(await row.getByText(/day|h ago/).count()).toBe(0);
  await other.context.close();
});

/** Opens the dialog that approves the step which waits. */
async function openApproval(each: Page): Promise<void> {
  await each.goto(`${made.service.url}${DEV}/changes/1?show=wait`);
  await each.getByRole('listbox', { name: 'Tasks' }).getByRole('option').first().click();
  await each.getByRole('button', { name: 'Approve', exact: true }).click();
}

function confirmApproval(each: Page): Promise<void> {
  return each.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
}

browserTest('a role that is taken away while a dialog is open is refused in it', async () => {
  const guest = await newToken(made.box, bucketOf(made.box), { user: 'guest', role: 'writer' });
  const link = expectOk(
    await made.box.cairn(['console'], { env: { ...made.service.client, CAIRN_ACCESS_TOKEN: guest } }),
  ).stdout.trim();
  const other = await openPage(browser);
  await other.page.goto(link);
  await other.page.getByRole('heading', { name: 'Stacks' }).waitFor();
  await openApproval(other.page);
  await asAdmin('PATCH', '/api/orgs/organization/members/guest', { fgaRoleId: 'reader' });
  await confirmApproval(other.page);
  const dialog = other.page.getByRole('dialog');
  await dialog.getByText(/^403 Forbidden/).waitFor();
  await dialog.getByText('Ask an administrator').waitFor();
  await asAdmin('DELETE', '/api/orgs/organization/members/guest');
  await other.page
    .getByText(/404|401/)
    .first()
    .waitFor();
  await other.context.close();
});

browserTest('two people who approve at once are both answered, and the step is done once', async () => {
  const other = await made.open(browser);
  for (const each of [page, other.page]) await openApproval(each);
  await Promise.all([confirmApproval(page), confirmApproval(other.page)]);
  for (const each of [page, other.page]) await each.getByText('Approved. This continues it:').waitFor();
  expectOk(await made.cairn('resume', '1'));
  await page.goto(`${made.service.url}${DEV}/changes/2`);
  await page.getByRole('option', { name: /shut .* created/ }).waitFor();
  await other.context.close();
});

browserTest('no other site reads the service, frames it, or sends it a request', async () => {
  const { port } = new URL(made.service.url);
  const evil = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<title>evil</title><iframe src="${made.service.url}/"></iframe>`);
  });
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  try {
    // Another site for the browser, although it is the same machine.
    const foreign = await shared.context.newPage();
    await foreign.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`);
    const frame = foreign.frames()[1];
    expect(await frame?.evaluate('document.querySelector("#app")').catch(() => null)).toBeNull();
    const results = await foreign.evaluate(async (service) => {
      const attempt = (path: string, init: RequestInit): Promise<string> =>
        fetch(service + path, { credentials: 'include', ...init }).then(
          async (answer) => `read ${answer.status}`,
          () => 'refused',
        );
      return [
        await attempt('/console/session', {}),
        await attempt('/console/session', { method: 'DELETE', headers: { 'x-cairn-console': '1' } }),
        await attempt('/api/stacks/organization/shop/dev', { method: 'DELETE' }),
      ];
    }, `http://127.0.0.1:${port}`);
    expect(results).toEqual(['refused', 'refused', 'refused']);
    await foreign.close();
    await go('/');
    await page.getByRole('link', { name: 'shop / dev' }).waitFor();
  } finally {
    evil.closeAllConnections();
    evil.close();
  }
});

browserTest('a tab whose session has ended meanwhile asks to log in, and stays where it was', async () => {
  const other = await made.open(browser);
  await other.page.goto(`${made.service.url}${DEV}/resources`);
  await other.page.getByRole('link', { name: 'Overview', exact: true }).click();
  await other.page.waitForURL(`${made.service.url}${DEV}`);
  await other.context.setOffline(true);
  await other.context.clearCookies();
  await other.context.setOffline(false);
  await other.page.goBack();
  await other.page.getByText('this opens the console').waitFor();
  expect(new URL(other.page.url()).pathname).toBe(`${DEV}/resources`);
  await other.context.close();
});
