import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FakeForge } from '@cairn/testkit/servers';
import type { FakeHook } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { gitIn } from '../support/git.js';
import { giveStack } from '../support/given-stack.js';
import { until } from '../support/until.js';

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
/** Forges that have the same story, by the names of their stacks. */
let others: Readonly<Record<'lab' | 'jo', FakeForge>>;
let agent: Running;
let url: string;
afterAll(async () => {
  for (const each of [forge, ...Object.values(others)]) await each.stop();
  box.remove();
});

const git = (...words: readonly string[]): string => gitIn(box, ...words);

function commit(text: string): string {
  box.write('index.ts', PROGRAM(text));
  git(
    'add',
    'index.ts',
    'Cairn.yaml',
    ...['dev', 'lab', 'jo'].map((stack) => `Cairn.${stack}.yaml`),
    'package.json',
  );
  git('commit', '--quiet', '--message', text);
  return git('rev-parse', 'HEAD');
}

/** Makes a commit that only the reference of a pull request has. */
function propose(number: number, text: string, refs = 'refs/pull'): string {
  git('checkout', '--quiet', '--detach', 'main');
  const head = commit(text);
  git('update-ref', `${refs}/${number}/head`, head);
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
const comment = (number: number, of = forge): string => of.ownComments(number).join('\n---\n');
const lastStatus = (commitId: string): string | undefined => {
  const found = forge.statuses.findLast(({ commit: id }) => id === commitId);
  return found && `${found.context} ${found.state}: ${found.description}`;
};

beforeAll(async () => {
  box = sandbox();
  for (const stack of ['dev', 'lab', 'jo']) giveStack(box, stack);
  forge = await FakeForge.start('github');
  others = { lab: await FakeForge.start('gitlab'), jo: await FakeForge.start('forgejo') };
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
  lab: { kind: gitlab, api: "${others.lab.api}", repository: acme/shop, token: HUB_TOKEN, secret: HUB_SECRET }
  jo: { kind: forgejo, api: "${others.jo.api}", repository: acme/shop, token: HUB_TOKEN, secret: HUB_SECRET }
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
${['lab', 'jo']
  .map(
    (stack) => `- stack: ${stack}
  source: { git: "${pathToFileURL(box.directory).href}", branch: main, local: true, every: 1h }
  onCommit: nothing
  pulls: { forge: ${stack} }
`,
  )
  .join('')}`,
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
  await agent.shown('keeps 4 stacks');
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
  // The preview and the review stack run at once, and each may be the last one.
  const successes = () =>
    forge.statuses.filter(({ commit: id, state }) => id === head && state === 'success');
  await forge.until(() => new Set(successes().map(({ context }) => context)).size === 2);
  expect(comment(1)).toMatch(/\| dev \| preview \d+ \| succeeded: 1 create \|/);
  expect(comment(1)).toContain('create urn:pulumi:dev::shop::');
  expect(successes()).toContainEqual({
    ...{ commit: head, context: 'cairn/dev', state: 'success' },
    description: 'preview succeeded: 1 create',
  });
  expect(successes()).toContainEqual(expect.objectContaining({ context: 'cairn/dev.pr-1' }));
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
  // A preview that still runs would be given up for that of the next commit.
  await forge.until(() => /\| dev \| preview \d+ \| succeeded/.test(comment(2)));
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

test('GitLab and Forgejo tell the same story: preview, comment, status, a stranger, a member and the merge', async () => {
  const pull = { base: 'main', isFork: false, author: 'bob', files: ['index.ts'] };
  const told = [
    {
      stack: 'lab',
      number: 11,
      head: propose(11, 'eleven', 'refs/merge-requests'),
      signature: 'x-gitlab-token',
    },
    { stack: 'jo', number: 12, head: propose(12, 'twelve'), signature: 'x-forgejo-signature' },
  ] as const;
  const merge = commit('merged');
  const tell = async ({ stack, number, head, signature }: (typeof told)[number]): Promise<void> => {
    const own = others[stack];
    own.pulls.set(number, { ...pull, state: 'open', head });
    const hook = own.pullHook(number);
    for (const wrong of ['', '00', `${hook.headers[signature]}0`]) {
      const headers = { ...hook.headers, [signature]: wrong };
      expect([stack, await post({ ...hook, headers }, stack)]).toEqual([stack, 401]);
    }
    // The signature of one forge is none for another.
    expect(await post(forge.pullHook(number), stack)).toBe(401);
    expect(await post(hook, stack)).toBe(202);
    await own.until(() => own.statuses.some(({ commit: id, state }) => id === head && state === 'success'));
    expect(own.statuses.findLast(({ commit: id }) => id === head)).toMatchObject({
      ...{ context: `cairn/${stack}`, description: 'preview succeeded: 1 create' },
    });
    expect(comment(number, own)).toMatch(
      new RegExp(`\\| ${stack} \\| preview \\d+ \\| succeeded: 1 create \\|`),
    );
    own.pulls.set(number, { ...pull, state: 'merged', head, merge });
    await post(own.pullHook(number), stack);
    await own.until(() => /cairn approve \d+/.test(comment(number, own)));
    const [line = '', run = ''] = /cairn approve (\d+)/.exec(comment(number, own)) ?? [];
    await post(own.commentHook(number, `mallory-${stack}`, line), stack);
    await agent.shown(`a comment of mallory-${stack} is not obeyed: only members may do that`);
    await post(own.commentHook(number, 'ada', line), stack);
    await agent.shown(
      new RegExp(`run ${run} succeeded {2}stack=${stack} {2}kind=up {2}why=approved by ${stack}:ada`),
    );
    await own.until(() => own.statuses.some(({ commit: id, state }) => id === merge && state === 'success'));
    expect(own.ownComments(number)).toHaveLength(1);
  };
  await Promise.all(told.map(tell));
  expect(effects()).toEqual(expect.arrayContaining(['create lab merged', 'create jo merged']));
  expect(effects().filter((line) => /eleven|twelve/.test(line))).toEqual([]);
});

test('health and metrics tell how it does, and no log has a secret', async () => {
  const get = async (name: string): Promise<readonly [number, string]> => {
    const answer = await fetch(`${url}${name}`);
    return [answer.status, await answer.text()];
  };
  expect(await get('/healthz')).toEqual([200, 'ok\n']);
  expect(await get('/readyz')).toEqual([200, 'ok\n']);
  expect((await get('/'))[0]).toBe(404);
  let metrics = '';
  // The lease is renewed every 10 seconds, unless the machine is too busy.
  await until(async () => {
    [, metrics] = await get('/metrics');
    return /cairn_agent_lease_seconds [12]\d/.test(metrics);
  });
  expect(metrics).toContain('cairn_agent_runs_ended_total{kind="preview",status="succeeded"} 4');
  expect(metrics).toContain('cairn_agent_runs_open{status="waiting"} 0');
  expect(metrics).toMatch(/cairn_agent_queue_age_seconds 0\n/);
  expectOk(await box.cairn(['agent', 'drain', '--config', '../agent/agent.yaml']));
  const { text } = expectOk(await agent.finished);
  expect(text).not.toContain('planted');
  for (const each of [forge, ...Object.values(others)])
    expect(JSON.stringify([...each.comments.values()])).not.toContain('planted');
});
