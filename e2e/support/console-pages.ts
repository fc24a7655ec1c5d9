import { expectOk } from './cairn.js';
import { bucketOf, consoleBox, stateText, thing } from './console.js';
import type { ConsoleBox } from './console.js';
import { newToken } from './served.js';

/** Secret of the shown stacks. No page may have it. */
export const PLANTED = 'planted-7f3a9c';

const SHOWN = '/s/organization/shop/shown';
const ASKED = '/s/organization/shop/asked';
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
  ['runs', `${ASKED}/runs`],
  ['run', `${ASKED}/runs/2`],
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

/** Posts to the service as its administrator. */
type Post = (path: string, body: string) => Promise<unknown>;

/** Stores a state with a step in doubt, which the command would not. */
async function importDoubt(post: Post): Promise<void> {
  const resource = { ...thing('queue'), custom: true };
  await post(
    '/api/stacks/organization/shop/stuck/import',
    stateText([], { pending_operations: [{ resource, type: 'creating' }] }),
  );
}

/** Asks an agent for two runs: one that is done, and one of a pull request that waits. The agent then ends. */
async function askForRuns(post: Post): Promise<void> {
  const at = '/api/stacks/organization/shop/asked/deployments';
  const claim = (more: object): Promise<unknown> =>
    post('/api/orgs/organization/agents/claim', JSON.stringify({ agent: 'builder', pool: 'blue', ...more }));
  const git = { repoUrl: 'https://git.example.com/acme/shop.git', branch: 'main' };
  const settings = { sourceContext: { git }, operationContext: { preRunCommands: ['npm ci'] } };
  await post(`${at}/settings`, JSON.stringify({ ...settings, cairn: { policy: { rules: [] } } }));
  const commit = '5f1d7a84c1b2e3f405162738495a6b7c8d9e0f11';
  const pull = { pull: 'hub/12', pullPage: 'https://git.example.com/acme/shop/pull/12' };
  for (const [cairn, statuses] of [
    [{}, ['ready', 'applying', 'succeeded']],
    [pull, ['waiting']],
  ] as const) {
    await post(at, JSON.stringify({ operation: 'update', cairn }));
    const { run } = (await claim({})) as { run: { deployment: string; fence: number; row: object } };
    const steps = [
      { kind: 'create', urn: `${FILE}::foot` },
      { kind: 'delete', urn: `${FILE}::menu` },
    ];
    const planned = { ...run.row, commit, digest: 'p'.repeat(64), base: 's'.repeat(64), steps };
    const why = statuses[0] === 'waiting' ? ['1 delete needs an approval'] : [];
    const report = {
      ...{ agent: 'builder', fence: run.fence, lines: [{ line: 'planned 2 steps' }] },
      rows: statuses.map((status) => ({ ...planned, status, why })),
    };
    await post(`${at}/${run.deployment}/attend`, JSON.stringify(report));
  }
  await claim({ ends: true });
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
  const post: Post = async (path, body) => {
    const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(made.service.url + path, { method: 'POST', headers, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text || '{}');
  };
  await importDoubt(post);
  await run('stack', 'init', 'asked');
  await askForRuns(post);
  return made;
}
