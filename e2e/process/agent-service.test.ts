import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Running, Sandbox } from '../support/cairn.js';
import { EFFECT, effectsOf } from '../support/effect.js';
import { newToken, startServe } from '../support/served.js';
import type { ServedStore } from '../support/served.js';

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
  const { box, at, agent, store, url } = await world({}, bucket);
  expect(await at(['request', 'up'])).toBe('1\n');
  expect(expectOk(await agent('one', '--once').finished).stdout).toBe('quiet\n');
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
  expect(await at(['agent', 'notices'], [])).toContain('approval-wanted organization/shop/dev');
  const env = { CAIRN_ACCESS_TOKEN: await newToken(box, store, { user: 'bob-user' }) };
  const approve = ['agent', 'approve', '3', '--service', url, ...STACK];
  expect((await box.cairn(approve)).code).not.toBe(0);
  expectOk(await box.cairn(approve, { env }));
  expectOk(await agent('two', '--once').finished);
  expect(effectsOf(box)).toEqual(['create a', 'create b', 'delete b', 'delete a']);
  expect(await at(['agent', 'status'], [])).toMatch(/one +- .*\ntwo +- /);
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
    const second = agent('two');
    await first.finished;
    await second.shown('resume');
    await second.shown('succeeded');
    expect(effectsOf(box)).toEqual(['create a', 'create b']);
    await at(['agent', 'drain', 'two'], []);
    expect(expectOk(await second.finished).stdout).toBe('drained\n');
    expect(await at(['agent', 'runs', '1'])).toContain('its operation died and was resumed');
  },
);
