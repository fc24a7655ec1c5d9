import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FakeForge } from '@cairn/testkit/servers';
import type { FakeHook } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { gitIn } from '../support/git.js';
import { giveStack } from '../support/given-stack.js';

/**
 * Pull requests from their webhook to their merge: previews, one comment, statuses, a review stack, approvals by
 * members, and forks. The forge is a fake one, everything else is real.
 */

jest.setTimeout(300_000);

const PROGRAM = (text: string): string => `
import { getStack } from '@cairn/sdk';
import { LocalCommand } from '@cairn/provider-local';
const note = (what) => 'echo ' + what + ' ' + getStack() + ' ${text} >> "$EFFECTS"';
new LocalCommand('page', { create: note('create'), update: note('update'), delete: note('delete') });
`;

let box: Sandbox;
let forge: FakeForge;
let agent: Running;
let url: string;
afterAll(async () => {
  await forge.stop();
  box.remove();
});

const git = (...words: readonly string[]): string => gitIn(box, ...words);

function commit(text: string): string {
  box.write('index.ts', PROGRAM(text));
  git('add', 'index.ts', 'Cairn.yaml', 'Cairn.dev.yaml', 'package.json');
  git('commit', '--quiet', '--message', text);
  return git('rev-parse', 'HEAD');
}

/** Makes a commit that only the reference of a pull request has. */
function propose(number: number, text: string): string {
  git('checkout', '--quiet', '--detach', 'main');
  const head = commit(text);
  git('update-ref', `refs/pull/${number}/head`, head);
  git('checkout', '--quiet', 'main');
  return head;
}

async function post({ headers, body }: FakeHook, name = 'hub'): Promise<number> {
  return (await fetch(`${url}/forges/${name}`, { method: 'POST', headers, body })).status;
}

const effects = (): readonly string[] => {
  const file = path.join(box.home, 'effects.log');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};
const comment = (number: number): string => forge.ownComments(number).join('\n---\n');
const lastStatus = (commitId: string): string | undefined => {
  const found = forge.statuses.findLast(({ commit: id }) => id === commitId);
  return found && `${found.context} ${found.state}: ${found.description}`;
};

beforeAll(async () => {
  box = sandbox();
  giveStack(box);
  forge = await FakeForge.start('github');
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'uploadpack.allowFilter', 'true');
  commit('one');
  box.write(
    '../agent/agent.yaml',
    `
state: state
environment: [CAIRN_CONFIG_PASSPHRASE, CAIRN_CODE_CACHE, GIT_CEILING_DIRECTORIES, EFFECTS]
forges:
  hub: { kind: github, api: "${forge.api}", repository: acme/shop, token: HUB_TOKEN, secret: HUB_SECRET }
policies:
  careful:
    rules: [{ kinds: [create], by: ["hub:bob", "hub:eve"], then: apply }]
stacks:
- stack: dev
  source: { git: "${pathToFileURL(box.directory).href}", branch: main, local: true, every: 1h }
  onCommit: nothing
  policy: careful
  pulls: { forge: hub, review: true }
- stack: other
  source: { git: "${pathToFileURL(box.directory).href}", branch: main, local: true, folder: other, every: 1h }
  onCommit: nothing
  pulls: { forge: hub }
`,
  );
  agent = box.start(['agent', '--config', '../agent/agent.yaml', '--listen', '127.0.0.1:0'], {
    env: {
      EFFECTS: path.join(box.home, 'effects.log'),
      HUB_TOKEN: forge.token,
      HUB_SECRET: forge.secret,
    },
  });
  let shown = '';
  agent.process.stderr?.on('data', (text: string) => (shown += text));
  await agent.shown(/listening on http:\S+\n/);
  url = /listening on (http:\S+)/.exec(shown)?.[1] ?? '';
  await agent.shown('keeps 2 stacks');
});

test('a pull request gets a preview, a review stack, one comment and a status', async () => {
  const head = propose(1, 'two');
  forge.pulls.set(1, {
    state: 'open',
    head,
    base: 'main',
    isFork: false,
    author: 'bob',
    files: ['index.ts'],
  });
  // A forge may be out of calls for a moment.
  forge.refusals = 1;
  const hook = forge.pullHook(1);
  expect(await post(hook)).toBe(202);
  await forge.until(() => /dev\.pr-1 \| review \d+ \| succeeded/.test(comment(1)));
  await forge.until(() => /cairn\/dev\.pr-1 success/.test(lastStatus(head) ?? ''));
  expect(comment(1)).toMatch(/\| dev \| preview \d+ \| succeeded: 1 create \|/);
  expect(comment(1)).toContain('create urn:pulumi:dev::shop::');
  expect(forge.statuses).toContainEqual({
    ...{ commit: head, context: 'cairn/dev', state: 'success' },
    description: 'preview succeeded: 1 create',
  });
  expect(forge.ownComments(1)).toHaveLength(1);
  // The stack that it does not touch has no run.
  expect(comment(1)).not.toContain('other');
  expect(effects()).toEqual(['create dev-pr-1 two']);

  expect(await post(hook)).toBe(202);
  await agent.shown('repeats a delivery');
  expect(await post({ ...hook, headers: { ...hook.headers, 'x-hub-signature-256': 'sha256=00' } })).toBe(401);
  expect(await post(hook, 'nowhere')).toBe(404);
  expect(await post({ ...hook, body: 'x'.repeat(6 << 20) })).toBe(413);
});

test('its merge waits for a member, and ends the review stack', async () => {
  const merge = commit('two');
  const { head, ...rest } = forge.pulls.get(1) ?? {
    head: '',
    base: 'main',
    isFork: false,
    author: 'bob',
    files: [],
  };
  forge.pulls.set(1, { ...rest, head, state: 'merged', merge });
  expect(await post(forge.pullHook(1))).toBe(202);
  await forge.until(() => /cairn approve \d+/.test(comment(1)));
  const [line = '', run = ''] = /cairn approve (\d+)/.exec(comment(1)) ?? [];
  await post(forge.commentHook(1, 'mallory', line));
  await agent.shown('a comment of mallory is not obeyed: only members may do that');
  await post(forge.commentHook(1, 'ada', 'approve'));
  await post(forge.commentHook(1, 'ada', `I have read it.\n${line}`));
  await agent.shown(new RegExp(`run ${run} succeeded {2}stack=dev {2}kind=up {2}why=approved by hub:ada`));
  await forge.until(() =>
    forge.statuses.some((status) => status.commit === merge && status.state === 'success'),
  );
  await agent.shown(/run \d+ succeeded {2}stack=dev\.pr-1 {2}kind=destroy/);
  expect([...effects()].sort()).toEqual(['create dev two', 'create dev-pr-1 two', 'delete dev-pr-1 two']);
  expect(expectOk(await box.cairn(['stack', 'ls'])).stdout).not.toContain('dev-pr-1');
  expect(forge.ownComments(1)).toHaveLength(1);
});

test('a fork runs nothing before a member says so, and its end removes its review stack', async () => {
  const head = propose(2, 'evil');
  const pull = { head, base: 'main', isFork: true, author: 'eve', files: ['index.ts'] };
  forge.pulls.set(2, { ...pull, state: 'open' });
  await post(forge.pullHook(2));
  await forge.until(() => comment(2).includes('This pull request comes from another repository'));
  await forge.until(() => lastStatus(head)?.includes('pending: waits for a member') === true);
  await post(forge.commentHook(2, 'eve', 'cairn preview'));
  await agent.shown('a comment of eve is not obeyed');
  expect(effects().filter((line) => line.includes('evil'))).toEqual([]);
  await post(forge.commentHook(2, 'ada', 'cairn preview'));
  await forge.until(() => /dev\.pr-2 \| review \d+ \| succeeded/.test(comment(2)));
  expect(effects()).toContain('create dev-pr-2 evil');
  // Another commit is another question.
  const next = propose(2, 'worse');
  forge.pulls.set(2, { ...pull, head: next, state: 'open' });
  await post(forge.pullHook(2));
  await forge.until(() => comment(2).includes('This pull request comes from another repository'));
  forge.pulls.set(2, { ...pull, head: next, state: 'closed' });
  await post(forge.pullHook(2));
  await agent.shown(/run \d+ succeeded {2}stack=dev\.pr-2 {2}kind=destroy/);
  expect(effects().filter((line) => line.includes('worse'))).toEqual([]);
  expect(effects()).toContain('delete dev-pr-2 evil');
  expect(forge.ownComments(2)).toHaveLength(1);
});

test('health and metrics tell how it does, and no log has a secret', async () => {
  const get = async (name: string): Promise<readonly [number, string]> => {
    const answer = await fetch(`${url}${name}`);
    return [answer.status, await answer.text()];
  };
  expect(await get('/healthz')).toEqual([200, 'ok\n']);
  expect(await get('/readyz')).toEqual([200, 'ok\n']);
  expect((await get('/'))[0]).toBe(404);
  const [, metrics] = await get('/metrics');
  expect(metrics).toContain('cairn_agent_runs_ended_total{kind="preview",status="succeeded"} 2');
  expect(metrics).toContain('cairn_agent_runs_open{status="waiting"} 0');
  expect(metrics).toMatch(/cairn_agent_queue_age_seconds 0\n/);
  expect(metrics).toMatch(/cairn_agent_lease_seconds [12]\d/);
  expectOk(await box.cairn(['agent', 'drain', '--config', '../agent/agent.yaml']));
  const { text } = expectOk(await agent.finished);
  expect(text).not.toContain('planted');
  expect(JSON.stringify([...forge.comments.values()])).not.toContain('planted');
});
