import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { browserTests, openPage, startBrowser } from '../support/browser.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { openTab } from '../support/console.js';
import { makePipes, release, written } from '../support/pipes.js';

/** 200 resources. Half of them wait for one that waits for the test. Each effect adds a line to a file. */
const program = `
import { LocalCommand } from '@cairn/provider-local';
const make = (name, more = {}) =>
  new LocalCommand(
    name,
    { create: \`echo create \${name} >> done.txt\`, delete: \`echo delete \${name} >> done.txt\` },
    more,
  );
const early = Array.from({ length: 100 }, (_, index) => make(\`early\${index}\`));
const slow = new LocalCommand(
  'slow',
  { create: 'test -e go.txt || { echo ready > ready.pipe; read word < go.pipe; }; echo create slow >> done.txt',
    delete: 'echo delete slow >> done.txt' },
  { dependsOn: early },
);
for (let index = 0; index < 99; index += 1) make(\`late\${index}\`, { dependsOn: [slow] });
`;

let browser: Browser;
let box: Sandbox;
const started: Running[] = [];

const browserTest = browserTests(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());
afterEach(() => {
  for (const { process } of started.splice(0)) process.kill('SIGKILL');
  box?.remove();
});

/** Effects at the provider, counted by verb, and the names that have more than one of a verb. */
function effects(): {
  readonly create: number;
  readonly delete: number;
  readonly twice: readonly string[];
} {
  const file = path.join(box.directory, 'done.txt');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const count = (verb: string): number => lines.filter((line) => line.startsWith(verb)).length;
  return {
    ...{ create: count('create'), delete: count('delete') },
    twice: lines.filter((line, index) => lines.indexOf(line) !== index),
  };
}

async function openChange(page: Page, number: number): Promise<void> {
  await openTab(page, 'Changes');
  await page.getByRole('link', { name: new RegExp(`^${number} `) }).click();
  await page.getByRole('heading', { name: new RegExp(`Change ${number}:`) }).waitFor();
}

async function confirm(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: button.replace(' …', ''), exact: true }).click();
}

browserTest(
  'a change of 200 resources is watched, stopped, resumed and rolled back from the page',
  async () => {
    box = sandbox({ 'index.ts': program });
    makePipes(box, 'ready.pipe', 'go.pipe');
    expectOk(await box.cairn(['stack', 'init', 'dev']));
    const up = box.start(['up', '--yes', '--skip-preview']);
    started.push(up);
    await written(box, 'ready.pipe', up);
    const served = box.start(['console', '--stack', 'dev']);
    started.push(served);
    let line = '';
    served.process.stdout?.on('data', (chunk: string) => (line += chunk));
    await served.shown(/^http:\S+\n/m);
    const { page, errors } = await openPage(browser);
    await page.goto(line.trim());
    await page.getByRole('heading', { name: 'shop / dev' }).waitFor();

    await openChange(page, 1);
    await page.getByRole('button', { name: 'Now' }).click();
    await page.getByRole('option', { name: /slow .* creating/ }).waitFor();
    await page.getByText('102 of 103 tasks ended').first().waitFor();
    await confirm(page, 'Stop');
    await page.getByText('Asked the change to stop.').waitFor();
    await up.shown(/asks to stop: no further step starts/);
    release(box, 'go.pipe');
    await up.finished;
    expect(effects()).toEqual({ create: 101, delete: 0, twice: [] });

    box.write('go.txt', '');
    await confirm(page, 'Resume …');
    await page.getByText('The resume has begun.').waitFor();
    await openTab(page, 'Changes');
    await page.getByRole('row', { name: /2 .*resumes 1 done/ }).waitFor();
    expect(effects()).toEqual({ create: 200, delete: 0, twice: [] });

    await openChange(page, 2);
    await confirm(page, 'Roll back …');
    await page.getByText('The rollback has begun.').waitFor();
    await openTab(page, 'Changes');
    await page
      .getByRole('row', {
        name: /3 .*rolls back 2 (?:done|rolled back)/,
      })
      .waitFor();
    expect(effects()).toEqual({ create: 200, delete: 200, twice: [] });
    await openChange(page, 3);
    await page.getByText(/20\d of 20\d tasks ended/).waitFor();
    expect(errors).toEqual([]);
  },
  300_000,
);
