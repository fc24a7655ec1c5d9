import type { Browser } from 'playwright-core';
import { browserTests, axeFindings, startBrowser } from '../support/browser.js';
import { expectOk } from '../support/cairn.js';
import { newToken } from '../support/served.js';
import { bucketOf, consoleBox, openStack, openTab } from '../support/console.js';
import type { ConsoleBox } from '../support/console.js';

const SECRET = 'planted-7c1e';
const STACK = '/api/stacks/organization/shop/dev';

let browser: Browser;
let made: ConsoleBox;
let token: string;

const browserTest = browserTests(async () => {
  browser = await startBrowser();
  made = await consoleBox({});
  token = await newToken(made.box, bucketOf(made.box), { user: 'boss', role: 'admin' });
  made.service = { ...made.service, client: { ...made.service.client, CAIRN_ACCESS_TOKEN: token } };
});
afterAll(async () => {
  made?.remove();
  await browser?.close();
});

/** Calls the service as an administrator. */
async function called<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`${made.service.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

browserTest('settings, schedules and webhooks are shown and changed, and no secret is sent', async () => {
  const { page, received, errors } = await made.open(browser);
  await openStack(page);
  await openTab(page, 'Settings');
  await page.getByText('The stack has no settings for agents').waitFor();
  const setting = page.getByRole('group', { name: 'Change a setting' });
  const set = async (path: string, value: string): Promise<void> => {
    await setting.getByLabel('Setting', { exact: true }).fill(path);
    await setting.getByLabel('Value of the setting').fill(value);
    await setting.getByRole('button', { name: 'Change setting' }).click();
    await page.getByRole('button', { name: `Remove ${path}` }).waitFor();
  };
  await set('sourceContext.git.branch', 'main');
  await set('operationContext.preRunCommands', '["npm ci"]');
  await setting.getByLabel('Secret').check();
  await set('operationContext.environmentVariables.KEY', SECRET);
  const row = page.getByRole('row', { name: /environmentVariables\.KEY/ });
  await row.getByText('secret', { exact: true }).waitFor();
  expect(await called(`${STACK}/deployments/settings`)).toMatchObject({
    sourceContext: { git: { branch: 'main' } },
    operationContext: {
      environmentVariables: { KEY: { ciphertext: expect.any(String) } },
      preRunCommands: ['npm ci'],
    },
  });

  const schedule = page.getByRole('group', { name: 'New schedule' });
  await schedule.getByLabel('Put it back').check();
  await schedule.getByLabel(/^When/).fill('0 3 * * *');
  await schedule.getByLabel(/^Zone/).fill('Europe/Berlin');
  await schedule.getByLabel(/^Longest delay/).fill('10m');
  await schedule.getByRole('button', { name: 'Make a schedule' }).click();
  const drift = 'look for drift, put it back';
  await page.getByRole('button', { name: `Pause ${drift}` }).click();
  await page.getByRole('button', { name: `Resume ${drift}` }).waitFor();
  const listed = expectOk(await made.cairn('stack', 'schedule', 'ls')).stdout;
  expect(listed).toContain(drift);
  expect(listed).toContain('paused');
  expect(await called(`${STACK}/deployments/schedules`)).toMatchObject({
    schedules: [{ scheduleCron: '0 3 * * *', cairn: { zone: 'Europe/Berlin', jitter: '10m' } }],
  });
  await schedule.getByLabel(/^When/).fill('2030-01-31T18:00:00Z');
  await schedule
    .getByLabel(/^(?:Zone|Longest)/)
    .first()
    .waitFor({ state: 'detached' });
  await schedule.getByLabel(/^When/).fill('0 3 * * *');
  await schedule.getByLabel(/^Zone/).fill('Nowhere/At_all');
  await schedule.getByRole('button', { name: 'Make a schedule' }).click();
  await page.getByText(/^400 .*zone/).waitFor();
  await page.getByRole('button', { name: `Remove schedule ${drift}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Nothing is scheduled.').waitFor();

  const hook = page.getByRole('group', { name: 'New webhook' });
  await hook.getByLabel('Name of the webhook').fill('chat');
  await hook.getByLabel('Address to send events to').fill(`http://127.0.0.1:9/hook?key=of-the-address`);
  await hook.getByLabel('Secret for its signature').fill(SECRET);
  await hook.getByRole('button', { name: 'Make a webhook' }).click();
  await page.getByRole('row', { name: /chat.*http:\/\/127\.0\.0\.1:9/ }).waitFor();
  await page.getByRole('button', { name: 'Try chat' }).click();
  await page.getByText('chat: no answer').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.content()).not.toMatch(new RegExp(`${SECRET}|of-the-address`));
  expect(received.filter((text) => text.includes(SECRET) || /"ciphertext"/.test(text))).toEqual([]);
  expect(errors).toEqual([]);
});

browserTest('a run is asked for, approved and denied with a word, and its log is read', async () => {
  const { page, errors } = await made.open(browser);
  await openStack(page);
  await openTab(page, 'Runs');
  await page.getByText('No agent has been asked to do anything with this stack yet.').waitFor();
  const attended = async (operation: string, number: number) => {
    await page.getByLabel('Operation', { exact: true }).selectOption(operation);
    await page.getByRole('button', { name: 'Ask an agent' }).click();
    await page.getByRole('heading', { name: `Run ${number}:` }).waitFor();
    const { run } = await called<{
      readonly run: { readonly deployment: string; readonly fence: number; readonly row: object };
    }>('/api/orgs/organization/agents/claim', { agent: 'builder', pool: 'blue', wait: 5 });
    const plan = { digest: `plan${number}`, base: 'state1', steps: [] };
    await called(`${STACK}/deployments/${run.deployment}/attend`, {
      ...{ agent: 'builder', fence: run.fence },
      rows: [{ ...run.row, ...plan, status: 'waiting', why: ['it deletes a database'], needed: 1 }],
      lines: [{ line: 'looked at the program' }],
      notices: [{ type: 'run-waits', key: String(number), data: { why: 'it deletes a database' } }],
    });
    await page.getByText('It waits for an approval.').waitFor();
    return run;
  };
  const { deployment: approved } = await attended('Update', 1);
  await page.getByText('it deletes a database').first().waitFor();
  await page.getByText('looked at the program').waitFor();
  const approve = `cairn agent approve 1 --service ${made.service.url} --stack organization/shop/dev`;
  await page.getByText(approve, { exact: true }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('status').getByText('ready').waitFor();
  const { cairn } = await called<{ readonly cairn: { readonly run: object } }>(
    `${STACK}/deployments/${approved}`,
  );
  expect(cairn.run).toMatchObject({ approvals: [{ by: 'boss', digest: 'plan1', base: 'state1' }] });
  await page.getByText('It is ready, and not applied yet.').waitFor();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('after the release');
  await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
  await page.getByText('denied by boss: after the release').waitFor();

  await openTab(page, 'Runs');
  const { deployment: denied } = await attended('Refresh', 2);
  await page.getByRole('button', { name: 'Deny' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('not on a Friday');
  await dialog.getByRole('button', { name: 'Deny' }).click();
  await page.getByText('denied by boss: not on a Friday').waitFor();
  expect((await called<{ readonly status: string }>(`${STACK}/deployments/${denied}`)).status).toBe('failed');

  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'organization' }).click();
  await page.getByRole('row', { name: /builder.*blue.*there/ }).waitFor();
  const acknowledge = (number: number) =>
    page.getByRole('button', { name: new RegExp(`^Acknowledge run-waits .*shop/dev ${number}$`) });
  await acknowledge(1).click();
  await acknowledge(1).waitFor({ state: 'detached' });
  await acknowledge(2).waitFor();
  await page.getByLabel('Acknowledged ones too').check();
  await page.getByRole('row', { name: /run-waits.*seen by boss/ }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'shop/dev 2' }).click();
  await page.getByText('denied by boss: not on a Friday').waitFor();

  await openTab(page, 'Runs');
  const { deployment: applied } = await attended('Update', 3);
  made.box.write('index.ts', 'export const size = 1;');
  const env = { ...made.service.client, CAIRN_CI_SYSTEM: 'Cairn agent', CAIRN_CI_BUILD_ID: applied };
  expectOk(await made.box.cairn(['up', '--yes', '--skip-preview', '--stack', 'dev'], { env }));
  await page.reload();
  await page.getByRole('link', { name: '1: update succeeded' }).click();
  await page.getByRole('heading', { name: /^Change 1:/ }).waitFor();
  await page.getByRole('link', { name: 'run 3' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
  await openTab(page, 'Runs');
  await page.getByRole('row', { name: /3 +update denied .* builder boss/ }).waitFor();
  expect(errors).toEqual([]);
});

browserTest('a reader sees settings and runs and has no button for them', async () => {
  await called(`${STACK}/deployments/settings`, { sourceContext: { git: { branch: 'main' } } });
  await called(`${STACK}/deployments`, { operation: 'update', inheritSettings: true });
  const reader = await newToken(made.box, bucketOf(made.box), { user: 'guest', role: 'reader' });
  const admin = made.service.client;
  made.service = { ...made.service, client: { ...admin, CAIRN_ACCESS_TOKEN: reader } };
  const { page, errors } = await made.open(browser);
  made.service = { ...made.service, client: admin };
  await openStack(page);
  await openTab(page, 'Settings');
  await page.getByRole('row', { name: /sourceContext\.git\.branch/ }).waitFor();
  for (const name of [/^Change setting$/, /^Remove /, /^Make a /])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  await openTab(page, 'Runs');
  await page
    .getByRole('link', { name: /^\d+ +update/ })
    .first()
    .waitFor();
  expect(await page.getByRole('button', { name: 'Ask an agent' }).count()).toBe(0);
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'organization' }).click();
  await page
    .getByRole('row', { name: /^builder/ })
    .first()
    .waitFor();
  await page
    .getByRole('row', { name: /^run-waits .* not yet/ })
    .first()
    .waitFor();
  for (const name of [/^Drain /, /^Acknowledge /])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  expect(errors).toEqual([]);
});

/** Program with a file whose content is given, and one that is there at first only. */
const program = (content: string, more: string): string => `
import { LocalFile } from '@cairn/provider-local';
new LocalFile('kept', { path: 'kept.txt', content: '${content}' });
${more}
`;

browserTest('a version is compared with the result of a preview', async () => {
  const stack = ['--stack', 'planned'];
  const gone = "new LocalFile('gone', { path: 'gone.txt', content: 'x' });";
  made.box.write('index.ts', program('one', gone));
  expectOk(await made.cairn('stack', 'init', 'planned'));
  expectOk(await made.cairn('up', '--yes', '--skip-preview', ...stack));
  made.box.write('index.ts', program('two', ''));
  expectOk(await made.cairn('preview', '-m', 'a plan', ...stack));
  const { page, received, errors } = await made.open(browser);
  await page.getByRole('link', { name: 'shop / planned' }).click();
  await openTab(page, 'Plans');
  await page.getByRole('link', { name: 'update a plan' }).click();
  await page.getByRole('link', { name: 'Compare its result with the state' }).click();
  const compared = page.getByRole('region', { name: 'From version 1 to the preview' });
  await compared.getByText('0 added, 1 gone, 1 changed').waitFor();
  await compared.getByText('inputs.content').waitFor();
  expect(await compared.getByRole('insertion').allTextContents()).toEqual(['[unknown]']);
  const versions = page.getByRole('region', { name: 'Versions' });
  await versions.getByRole('cell', { name: / on / }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(received.some((text) => text.includes('"two"'))).toBe(false);
  expect(errors).toEqual([]);
});

/** Records of the organization: fields of their form, the row that they make, and the words of its removal. */
const RECORDS = [
  {
    form: 'New role',
    fields: { 'Name of the role': 'deployer', Permissions: 'stack:read, stack:write' },
    button: 'Make a role',
    row: /^deployer /,
    about: 'role deployer',
  },
  {
    form: 'New grant',
    fields: { To: 'user:guest', Stacks: 'shop/*', Tag: 'team=web' },
    button: 'Make a grant',
    row: /^user:guest writer shop\/\* team=web/,
    about: 'grant to user:guest',
  },
  {
    form: 'New trusted issuer',
    fields: {
      ...{ 'Name of the trust': 'jobs', 'Address of the issuer': 'https://issuer.test' },
      ...{ Claims: 'sub=repo:acme/*', 'Only stacks': 'shop/*', Minutes: '30' },
    },
    button: 'Trust it',
    row: /^jobs https:\/\/issuer\.test sub=repo:acme\/\* organization writer/,
    about: 'trust jobs',
  },
] as const;

browserTest('roles, grants and trusted issuers are made and removed by an administrator', async () => {
  await called('/api/orgs/organization/members/guest', { role: 'reader' });
  const { page, errors } = await made.open(browser);
  await page.getByRole('link', { name: 'organization' }).click();
  for (const { form, fields, button, row, about } of RECORDS) {
    const group = page.getByRole('group', { name: form });
    for (const [label, text] of Object.entries(fields))
      await group.getByLabel(new RegExp(`^${label}`)).fill(text);
    await group.getByRole('button', { name: button }).click();
    await page.getByRole('row', { name: row }).waitFor();
    await group.getByRole('button', { name: button, disabled: true }).waitFor();
    await page.getByRole('button', { name: `Remove ${about}` }).waitFor();
  }
  expect(await called('/api/orgs/organization/trusts')).toMatchObject({
    trusts: [{ name: 'jobs', claims: { sub: 'repo:acme/*' }, stacks: ['shop/*'], minutes: 30 }],
  });
  const grant = page.getByRole('group', { name: 'New grant' });
  await grant.getByLabel('Role of the grant').selectOption('deployer');
  await grant.getByLabel(/^To:/).fill('user:nobody-known');
  await grant.getByRole('button', { name: 'Make a grant' }).click();
  await page.getByText(/^4\d\d /).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  for (const { row, about } of RECORDS) {
    await page.getByRole('button', { name: `Remove ${about}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('row', { name: row }).waitFor({ state: 'detached' });
  }
  for (const name of ['reader', 'writer', 'admin'])
    expect(await page.getByRole('button', { name: `Remove role ${name}` }).count()).toBe(0);
  expect(errors).toEqual([]);
});
