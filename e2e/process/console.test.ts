import { existsSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openPage, startBrowser, whyNoBrowser } from '../support/browser.js';
import type { WatchedPage } from '../support/browser.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { makePipes, release, written } from '../support/pipes.js';
import { serveStore, startServe } from '../support/served.js';
import type { ServedProcess } from '../support/served.js';

const why = whyNoBrowser();
const browserTest = why === undefined ? test : test.skip;
const UP = ['up', '--yes', '--skip-preview'];

/** Every create adds a line to a file, so that a repeated step shows. */
const program = `
import { LocalCommand } from '@cairn/provider-local';
const first = new LocalCommand('first', { create: 'echo first >> done.txt', delete: 'echo no first >> done.txt' });
const slow = new LocalCommand('slow', {
  create: 'test -e go.txt || { echo ready > ready.pipe; read word < go.pipe; }; echo slow >> done.txt',
}, { dependsOn: [first] });
new LocalCommand('last', { create: 'echo last >> done.txt' }, { dependsOn: [slow] });
export const colour = 'blue';
`;

let browser: Browser;
let box: Sandbox;
let service: ServedProcess;

beforeAll(async () => {
  if (why === undefined) browser = await startBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  box = sandbox({ 'index.ts': program });
  if (why !== undefined) return;
  makePipes(box, 'ready.pipe', 'go.pipe');
  service = await serveStore(box, store());
  expectOk(await cairn('stack', 'init', 'dev'));
});
afterEach(() => {
  service?.running.process.kill('SIGKILL');
  box.remove();
});

const store = () => ({ words: ['--store', String(box.env['CAIRN_BACKEND_URL'])], env: {} });
const cairn = (...words: string[]) => box.cairn(words, { env: service.client });

async function midway(): Promise<Running> {
  const running = box.start(UP, { env: service.client });
  await written(box, 'ready.pipe', running);
  return running;
}

/** Opens the console by the link that the command prints. */
async function openConsole(options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> {
  const link = expectOk(await cairn('console')).stdout.trim();
  const opened = await openPage(browser, options);
  await opened.page.goto(link);
  await opened.page.getByRole('heading', { name: 'Stacks' }).waitFor();
  return opened;
}

async function openStack(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'shop / dev' }).click();
  await page.getByRole('heading', { name: 'shop / dev' }).waitFor();
}

browserTest('a page mends itself after the service was killed, without a reload', async () => {
  const up = await midway();
  const { page, errors } = await openConsole();
  await openStack(page);
  await page.getByRole('link', { name: 'Watch it' }).click();
  await page.getByRole('option', { name: /slow .* creating/ }).waitFor();
  await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
  const { port } = new URL(service.url);
  service.running.process.kill('SIGKILL');
  await service.running.finished;
  await page.getByText('The connection to the service is lost').waitFor();
  service = { ...service, ...(await startServe(box, store(), `127.0.0.1:${port}`)) };
  release(box, 'go.pipe');
  expect((await up.finished).code).toBe(0);
  await page.getByText('4 of 4 tasks ended').or(page.getByText('5 of 5 tasks ended')).waitFor();
  await page.getByRole('option', { name: /last .* created/ }).waitFor();
  expect(await page.getByText('The connection to the service is lost').count()).toBe(0);
  expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true);
  expect(errors).toEqual([]);
});

/** Sends a request with any Host and Origin, which no client of the platform does. */
function status(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    http.get(url, { headers }, (response) => resolve(response.resume().statusCode)).once('error', reject);
  });
}

browserTest('over a bucket, the console runs here for this machine alone, and writes nothing', async () => {
  service.running.process.kill('SIGTERM');
  await service.running.finished;
  const own = sandbox({ 'index.ts': `export const answer = 42;\n` });
  try {
    expectOk(await own.cairn(['stack', 'init', 'dev']));
    expectOk(await own.cairn(UP));
    const running = own.start(['console', '--stack', 'dev']);
    let line = '';
    running.process.stdout?.on('data', (chunk: string) => (line += chunk));
    await running.shown(/^http:\S+\n/m);
    const url = new URL(line.trim());
    const root = `${url.origin}/`;
    expect(
      await Promise.all([
        status(root, {}),
        status(root, { host: 'evil.example.com' }),
        status(`${root}console/start`, { origin: 'https://evil.example.com' }),
        status(`${root}console/start`, { 'sec-fetch-site': 'cross-site' }),
      ]),
    ).toEqual([200, 403, 403, 403]);
    const { page, errors } = await openPage(browser);
    await page.goto(url.href);
    await page.getByRole('heading', { name: 'shop / dev' }).waitFor();
    await page.getByRole('link', { name: /1\s+Update dev/ }).click();
    await page
      .getByRole('option', { name: /created/ })
      .first()
      .waitFor();
    await page.goto(url.href);
    await page.getByText('it opens the console once').waitFor();
    expect(errors).toEqual([]);
    running.process.kill('SIGTERM');
    expect((await running.finished).code).toBe(0);
    expect(existsSync(path.join(own.state, '.pulumi', 'service'))).toBe(false);
  } finally {
    own.remove();
  }
});
