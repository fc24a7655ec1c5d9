import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { EFFECT, effectsOf } from '../support/effect.js';
import { giveStack } from '../support/given-stack.js';

/** Links in notices that approve a run: only a click approves, once, and counts as the person to whom it was sent. */

jest.setTimeout(300_000);

const AGENT = `
state: agent-state
environment: [CAIRN_CONFIG_PASSPHRASE, CAIRN_CODE_CACHE, GIT_CEILING_DIRECTORIES]
links: { address: "https://agent.example.com", valid: 2h }
notify:
  first: { webhook: FIRST_URL, links: ada, types: [approval-wanted] }
  second: { webhook: SECOND_URL, links: bob, types: [approval-wanted] }
  third: { webhook: THIRD_URL, types: [approval-wanted] }
networks: [127.0.0.1]
stacks:
- stack: dev
  source: { directory: . }
  policy: { approvals: 2, others: true, rules: [] }
`;
const PROGRAM = (name: string): string => `
import { LocalCommand } from '@cairn/provider-local';
new LocalCommand('${name}', { create: 'exec sh effect.sh create ${name}', delete: 'exec sh effect.sh delete ${name}' });
`;

let box: Sandbox;
let hooks: Server;
let agent: Running;
let url = '';
let env: Readonly<Record<string, string>>;
/** Bodies that were posted, with the path of their target. */
const posted: { readonly target: string; readonly body: PostedNotice }[] = [];
let onPost: () => void = () => undefined;

interface PostedNotice {
  readonly notice: { readonly key: string };
  readonly approve?: { readonly url: string; readonly person: string };
}

beforeAll(async () => {
  hooks = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      posted.push({ target: request.url ?? '', body: JSON.parse(body) as PostedNotice });
      response.writeHead(204).end();
      onPost();
    });
  });
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve));
  box = sandbox({ 'index.ts': PROGRAM('a'), 'effect.sh': EFFECT, 'agent.yaml': AGENT });
  giveStack(box);
  const target = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`;
  env = { FIRST_URL: `${target}/first`, SECOND_URL: `${target}/second`, THIRD_URL: `${target}/third` };
  agent = box.start(['agent', '--listen', '127.0.0.1:0'], { env });
  let shown = '';
  agent.process.stderr?.on('data', (text: string) => (shown += text));
  await agent.shown(/listening on http:\S+\n/);
  url = /listening on (http:\S+)/.exec(shown)?.[1] ?? '';
});
afterAll(() => {
  hooks.closeAllConnections();
  hooks.close();
  box.remove();
});

/** Answer to a request for a link: its status, and the code of a refusal or the title of the page. */
async function open(token: string, method = 'GET'): Promise<readonly [number, string]> {
  const answer = await fetch(`${url}/approve/${token}`, { method });
  const html = await answer.text();
  return [
    answer.status,
    /<code>(link-\w+)<\/code>/.exec(html)?.[1] ?? /<h1>(.*)<\/h1>/.exec(html)?.[1] ?? '',
  ];
}

/** Waits until all targets have the notice of a run. Returns its links by person. */
async function linksOf(run: string): Promise<{ readonly ada: string; readonly bob: string }> {
  const found = () => posted.filter(({ body }) => body.notice.key === run);
  while (found().length < 3) await new Promise<void>((resolve) => (onPost = resolve));
  const linkTo = (target: string): PostedNotice['approve'] =>
    found().find((each) => each.target === target)?.body.approve;
  // A target without a person gets none.
  expect(linkTo('/third')).toBeUndefined();
  const [ada, bob] = [linkTo('/first'), linkTo('/second')];
  expect([ada?.person, bob?.person]).toEqual(['ada', 'bob']);
  const tokenOf = (link: PostedNotice['approve']): string =>
    (link?.url ?? '').replace('https://agent.example.com/approve/', '');
  return { ada: tokenOf(ada), bob: tokenOf(bob) };
}

/** Signs a content as the agent does. */
function signed(content: readonly unknown[]): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  const key = readFileSync(path.join(box.directory, 'agent-state', 'approval-key'));
  return `${text}.${createHmac('sha256', key).update(`cairn approval link\n${text}`).digest('base64url')}`;
}
const contentOf = (token: string): readonly unknown[] =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as unknown[];

test('two people approve by their links, and only with a click', async () => {
  expectOk(await box.cairn(['request', 'up']));
  const { ada, bob } = await linksOf('1');
  const page = await fetch(`${url}/approve/${ada}`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  const html = await page.text();
  expect(html).toContain('Run 1: up of dev');
  expect(html).toMatch(/<li>create urn:pulumi:dev::.*::a<\/li>/);
  expect(html).toContain('Approve as ada');
  expect(await open(ada, 'HEAD')).toEqual([200, '']);
  expect((await fetch(`${url}/approve/${ada}`, { method: 'PUT' })).status).toBe(405);
  const [content = '', signature = ''] = bob.split('.');
  const forged = Buffer.from(JSON.stringify(contentOf(bob).with(2, 'eve'))).toString('base64url');
  for (const method of ['GET', 'POST']) {
    // Altered, late, and of a person to whom the file sends none.
    expect(await open(`${forged}.${signature}`, method)).toEqual([403, 'link-altered']);
    expect(await open(content, method)).toEqual([403, 'link-altered']);
    expect(await open(signed(contentOf(bob).with(3, '2026-01-01T00:00:00Z')), method)).toEqual([
      410,
      'link-late',
    ]);
    expect(await open(signed(contentOf(bob).with(2, 'eve')), method)).toEqual([403, 'link-person']);
  }
  // Nothing so far has approved anything.
  expect(expectOk(await box.cairn(['agent', 'runs', '1'])).stdout).toContain('Needs 2 more');
  expect(await open(ada, 'POST')).toEqual([200, 'Approved']);
  await agent.shown('run 1: approved by ada, 1 of 2');
  expect(await open(ada, 'POST')).toEqual([409, 'link-used']);
  expect(effectsOf(box)).toEqual([]);
  expect(await open(bob, 'POST')).toEqual([200, 'Approved']);
  await agent.shown(/run 1 succeeded {2}stack=dev {2}kind=up {2}why=approved by ada, bob/);
  expect(effectsOf(box)).toEqual(['create a']);
  expect(await open(bob)).toEqual([409, 'link-used']);
  const { approvals } = JSON.parse(expectOk(await box.cairn(['agent', 'runs', '1', '--json'])).stdout) as {
    approvals: unknown[];
  };
  expect(approvals).toMatchObject([
    { by: 'ada', via: 'link' },
    { by: 'bob', via: 'link' },
  ]);
});

test('a link ends with its run, and nothing of it is in a log', async () => {
  box.write('index.ts', PROGRAM('b'));
  expectOk(await box.cairn(['request', 'up']));
  const { ada } = await linksOf('2');
  // A newer request takes the place of the run that waits.
  expectOk(await box.cairn(['request', 'up']));
  await linksOf('3');
  for (const method of ['GET', 'POST']) expect(await open(ada, method)).toEqual([409, 'link-moved']);
  expectOk(await box.cairn(['agent', 'drain']));
  const { text } = expectOk(await agent.finished);
  expect(text).toContain('an approval link is refused: link-late  run=1  person=bob');
  expect(text).toContain('an approval link is used  run=1  person=ada');
  expect(text).not.toContain(ada.slice(0, 40));
  const alone = await box.cairn(['agent', '--once'], { env });
  expect([alone.code, alone.stderr]).toEqual([
    2,
    expect.stringContaining('cannot send links that approve: the agent has no address'),
  ]);
});
