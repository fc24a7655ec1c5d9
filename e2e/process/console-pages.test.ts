import type { Browser, Page } from 'playwright-core';
import { browserTests, axeFindings, startBrowser } from '../support/browser.js';
import { expectOk } from '../support/cairn.js';
import { NOTES, noteText } from '../support/notes.js';
import { newToken } from '../support/served.js';
import { bucketOf, consoleBox, openStack, openTab, stateText, thing, thingUrn } from '../support/console.js';
import type { ConsoleBox } from '../support/console.js';
import { until } from '../support/until.js';

const SECRET = 'planted-41d7';

/** Program with a file, whose directory does not exist at first. Its value is a secret. */
const program = (content: string, secret: string): string => `
import { LocalFile } from '@cairn/provider-local';
import { secret } from '@cairn/sdk';
new LocalFile('plain', { path: 'plain.txt', content: '${content}' });
new LocalFile('hidden', { path: 'hidden.txt', content: secret('${secret}') });
`;

let browser: Browser;
let made: ConsoleBox;

const browserTest = browserTests(async () => {
  browser = await startBrowser();
  made = await consoleBox({ 'index.ts': program('first', SECRET) });
});
afterAll(async () => {
  made?.remove();
  await browser?.close();
});

async function importState(resources: readonly object[]): Promise<void> {
  made.box.write('state.json', stateText(resources));
  expectOk(await made.cairn('stack', 'import', '--file', 'state.json', '--force'));
}

const root = thing('root');
const needing = (name: string, ...needs: string[]): object =>
  thing(name, { parent: thingUrn('root'), dependencies: needs.map(thingUrn) });

browserTest(
  'a graph is walked by keys, shows a path and what is near, and draws 10,000 resources',
  async () => {
    await importState([
      ...[root, needing('net'), needing('disk'), needing('host', 'net', 'disk')],
      ...[needing('site', 'host'), needing('alone')],
    ]);
    const { page, errors } = await made.open(browser);
    await openStack(page);
    await openTab(page, 'Graph');
    await page.getByText('6 resources').waitFor();
    const drawing = page.getByRole('application', { name: 'Graph of resources' });
    const list = page.getByRole('listbox', { name: 'Resources of the graph' });
    await list.getByRole('option').nth(5).waitFor();
    expect(await list.getByRole('option').count()).toBe(6);
    await page.getByLabel('Connections').selectOption('Needs');
    await list.getByRole('option', { name: /site/ }).click();
    const chosen = (name: string) => page.getByRole('region', { name: `Resource ${name}` });
    await chosen('site').getByRole('button', { name: 'Path from here' }).click();
    await drawing.focus();
    for (const [key, name] of [
      ['ArrowRight', 'host'],
      ['ArrowRight', 'net'],
      ['ArrowDown', 'disk'],
    ] as const) {
      await page.keyboard.press(key);
      await chosen(name).waitFor();
    }
    const steps = chosen('disk').getByRole('list', { name: 'Path of 2' });
    await steps.getByRole('button').nth(2).waitFor();
    expect(await steps.getByRole('button').allTextContents()).toEqual(['site', 'host', 'disk']);
    await page.getByLabel('Around the chosen resource').selectOption('1 away at most');
    await page.getByText('2 of 6 resources').waitFor();
    await page.getByRole('searchbox', { name: 'Find in the graph' }).fill('host');
    await page.getByText('2 of 6 resources, 1 found').waitFor();
    const address = page.url();
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByText('2 of 6 resources, 1 found').waitFor();
    await chosen('disk').getByRole('list', { name: 'Path of 2' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    const many = Array.from({ length: 10_000 }, (_, index) =>
      needing(`row${index}`, ...(index >= 50 ? [`row${index % 50}`] : [])),
    );
    await importState([root, ...many]);
    await page.goto(`${made.service.url}/s/organization/shop/dev/graph`);
    await page.getByText('10001 resources').waitFor();
    expect(await list.getByRole('option').count()).toBeLessThan(80);
    await drawing.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: /Resource row\d+/ }).waitFor();
    await page.keyboard.press('ArrowRight');
    await chosen('root').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  },
);

browserTest('tags are set, a token is shown once, and the other pages say what fills them', async () => {
  await importState([root]);
  const admin = await newToken(made.box, bucketOf(made.box), { user: 'boss', role: 'admin' });
  made.service = { ...made.service, client: { ...made.service.client, CAIRN_ACCESS_TOKEN: admin } };
  const { page, received, errors } = await made.open(browser);
  await openStack(page);
  await page.getByLabel('Name of the tag').fill('team');
  await page.getByLabel('Value of the tag').fill('web');
  await page.getByRole('button', { name: 'Set tag' }).click();
  await page.getByRole('button', { name: 'Remove tag team' }).waitFor();
  expect(expectOk(await made.cairn('stack', 'tag', 'get', 'team')).stdout).toBe('web\n');
  for (const [name, text] of [
    ['Plans', 'The service has no preview of the newest version.'],
    ['Drift', 'No preview of a refresh has come to the service'],
  ] as const) {
    await openTab(page, name);
    await page.getByText(text).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  }
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'organization' }).click();
  await page.getByLabel('Name of the token').fill('a job');
  await page.getByRole('button', { name: 'Make a token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Token a job' });
  const token = (await dialog.getByRole('code').textContent()) ?? '';
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'a job', exact: true }).first().waitFor();
  expect([token.length > 20, (await page.content()).includes(token)]).toEqual([true, false]);
  await until(() => received.some((text) => text.includes(token)));
  expect(received.filter((text) => text.includes(token))).toHaveLength(1);
  await page.getByLabel('Event of the audit log').fill('create-token');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Audit rows' }).getByRole('row').nth(1).waitFor();
  expect(errors).toEqual([]);
});

browserTest('previews of the command fill Plans and Drift, with reasons and without values', async () => {
  const other = `${SECRET}-other`;
  const dev = ['--stack', 'drifting'];
  for (const [name, text] of Object.entries(NOTES)) made.box.write(name, text);
  const note = `import { CustomResource } from '@cairn/sdk'; new CustomResource('notes:index:Note', 'note', { file: 'note.json', text: 'mine' });`;
  made.box.write('index.ts', program('content-one', SECRET) + note);
  expectOk(await made.cairn('stack', 'init', 'drifting'));
  expectOk(await made.cairn('up', '--yes', '--skip-preview', ...dev));
  made.box.write('index.ts', program('content-two', other) + note);
  expectOk(await made.cairn('preview', '-m', 'a plan', ...dev));
  made.box.write('note.json', noteText('changed outside', 'ada'));
  expectOk(await made.cairn('refresh', '--preview-only', ...dev));
  const { page, received, errors } = await made.open(browser);
  await page.getByRole('link', { name: 'shop / drifting' }).click();
  await openTab(page, 'Plans');
  await page.getByRole('link', { name: 'update a plan' }).click();
  const steps = page.getByRole('list', { name: 'Steps', exact: true });
  await steps.getByText('content changed').first().waitFor();
  expect(await steps.getByRole('strong').allTextContents()).toEqual(['plain', 'hidden']);
  await openTab(page, 'Drift');
  await page.getByText('1 resource differs.').waitFor();
  await page.getByRole('list', { name: 'Resources that differ' }).getByText('last changed by ada').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(received.some((text) => /planted|changed outside|content-two/.test(text))).toBe(false);
  const reader = await newToken(made.box, bucketOf(made.box), { user: 'guest', role: 'reader' });
  const asGuest = { env: { ...made.service.client, CAIRN_ACCESS_TOKEN: reader } };
  expectOk(await made.cairn('stack', 'init', 'open'));
  const asked = await made.box.cairn(['destroy', '--preview-only', '--stack', 'open'], asGuest);
  expect(expectOk(asked).text).not.toContain('was not sent');
  expect(errors).toEqual([]);
});

/** Its second file waits for an approval. */
const gated = `
import { LocalFile } from '@cairn/provider-local';
new LocalFile('open', { path: 'open.txt', content: 'one' });
new LocalFile('shut', { path: 'shut.txt', content: 'one' }, { gate: 'the data team agrees' });
`;

browserTest('a step is approved on the page, and a resource has its history and is found', async () => {
  const dev = ['--stack', 'gated'];
  made.box.write('index.ts', gated);
  expectOk(await made.cairn('stack', 'init', 'gated'));
  expect((await made.cairn('up', '--yes', '--skip-preview', ...dev)).code).toBe(10);
  const { page, errors } = await made.open(browser);
  const row = page.getByRole('row', { name: /gated/ });
  await row.getByText('1 to approve').waitFor();
  await row.getByRole('link').click();
  await page.getByRole('link', { name: /1 +Update gated/ }).click();
  await page.getByRole('button', { name: 'To approve' }).click();
  await page.getByRole('listbox', { name: 'Tasks' }).getByRole('option').first().click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve?' });
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved. This continues it:').waitFor();
  expectOk(await made.cairn('resume', '1', ...dev));
  made.box.write('index.ts', gated.replace("'one'", "'two'"));
  expectOk(await made.cairn('up', '--yes', '--skip-preview', ...dev));

  await openTab(page, 'Resources');
  await page.getByRole('searchbox', { name: 'Find by property' }).fill('content=two');
  await page.keyboard.press('Enter');
  await page.getByText('1 with a property like content=two').waitFor();
  await page.getByRole('treeitem', { name: /open/ }).click();
  await page.getByRole('button', { name: 'Show its history' }).click();
  const history = page.getByRole('region', { name: 'History of the resource' });
  await history.getByText('inputs.content').waitFor();
  const versions = await history.getByRole('link', { name: /^version/ }).allTextContents();
  expect([versions, await history.getByText('created', { exact: true }).count()]).toEqual([['version 3'], 1]);
  expect(await axeFindings(page)).toEqual([]);
  expect(errors).toEqual([]);
});

/** Presses Tab until what has the focus has a name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const names: string[] = [];
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(
      'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
    );
    if (name.test(focused)) return;
    names.push(focused.slice(0, 40));
  }
  throw new Error(`no focus on ${name}: ${names.join(' | ')}`);
}

async function enter(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

browserTest('the job of each page is done with the keyboard alone', async () => {
  const dev = ['--stack', 'keys'];
  expectOk(await made.cairn('stack', 'init', 'keys', '--no-select'));
  for (const content of ['one', 'two']) {
    made.box.write('index.ts', program(content, SECRET));
    expectOk(await made.cairn('up', '--yes', '--skip-preview', ...dev));
  }
  const { page, errors } = await made.open(browser);
  await enter(page, /^shop \/ keys$/);
  await page.getByRole('heading', { name: 'shop / keys' }).waitFor();
  await tabTo(page, /^Name of the tag$/);
  await page.keyboard.type('team');
  await page.keyboard.press('Tab');
  await page.keyboard.type('web');
  await enter(page, /^Set tag$/);
  await page.getByRole('button', { name: 'Remove tag team' }).waitFor();

  await enter(page, /^Resources$/);
  await page.getByRole('tree', { name: 'Resources' }).waitFor();
  await tabTo(page, /^Flat list$/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await enter(page, /^Show its history$/);
  await page.getByRole('region', { name: 'History of the resource' }).getByText('created').waitFor();

  await enter(page, /^Graph$/);
  await page.getByRole('application', { name: 'Graph of resources' }).waitFor();
  await tabTo(page, /^Graph of resources$/);
  await page.keyboard.press('Home');
  await page.getByRole('region', { name: /^Resource / }).waitFor();

  await enter(page, /^Changes$/);
  await enter(page, /^2 /);
  await page.getByRole('listbox', { name: 'Tasks' }).waitFor();
  await tabTo(page, /^Tasks$/);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: /^Task / }).waitFor();
  await enter(page, /^Roll back …$/);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await enter(page, /^History$/);
  await tabTo(page, /^Compare from version 2$/);
  await page.keyboard.press('ArrowDown');
  await tabTo(page, /^Compare to version 1$/);
  await page.keyboard.press('ArrowUp');
  await page.getByText('inputs.content').first().waitFor();
  for (const name of ['Plans', 'Drift', 'In doubt']) {
    await enter(page, new RegExp(`^${name}$`));
    await page.getByRole('link', { name, exact: true }).and(page.locator('[aria-current]')).waitFor();
  }
  await enter(page, /^organization$/);
  await page.getByRole('heading', { name: 'Members' }).waitFor();
  await enter(page, /^Log out$/);
  await page.getByText('this opens the console').waitFor();
  expect(errors).toEqual([]);
});
