import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { browserTests, openPage, startBrowser } from '../support/browser.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { bucketOf, consoleBox, openStack, openTab, stateText, thing } from '../support/console.js';
import type { ConsoleBox } from '../support/console.js';
import { makePipes, release, written } from '../support/pipes.js';
import { startServe } from '../support/served.js';
import { until } from '../support/until.js';

const UP = ['up', '--yes', '--skip-preview'];

/** Every create adds a line to a file, so that a repeated step shows. */
const program = `
import { LocalCommand } from '@cairn/provider-local';
const first = new LocalCommand('first', { create: 'echo first >> done.txt', delete: 'echo no first >> done.txt' });
const slow = new LocalCommand('slow', {
  create: 'test -e go.txt || { echo ready > ready.pipe; read word < go.pipe; }; echo slow >> done.txt',
}, { dependsOn: [first] });
new LocalCommand('last', { create: 'echo last >> done.txt' }, { dependsOn: [slow] });
`;

let browser: Browser;
let made: ConsoleBox;
let box: Sandbox;

const browserTest = browserTests(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  made = await consoleBox({ 'index.ts': program });
  ({ box } = made);
  makePipes(box, 'ready.pipe', 'go.pipe');
});
afterEach(() => made?.remove());

const cairn = (...words: string[]) => made.cairn(...words);
const openConsole = () => made.open(browser);
const done = (): string => readFileSync(path.join(box.directory, 'done.txt'), 'utf8');

async function midway(): Promise<Running> {
  const running = box.start(UP, { env: made.service.client });
  await written(box, 'ready.pipe', running);
  return running;
}

browserTest('a change is watched while it runs, by two browsers, and stopped from the page', async () => {
  const up = await midway();
  const { page, context, errors } = await openConsole();
  const other = await openConsole();
  expect(new URL(page.url()).hash).toBe('');
  for (const each of [page, other.page]) {
    await openStack(each);
    await each.getByRole('link', { name: 'Watch it' }).click();
    await each.getByRole('option', { name: /slow .* creating/ }).waitFor();
  }
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop?' });
  await dialog.getByText('can be resumed or rolled back').waitFor();
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Asked the change to stop.').waitFor();
  await up.shown(/asks to stop: no further step starts/);
  release(box, 'go.pipe');
  await up.finished;
  for (const [each, verb, said, plan] of [
    [page, 'Resume', / steps are done and stay\./, []],
    [
      other.page,
      'Roll back',
      'In this order:',
      ['slow cairn-local:index:Command delete', 'first cairn-local:index:Command delete'],
    ],
  ] as const) {
    await each.getByRole('button', { name: `${verb} …` }).click();
    const { length } = verb.split(' ');
    const word = length === 1 ? 'resume' : 'rollback';
    await each.getByText(`cairn ${word} 1 --stack organization/shop/dev`, { exact: true }).waitFor();
    await each.getByText(said).waitFor();
    const steps = each.getByRole('list', { name: 'Plan' }).getByRole('listitem');
    const texts = (await steps.allInnerTexts()).map((text) =>
      text.replace(/^\W+/, '').replaceAll(/\s+/g, ' '),
    );
    expect(texts.slice(0, 2)).toEqual(plan);
    await each.getByRole('button', { name: 'Close' }).click();
  }
  expect(done()).toBe('first\nslow\n');
  expectOk(await cairn('resume', '1'));
  await openTab(page, 'Changes');
  await page.getByRole('row', { name: /2 .*resumes 1 done/ }).waitFor();
  expect(done()).toBe('first\nslow\nlast\n');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('this opens the console').waitFor();
  expect(await context.cookies()).toEqual([]);
  expect([...errors, ...other.errors]).toEqual([]);
});

browserTest('a step in doubt is answered from the page, and a resume relies on the answer', async () => {
  const up = await midway();
  up.process.kill('SIGKILL');
  await up.finished;
  const { page, errors } = await openConsole();
  await openStack(page);
  await page.getByRole('link', { name: 'Watch it' }).click();
  await page.getByRole('button', { name: 'Cut off' }).click();
  await page.getByRole('dialog', { name: 'Cut off?' }).getByRole('button', { name: 'Cut off' }).click();
  await page.getByText(/did not end well/).waitFor();
  await openTab(page, 'In doubt');
  await page.getByRole('button', { name: 'It was not created' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record this answer' });
  await dialog.getByRole('button', { name: 'Record' }).click();
  await page.getByText('it was not created, by alice').waitFor();
  box.write('go.txt', '');
  expectOk(await cairn('resume', '1'));
  expect(done()).toBe('first\nslow\nlast\n');
  await page.getByText('No step is in doubt').waitFor();
  expect(errors).toEqual([]);
});

/** Numbers of the records that came by streams, in their order. */
function streamedRecords(received: readonly string[]): readonly number[] {
  const events = received.filter((text) => text.startsWith('event: {')).map((text) => text.slice(7));
  type Event = { readonly records?: readonly { readonly seq: number }[] };
  return events.flatMap((text) => ((JSON.parse(text) as Event).records ?? []).map(({ seq }) => seq));
}

browserTest(
  'pages mend themselves after the service was killed, without a reload, a record missing or one twice',
  async () => {
    const up = await midway();
    const all = [await openConsole(), await openConsole()];
    for (const { page } of all) {
      await openStack(page);
      await page.getByRole('link', { name: 'Watch it' }).click();
      await page.getByRole('option', { name: /slow .* creating/ }).waitFor();
      await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
    }
    const { port } = new URL(made.service.url);
    made.service.running.process.kill('SIGKILL');
    await made.service.running.finished;
    for (const { page } of all) await page.getByText('The connection to the service is lost').waitFor();
    made.service = { ...made.service, ...(await startServe(box, bucketOf(box), `127.0.0.1:${port}`)) };
    release(box, 'go.pipe');
    expect((await up.finished).code).toBe(0);
    for (const { page, received, errors } of all) {
      await page
        .getByText(/^([45]) of \1 tasks ended/)
        .first()
        .waitFor();
      await page.getByRole('option', { name: /last .* created/ }).waitFor();
      await page.getByText('The connection to the service is lost').waitFor({ state: 'detached' });
      expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true);
      await until(() => streamedRecords(received).length > 10);
      const seqs = streamedRecords(received);
      expect(seqs).toEqual(seqs.map((_seq, index) => index + 1));
      expect(errors).toEqual([]);
    }
  },
);

const EVIL = [
  '<img src=x onerror=globalThis.hit=1>',
  '\u202eevil\u200b',
  '\u001b[31mred\u001b]8;;javascript:alert(1)\u0007',
  '__proto__',
];

browserTest('names from outside stay texts, 10,000 rows scroll, and the keyboard is enough', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => thing(`row${String(index).padStart(5, '0')}`));
  const resources = [
    ...EVIL.map((name) =>
      thing(name, { inputs: { [name]: name, deep: { __proto__: null, [name]: [name] } } }),
    ),
    ...many,
  ];
  box.write('state.json', stateText(resources));
  expectOk(await cairn('stack', 'import', '--file', 'state.json', '--force'));
  const { page, errors } = await openConsole();
  await page.keyboard.press('Tab');
  await openStack(page);
  await openTab(page, 'Resources');
  const tree = page.getByRole('tree', { name: 'Resources' });
  await tree.getByRole('treeitem').first().waitFor();
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(80);
  await tree.focus();
  await page.keyboard.press('Home');
  for (const _ of EVIL) {
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Inputs' }).waitFor();
    await tree.focus();
    await page.keyboard.press('ArrowDown');
  }
  await page.getByText('\\u202eevil\\u200b').first().waitFor();
  await page.keyboard.press('End');
  await tree.getByRole('treeitem', { name: 'row09999' }).waitFor();
  await page.getByRole('searchbox', { name: 'Filter resources' }).fill('row0042');
  await page.getByText('10 of 10004').waitFor();
  expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false);
  expect(errors).toEqual([]);
});

/** Sends a request with any Host and Origin, which no client of the platform does. */
function status(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    http.get(url, { headers }, (response) => resolve(response.resume().statusCode)).once('error', reject);
  });
}

/** Its second step fails. */
const failing = `
import { LocalCommand } from '@cairn/provider-local';
const a = new LocalCommand('a', { create: 'echo a >> done.txt', delete: 'echo no a >> done.txt' });
new LocalCommand('b', { create: 'exit 1' }, {
  dependsOn: [a],
});
`;

browserTest('over a bucket, the console runs here for this machine alone, and rolls back', async () => {
  const own = sandbox({ 'index.ts': failing });
  let running: Running | undefined;
  try {
    expectOk(await own.cairn(['stack', 'init', 'dev']));
    expect((await own.cairn(UP)).code).not.toBe(0);
    running = own.start(['console', '--stack', 'dev']);
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
    await page.getByRole('option', { name: /a .* created/ }).waitFor();
    await page.getByRole('button', { name: 'Roll back …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('listitem')
      .filter({ hasText: /a .*delete/ })
      .waitFor();
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('The rollback has begun.').waitFor();
    await openTab(page, 'Changes');
    await page.getByRole('row', { name: /2 .*rolls back 1 (?:done|rolled back)/ }).waitFor();
    expect(readFileSync(path.join(own.directory, 'done.txt'), 'utf8')).toBe('a\nno a\n');
    await page.goto(url.href);
    await page.getByText('it opens the console once').waitFor();
    expect(errors).toEqual([]);
    running.process.kill('SIGTERM');
    expect((await running.finished).code).toBe(0);
    expect(existsSync(path.join(own.state, '.pulumi', 'service'))).toBe(false);
  } finally {
    running?.process.kill('SIGKILL');
    own.remove();
  }
});
