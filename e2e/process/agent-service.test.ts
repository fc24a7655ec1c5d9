import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Running, Sandbox } from '../support/cairn.js';
import { EFFECT, effectsOf } from '../support/effect.js';
import { gitIn } from '../support/git.js';
import { newToken, startServe } from '../support/served.js';
import type { ServedStore } from '../support/served.js';
import { until } from '../support/until.js';

/** Agents that take their runs from a state service. Every effect of a program is a line of a file. */

jest.setTimeout(300_000);

/**
 * Commands in a line. After each command the program kills the agent that `agent.pid` names, once. The next command is
 * not registered before.
 */
const PROGRAM = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { LocalCommand } from '@cairn/provider-local';
async function killOnce(name) {
  if (name !== 'a' || !existsSync('agent.pid') || existsSync('killed')) return;
  writeFileSync('killed', '');
  process.kill(Number(readFileSync('agent.pid', 'utf8')), 'SIGKILL');
  // The program ends with its agent.
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}
let words = 'exec sh effect.sh create ';
for (const name of ['a', 'b']) {
  const command = new LocalCommand(name, {
    create: typeof words === 'string' ? words + name : words.apply((text) => text + name),
    delete: 'exec sh effect.sh delete ' + name,
  });
  words = command.stdout.apply(async () => (await killOnce(name), 'exec sh effect.sh create '));
}
`;
const ISSUER = 'https://state.test';
const STACK = ['--stack', 'organization/shop/dev'];
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Service with a stack whose program is in a folder of this machine. `settings` are our own of its deployments. */
async function world(settings: object, storeOf: (box: Sandbox) => ServedStore) {
  const box = sandbox({ 'index.ts': PROGRAM, 'effect.sh': EFFECT });
  ends.push(() => box.remove());
  const store = storeOf(box);
  const served = { ...store, words: [...store.words, '--url', ISSUER] };
  const { running, url } = await startServe(box, served);
  const client = { CAIRN_BACKEND_URL: url, CAIRN_ACCESS_TOKEN: await newToken(box, store) };
  ends.push(() => running.process.kill('SIGKILL'));
  const cairn = (words: readonly string[], env = client): Promise<Finished> => box.cairn(words, { env });
  expectOk(await cairn(['stack', 'init', 'organization/shop/dev']));
  const { directory } = box;
  const names = ['CAIRN_CODE_CACHE', 'GIT_CEILING_DIRECTORIES'];
  const given = names.flatMap((name) => (box.env[name] === undefined ? [] : [[name, box.env[name]]]));
  const body = {
    operationContext: {
      environmentVariables: Object.fromEntries(given) as object,
      oidc: { aws: { roleArn: 'arn:aws:iam::1:role/deploy' } },
      // The program could do the same.
      preRunCommands: ['cp "$CAIRN_OIDC_TOKEN_FILE" own.jwt; cp "$AWS_WEB_IDENTITY_TOKEN_FILE" aws.jwt'],
    },
    cairn: { source: { directory }, ...settings },
  };
  const answer = await fetch(`${url}/api/stacks/organization/shop/dev/deployments/settings`, {
    method: 'POST',
    headers: { authorization: `token ${client['CAIRN_ACCESS_TOKEN']}` },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  const at = (words: readonly string[], stack: readonly string[] = STACK) =>
    cairn([...words, '--service', url, ...stack]).then((end) => expectOk(end).stdout);
  const agent = (name: string, ...more: readonly string[]): Running => {
    const words = ['agent', '--service', url, '--name', name, '--local-sources', ...more];
    const started = box.start([...words, '--state', path.join(directory, `agent-${name}`)], { env: client });
    ends.push(() => started.process.kill('SIGKILL'));
    return started;
  };
  return { box, store, url, client, cairn, at, agent };
}

/** Returns the claims of a token that the run has left in a file. */
function claimsIn(box: Sandbox, file: string): object {
  const [, claims = ''] = readFileSync(path.join(box.directory, file), 'utf8').split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as object;
}

const bucket = (box: Sandbox): ServedStore => ({
  words: ['--store', String(box.env['CAIRN_BACKEND_URL'])],
  env: {},
});

test('a request runs on an agent of the service, a drift is found, and a policy asks for an approval', async () => {
  const { box, cairn, at, agent, store, url, client } = await world({}, bucket);
  const stranger = await box.cairn(['agent', 'status', '--service', url], {
    env: { ...client, CAIRN_ACCESS_TOKEN: 'cairn-wrong' },
  });
  expect([stranger.code, stranger.text]).toEqual([
    3,
    expect.stringMatching(/CAIRN-STORE-CREDENTIALS\]: cannot find the organization: .*\n {2}hint: Create an/),
  ]);
  const page = (run: number): string => `Page: ${ISSUER}/s/organization/shop/dev/runs/${run}\n`;
  const asked = expectOk(await cairn(['request', 'up', '--service', url, ...STACK]));
  expect([asked.stdout, asked.stderr]).toEqual(['1\n', page(1)]);
  const worked = expectOk(await agent('one', '--once').finished);
  expect([worked.stdout, worked.stderr]).toEqual(['quiet\n', expect.stringContaining('run 1 succeeded')]);
  expect(effectsOf(box)).toEqual(['create a', 'create b']);
  const issued = {
    iss: ISSUER,
    sub: 'organization:shop:dev:update',
    deployment: expect.any(String) as string,
  };
  expect(claimsIn(box, 'own.jwt')).toMatchObject({ ...issued, aud: ISSUER });
  expect(claimsIn(box, 'aws.jwt')).toMatchObject({ ...issued, aud: 'sts.amazonaws.com' });
  const left = readdirSync(box.directory, { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => name.endsWith('.jwt')).sort()).toEqual(['aws.jwt', 'own.jwt']);
  expect(await at(['agent', 'runs'])).toMatch(/1 +update +alice +succeeded/);
  await at(['request', 'drift']);
  expectOk(await agent('one', '--once').finished);
  expect(await at(['agent', 'runs', '2'])).toContain('nothing differs');
  expect(await at(['agent', 'runs', '2'])).toContain(page(2));
  const policy = { rules: [], approvals: 1, others: true };
  const settings = { cairn: { policy } };
  const put = await fetch(`${url}/api/stacks/organization/shop/dev/deployments/settings`, {
    method: 'POST',
    headers: { authorization: `token ${await newToken(box, store)}` },
    body: JSON.stringify(settings),
  });
  expect(put.status).toBe(200);
  await at(['request', 'destroy']);
  expectOk(await agent('one', '--once').finished);
  expect(await at(['agent', 'runs', '3'])).toMatch(/is waiting\n {4}2 delete need an approval/);
  expect(await at(['agent', 'notices'], [])).toMatch(/approval-wanted organization\/shop\/dev 3 /);
  expect(await at(['agent', 'notices', '--acknowledge'], [])).toContain('approval-wanted');
  // Agents that ended by themselves are not lost.
  expect(await at(['agent', 'notices'], [])).toBe('');
  expect(await at(['agent', 'notices', '--json'], [])).toContain('"acknowledged":{"by":"alice"');
  const env = { CAIRN_ACCESS_TOKEN: await newToken(box, store, { user: 'bob-user' }) };
  const approve = ['agent', 'approve', '3', '--service', url, ...STACK];
  expect((await box.cairn(approve)).code).not.toBe(0);
  expectOk(await box.cairn(approve, { env }));
  expectOk(await agent('two', '--once').finished);
  expect(effectsOf(box)).toEqual(['create a', 'create b', 'delete b', 'delete a']);
  expect(await at(['agent', 'status'], [])).toMatch(/one +- .*\ntwo +- /);
});

test('commits are found and applied, and their program reads the stack that the settings name', async () => {
  const source = { git: '', branch: 'main', every: '1s' };
  const policy = { rules: [{ kinds: ['create', 'update', 'read'], then: 'apply' }] };
  const { box, at, agent, cairn, url, client } = await world({}, bucket);
  box.write('net/Cairn.yaml', 'name: net\nruntime: nodejs\nmain: index.ts\n');
  box.write(
    'net/index.ts',
    "import * as sdk from '@cairn/sdk';\nexport const address = sdk.secret('10.0.0.7');\n",
  );
  const net = ['--cwd', path.join(box.directory, 'net')];
  expectOk(await cairn(['stack', 'init', 'organization/net/prod', ...net]));
  expectOk(await cairn(['up', '--yes', '--stack', 'organization/net/prod', ...net]));
  const git = (...words: readonly string[]): string => gitIn(box, ...words);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'uploadpack.allowFilter', 'true');
  const commit = (text: string): void => {
    const words = `echo ${text} "$ADDRESS" >> "${path.join(box.directory, 'effects.log')}"`;
    box.write(
      'index.ts',
      `import { StackReference } from '@cairn/sdk';
import { LocalCommand } from '@cairn/provider-local';
const ADDRESS = new StackReference('organization/net/prod').getOutput('address');
new LocalCommand('page', { create: '${words}', update: '${words}', environment: { ADDRESS } });
`,
    );
    git('add', 'index.ts', 'Cairn.yaml', 'package.json');
    git('commit', '--quiet', '--message', text);
  };
  commit('one');
  const put = await fetch(`${url}/api/stacks/organization/shop/dev/deployments/settings`, {
    method: 'POST',
    headers: { authorization: `token ${client['CAIRN_ACCESS_TOKEN']}` },
    body: JSON.stringify({
      operationContext: { preRunCommands: null },
      cairn: {
        ...{ onCommit: 'up', policy, reads: ['net/prod'] },
        source: { ...source, git: pathToFileURL(box.directory).href, directory: null },
      },
    }),
  });
  expect(put.status).toBe(200);
  expectOk(await agent('one', '--once').finished);
  expect(await at(['agent', 'runs'])).toMatch(/1 +update +source +succeeded/);
  commit('two');
  const second = agent('one');
  await second.shown(/run \S+ succeeded/);
  expect(effectsOf(box)).toEqual(['one 10.0.0.7', 'two 10.0.0.7']);
  // The agent reports the end to the service after that.
  await until(async () => /2 +update +source +succeeded/.test(await at(['agent', 'runs'])));
});

const why = whyNoPostgres();
(why === undefined ? test : test.skip)(
  `the run of an agent that is killed is continued by another one, and nothing is done twice${why === undefined ? '' : ` (skipped: ${why})`}`,
  async () => {
    const server = await startPostgres();
    ends.push(() => server.close());
    const { box, at, agent } = await world({}, ({ directory }) => {
      mkdirSync(path.join(directory, 'blobs'));
      return {
        words: [
          ...['--store', `postgres://${server.user}@${server.host}:${server.port}/postgres`],
          ...['--blobs', `file://${path.join(directory, 'blobs')}`],
        ],
        env: { PGPASSWORD: server.password },
      };
    });
    const first = agent('one');
    await first.shown('works for');
    writeFileSync(path.join(box.directory, 'agent.pid'), String(first.process.pid));
    await at(['request', 'up']);
    await first.shown('is applying');
    const second = agent('two', '--listen', '127.0.0.1:0');
    let log = '';
    second.process.stderr?.on('data', (text: string) => (log += text));
    await first.finished;
    await second.shown('resume');
    await second.shown('succeeded');
    const [, own = ''] = /listening on (\S+)/.exec(log) ?? [];
    const get = (path: string) => fetch(own + path).then((answer) => answer.text());
    expect([await get('/healthz'), await get('/readyz')]).toEqual(['ok\n', 'ok\n']);
    const ended = 'cairn_agent_runs_ended_total{kind="up",status="succeeded"} 1\n';
    for (let metrics = ''; !metrics.includes(ended);) {
      metrics = await get('/metrics');
      expect(metrics).toMatch(/^cairn_agent_runs_running [01]$/m);
    }
    expect(effectsOf(box)).toEqual(['create a', 'create b']);
    await at(['agent', 'drain', 'two'], []);
    expect(expectOk(await second.finished).stdout).toBe('drained\n');
    expect(await at(['agent', 'runs', '1'])).toContain('its operation died and was resumed');
  },
);
