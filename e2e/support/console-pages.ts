import { expectOk } from './cairn.js';
import { bucketOf, consoleBox, stateText, thing } from './console.js';
import type { ConsoleBox } from './console.js';
import { newToken } from './served.js';

/** Secret of the shown stacks. No page may have it. */
export const PLANTED = 'planted-7f3a9c';

const SHOWN = '/s/organization/shop/shown';
const FILE = 'urn:pulumi:shown::shop::cairn-local:index:File';

/**
 * Pages of the console with their addresses, one row each: pictures of all of them are kept below `docs/console`, and
 * each is looked at by axe, in light and dark, on a phone and a screen.
 */
export const CONSOLE_PAGES = [
  ['stacks', '/'],
  ['stack', SHOWN],
  ['resources', `${SHOWN}/resources?urn=${FILE}::page2`],
  ['graph', `${SHOWN}/graph?colour=status`],
  ['changes', `${SHOWN}/changes`],
  ['change', `${SHOWN}/changes/2?task=3`],
  ['plans', `${SHOWN}/previews`],
  ['runs', `${SHOWN}/runs`],
  ['drift', `${SHOWN}/drift`],
  ['history', `${SHOWN}/history?from=1&to=2`],
  ['doubts', '/s/organization/shop/stuck/doubts'],
  ['settings', `${SHOWN}/settings`],
  ['organization', '/o/organization'],
] as const;

/** Name of a page in the list. */
export type ConsolePageName = (typeof CONSOLE_PAGES)[number][0];

/** Program of the shown stack. */
const program = (content: string, more = ''): string => `
import { LocalFile } from '@cairn/provider-local';
import { secret } from '@cairn/sdk';
const base = new LocalFile('base', { path: 'base.txt', content: 'the base' });
const key = new LocalFile('key', { path: 'key.txt', content: secret('${PLANTED}') }, { dependsOn: [base] });
for (let index = 0; index < 4; index += 1)
  new LocalFile(\`page\${index}\`, { path: \`page\${index}.txt\`, content: '${content}' }, { dependsOn: [key] });
new LocalFile('menu', { path: 'menu.txt', content: 'a menu' }, { parent: base });
${more}
export const password = secret('${PLANTED}');
export const colour = 'blue';
`;

/** Its second file waits for an approval. */
const gated = `
import { LocalFile } from '@cairn/provider-local';
new LocalFile('open', { path: 'open.txt', content: 'one' });
new LocalFile('shut', { path: 'shut.txt', content: 'one' }, { gate: 'the data team agrees' });
`;

/** Stores a state with a step in doubt, which the command would not. */
async function importDoubt(url: string, token: string): Promise<void> {
  const resource = { ...thing('queue'), custom: true };
  const { status } = await fetch(`${url}/api/stacks/organization/shop/stuck/import`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: stateText([], { pending_operations: [{ resource, type: 'creating' }] }),
  });
  expect(status).toBe(200);
}

const UP = ['up', '--yes', '--skip-preview', '--parallel', '1'];

/** Starts a service with stacks that fill every page. Its client is an administrator. */
export async function filledConsole(): Promise<ConsoleBox> {
  const made = await consoleBox({ 'index.ts': program('first') });
  const { box } = made;
  const token = await newToken(box, bucketOf(box), { user: 'boss', role: 'admin' });
  made.service = { ...made.service, client: { ...made.service.client, CAIRN_ACCESS_TOKEN: token } };
  const run = async (...words: string[]) => expectOk(await made.cairn(...words));
  await run('stack', 'rm', '--yes', 'dev');
  await run('stack', 'init', 'shown');
  await run('stack', 'tag', 'set', 'team', 'web');
  await run('config', 'set', 'region', 'north');
  await run(...UP, '-m', 'the first pages');
  box.write('index.ts', program('second'));
  await run(...UP, '-m', 'new words for the pages');
  box.write('index.ts', program('second', "new LocalFile('foot', { path: 'foot.txt', content: 'a foot' });"));
  await run('preview', '-m', 'a foot for the pages');
  box.write('menu.txt', 'changed outside');
  await run('refresh', '--preview-only');
  await run('stack', 'init', 'gated');
  box.write('index.ts', gated);
  expect((await made.cairn(...UP)).code).toBe(10);
  await run('stack', 'init', 'stuck');
  await importDoubt(made.service.url, token);
  return made;
}
