import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { SMTPServer } from 'smtp-server';
import { FakeForge } from '@cairn/testkit/servers';
import type { FakeHook } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { gitIn } from '../support/git.js';
import { newToken, startServe } from '../support/served.js';

/**
 * Pull requests of a stack of a service: an agent takes the webhooks of the forge, and asks the service for previews
 * and updates. The forge is a fake one, everything else is real.
 */

jest.setTimeout(300_000);

/** Its configuration has a secret, which the service has sealed for the stack. */
const PROGRAM = (text: string): string => `
import { LocalCommand } from '@cairn/provider-local';
import { Config } from '@cairn/sdk';
const word = new Config().require('word');
const note = (what) => 'echo ' + what + ' ' + word + ' ${text} >> "$EFFECTS"';
new LocalCommand('page', { create: note('create'), update: note('update'), delete: note('delete') });
`;

let box: Sandbox;
let forge: FakeForge;
let service: Running;
let agent: Running;
let url = '';
let listener = '';
let mailServer: SMTPServer;
const mails: string[] = [];
let client: Readonly<Record<string, string>>;

const git = (...words: readonly string[]): string => gitIn(box, ...words);

function commit(text: string): string {
  box.write('index.ts', PROGRAM(text));
  git('add', 'index.ts', 'Cairn.yaml', 'Cairn.dev.yaml', 'package.json');
  git('commit', '--quiet', '--message', text);
  return git('rev-parse', 'HEAD');
}

/** Makes a commit that no branch has. */
function propose(number: number, text: string): string {
  git('checkout', '--quiet', '--detach', 'main');
  const head = commit(text);
  git('update-ref', `refs/merge-requests/${number}/head`, head);
  git('checkout', '--quiet', 'main');
  return head;
}

const post = async ({ headers, body }: FakeHook): Promise<number> =>
  (await fetch(`${listener}/forges/lab`, { method: 'POST', headers, body })).status;
const at = async (words: readonly string[], stack = 'dev'): Promise<string> => {
  const all = [...words, '--service', url, '--stack', `organization/shop/${stack}`];
  return expectOk(await box.cairn(all, { env: client })).stdout;
};
/** Writes a comment, and waits for the line of the agent about it. */
const say = async (login: string, text: string, line: string, number = 1): Promise<void> => {
  await post(forge.commentHook(number, login, text));
  await agent.shown(line);
};
const exists = async (stack: string): Promise<boolean> => {
  const headers = { authorization: `token ${client['CAIRN_ACCESS_TOKEN']}` };
  return (await fetch(`${url}/api/stacks/organization/shop/${stack}`, { headers })).ok;
};
const comment = (number: number): string => forge.ownComments(number).join('\n---\n');
const hasStatus = (id: string, state: string, stack = 'dev'): boolean =>
  forge.statuses.findLast(({ commit, context }) => commit === id && context === `cairn/shop/${stack}`)
    ?.state === state;
const effects = (): readonly string[] => {
  const file = path.join(box.home, 'effects.log');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

async function startAgent(): Promise<void> {
  const words = ['agent', '--service', url, '--name', 'one', '--local-sources', '--listen', '127.0.0.1:0'];
  agent = box.start([...words, '--state', '../agent/state', '--pulls', '../agent/pulls.yaml'], {
    env: { ...client, LAB_TOKEN: forge.token, LAB_SECRET: forge.secret },
  });
  let shown = '';
  agent.process.stderr?.on('data', (text: string) => (shown += text));
  await agent.shown(/listening on http:\S+\n/);
  listener = /listening on (http:\S+)/.exec(shown)?.[1] ?? '';
}

beforeAll(async () => {
  box = sandbox();
  forge = await FakeForge.start('gitlab');
  mailServer = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'] },
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        mails.push(text.replaceAll('=\r\n', '').replaceAll('=3D', '='));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  const { port } = mailServer.server.address() as AddressInfo;
  const store = {
    words: ['--store', String(box.env['CAIRN_BACKEND_URL'])],
    serve: ['--mail-from', 'cairn@example.com', '--url', 'https://cairn.example.com'],
    env: { CAIRN_SERVE_SMTP: `smtp://127.0.0.1:${port}` },
  };
  ({ running: service, url } = await startServe(box, store));
  client = { CAIRN_BACKEND_URL: url, CAIRN_ACCESS_TOKEN: await newToken(box, store) };
  for (const user of ['ada', 'bob']) await newToken(box, store, { user });
  forge.members.add('bob');
  expectOk(await box.cairn(['stack', 'init', 'organization/shop/dev'], { env: client }));
  const admin = await newToken(box, store, { user: 'root', role: 'admin' });
  const hook = ['--name', 'alice', '--url', 'mailto:alice@example.com', '--event', 'approval_wanted'];
  const hookOf = ['stack', 'webhook', 'new', '--stack', 'organization/shop/dev', ...hook];
  expectOk(
    await box.cairn([...hookOf, '--links', 'alice'], { env: { ...client, CAIRN_ACCESS_TOKEN: admin } }),
  );
  const word = ['config', 'set', '--secret', 'word', 'sesame', '--stack', 'organization/shop/dev'];
  expectOk(await box.cairn(word, { env: client }));
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'uploadpack.allowFilter', 'true');
  commit('one');
  const names = ['CAIRN_CODE_CACHE', 'GIT_CEILING_DIRECTORIES'];
  const given = names.flatMap((name) => (box.env[name] === undefined ? [] : [[name, box.env[name]]]));
  const answer = await fetch(`${url}/api/stacks/organization/shop/dev/deployments/settings`, {
    method: 'POST',
    headers: { authorization: `token ${client['CAIRN_ACCESS_TOKEN']}` },
    body: JSON.stringify({
      operationContext: {
        environmentVariables: {
          ...(Object.fromEntries(given) as object),
          EFFECTS: path.join(box.home, 'effects.log'),
        },
      },
      cairn: {
        source: { git: pathToFileURL(box.directory).href, branch: 'main' },
        policy: { rules: [], approvals: 2, others: true },
        comments: { relay: 'alice', people: { 'lab:ada': 'ada', 'lab:bob': 'bob' } },
      },
    }),
  });
  expect(answer.status).toBe(200);
  box.write(
    '../agent/pulls.yaml',
    `
forges:
  lab: { kind: gitlab, api: "${forge.api}", repository: acme/shop, token: LAB_TOKEN, secret: LAB_SECRET }
stacks: { shop/dev: { forge: lab, review: true }, shop/gone: lab }
`,
  );
  await startAgent();
  await agent.shown('works for');
});
afterAll(async () => {
  service.process.kill('SIGKILL');
  await service.finished;
  await forge.stop();
  mailServer.close();
  box.remove();
});

const PULL = { base: 'main', isFork: false, author: 'bob', files: ['index.ts'] };

test('a pull request has a preview, one comment and a status, and people approve its runs in comments', async () => {
  const head = propose(1, 'two');
  const page = 'https://lab.example.com/acme/shop/-/merge_requests/1';
  forge.pulls.set(1, { ...PULL, page, state: 'open', head });
  const hook = forge.pullHook(1);
  expect(await post({ ...hook, headers: { ...hook.headers, 'x-gitlab-token': 'other' } })).toBe(401);
  expect(await post(hook)).toBe(202);
  await forge.until(() => hasStatus(head, 'success'));
  expect(comment(1)).toMatch(
    /\| shop\/dev \| \[preview 1\]\(http\S+\/s\/organization\/shop\/dev\/runs\/1\) \| succeeded: 1 create \|/,
  );
  expect(await at(['agent', 'runs'])).toMatch(/1 +preview +bob +succeeded +one /);
  expect(await at(['agent', 'runs', '1'])).toMatch(
    new RegExp(`^Agent one\nPull request lab/1 ${page}\nPreview of version 0: preview succeeded$`, 'm'),
  );
  // Its review stack has the configuration of the stack, with the secret.
  await forge.until(() => /approve 1 --service \S+ --stack organization\/shop\/dev-pr-1`/.test(comment(1)));
  expect(comment(1)).toContain(
    'To approve it, comment `cairn approve 1 shop/dev-pr-1`, use its page, or run',
  );
  // Its author, and a stranger, are none of the two people that it needs.
  await say(
    'bob',
    'cairn approve 1 shop/dev-pr-1',
    'run 1 is not approved by bob: Conflict: The deployment cannot be approved: another person',
  );
  await say('eve', 'cairn approve 1 shop/dev-pr-1', 'only members may do that');
  await say('ada', 'cairn approve 1 shop/dev-pr-1', 'run 1 is approved by ada');
  await at(['agent', 'approve', '1'], 'dev-pr-1');
  await forge.until(() => hasStatus(head, 'success', 'dev-pr-1'));
  expect(effects()).toEqual(['create sesame two']);
  const merge = commit('two');
  forge.pulls.set(1, { ...PULL, state: 'merged', head, merge });
  expect(await post(forge.pullHook(1))).toBe(202);
  await forge.until(() =>
    /cairn agent approve \d+ --service \S+ --stack organization\/shop\/dev`/.test(comment(1)),
  );
  const [, run = ''] = /cairn agent approve (\d+)/.exec(comment(1)) ?? [];
  // The end of its review stack needs no approval.
  await forge.until(() => /\| shop\/dev-pr-1 \| .*\| succeeded/.test(comment(1)));
  expect([effects(), await exists('dev-pr-1')]).toEqual([['create sesame two', 'delete sesame two'], false]);
  await say(
    'ada',
    `cairn approve ${run}`,
    `run ${run} is not approved by ada: Conflict: The deployment cannot be approved: another person`,
  );
  await say('bob', `cairn approve ${run}`, `run ${run} is approved by bob`);
  // An agent that is killed forgets nothing of it.
  agent.process.kill('SIGKILL');
  await agent.finished;
  await startAgent();
  await agent.shown('works for');
  await say(
    'bob',
    `cairn approve ${run}`,
    `run ${run} is not approved by bob: Conflict: The deployment cannot be approved: bob has approved it`,
  );
  // The second one approves by the link of a mail that the service has sent.
  const link = /https:\/\/cairn\.example\.com(\/approve\/\S+)/.exec(mails.at(-1) ?? '')?.[1] ?? '';
  expect(await (await fetch(url + link)).text()).toContain('Approve as alice');
  expect((await fetch(url + link, { method: 'POST' })).status).toBe(200);
  expect((await fetch(url + link, { method: 'POST' })).status).toBe(409);
  await forge.until(() => hasStatus(merge, 'success'));
  expect(effects().at(-1)).toBe('create sesame two');
  expect(await at(['agent', 'runs', run])).toMatch(/^Change 1: update succeeded$/m);
  const changes = expectOk(
    await box.cairn(['changes', '--stack', 'organization/shop/dev'], { env: client }),
  ).stdout;
  expect(changes).toContain(`Update dev: agent run ${run} of ada at `);
  expect(forge.ownComments(1)).toHaveLength(1);
});

test('a fork runs nothing before a member says so', async () => {
  const head = propose(2, 'evil');
  forge.pulls.set(2, { ...PULL, isFork: true, author: 'eve', state: 'open', head });
  await post(forge.pullHook(2));
  await forge.until(() => hasStatus(head, 'pending'));
  expect(comment(2)).toContain('This pull request comes from another repository');
  await post(forge.commentHook(2, 'eve', 'cairn preview'));
  await agent.shown('a comment of eve is not obeyed');
  expect(await at(['agent', 'runs'])).not.toMatch(/3 +preview/);
  await post(forge.commentHook(2, 'ada', 'cairn preview'));
  await forge.until(() => hasStatus(head, 'success'));
  expect(comment(2)).toMatch(/\| shop\/dev \| \[preview 3\]\(http\S+\/runs\/3\) \| succeeded/);
  expectOk(await box.cairn(['agent', 'drain', 'one', '--service', url], { env: client }));
  const { text } = expectOk(await agent.finished);
  expect(text).not.toContain('planted');
  expect(text).toMatch(/pull requests cannot touch shop\/gone: /);
});
