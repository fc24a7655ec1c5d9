import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Running, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { killedBefore } from '../support/kill-at-write.js';
import { filesContaining } from '../support/search.js';

/** All stacks of a bucket or of a service move into the store of another service. */

jest.setTimeout(300_000);

const KEY = randomBytes(32).toString('base64');
const SECRET = 'planted-w0rd-73';
const program = (text: string): string => `
import { Config } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
new LocalFile('page', { path: 'page.txt', content: '${text}' });
export const word = new Config().requireSecret('word');
`;

let box: Sandbox;
let target: string;
const services: Running[] = [];

/** A bucket with a stack that has two updates, a secret and a tag, and one that has nothing. */
beforeEach(async () => {
  box = sandbox({ 'index.ts': program('first') });
  giveStack(box);
  giveStack(box, 'empty');
  target = path.join(box.home, 'target');
  mkdirSync(target);
  expectOk(await box.cairn(['config', 'set', '--secret', 'word', '--stack', 'dev'], { input: SECRET }));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--stack', 'dev']));
  box.write('index.ts', program('second'));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--stack', 'dev']));
  expectOk(await box.cairn(['stack', 'tag', 'set', 'team', 'a', '--stack', 'dev']));
});
afterEach(() => {
  for (const { process } of services.splice(0)) process.kill('SIGKILL');
  box.remove();
});

const env = { CAIRN_SERVE_MASTER_KEY: KEY };
const words = (from = `file://${box.state}`, store = target): string[] => [
  ...['serve', 'migrate', '--from', from, '--store', `file://${store}`],
];
const migrate = (...more: readonly string[]): Promise<Finished> => box.cairn([...words(), ...more], { env });

/** Serves a store, and returns a way to run commands on it. */
async function served(folder: string, listen = '127.0.0.1:0') {
  const store = ['--store', `file://${folder}`];
  const running = box.start(['serve', ...store, '--listen', listen], { env });
  services.push(running);
  let line = '';
  running.process.stdout?.on('data', (chunk: string) => (line += chunk));
  await running.shown(/^http:\/\/127\.0\.0\.1:\d+\n/m);
  const url = line.trim();
  const made = await box.process([
    'serve',
    'token',
    'new',
    'alice',
    '--role',
    'admin',
    '--org',
    'organization',
    ...store,
  ]);
  const login = { CAIRN_BACKEND_URL: url, CAIRN_ACCESS_TOKEN: expectOk(made).stdout.trim() };
  const stop = async (): Promise<void> => {
    running.process.kill('SIGTERM');
    await running.finished;
  };
  const cairn = (...command: readonly string[]): Promise<Finished> => box.cairn(command, { env: login });
  return { url, login, stop, cairn };
}

type Cairn = (...command: readonly string[]) => Promise<Finished>;

/** Expects that the changes of the stack are those of the bucket that it came from, with their tasks and states. */
async function expectChanges(cairn: Cairn): Promise<void> {
  for (const look of [['changes'], ['change', '1'], ['change', '2']]) {
    const words = [...look, '--json', '--stack', 'dev'];
    expect(expectOk(await cairn(...words)).stdout).toBe(expectOk(await box.cairn(words)).stdout);
  }
  const report = path.join(box.home, 'report.html');
  expectOk(await cairn('change', '2', '--report', report, '--stack', 'dev'));
  // The name of the changed input comes from the state that the change started from.
  expect(readFileSync(report, 'utf8')).toContain('~ content');
}

/** Expects that everything about the stack is where the commands look. */
async function expectMoved(cairn: Cairn): Promise<void> {
  await expectChanges(cairn);
  const history = JSON.parse(
    expectOk(await cairn('stack', 'history', '--json', '--stack', 'dev')).stdout,
  ) as { kind: string; version: number; resourceChanges: unknown }[];
  expect(history.map(({ version, kind }) => [version, kind])).toEqual([
    [2, 'update'],
    [1, 'update'],
  ]);
  expect(history[1]?.resourceChanges).toEqual({ create: 2 });
  const old = await cairn('stack', 'export', '--version', '1', '--show-secrets', '--stack', 'dev');
  expect(expectOk(old).stdout).toContain('first');
  expect(old.stdout).toContain(SECRET);
  expect(expectOk(await cairn('stack', 'tag', 'get', 'team', '--stack', 'dev')).stdout).toBe('a\n');
  const output = await cairn('stack', 'output', 'word', '--show-secrets', '--stack', 'dev');
  expect(expectOk(output).stdout).toBe(`${SECRET}\n`);
  expectOk(await cairn('up', '--yes', '--skip-preview', '--expect-no-changes', '--stack', 'dev'));
}

test('stacks of a bucket move with history, tags and secrets, and one that is held stays', async () => {
  expectOk(await box.cairn(['stack', 'lock', '--reason', 'audit', '--stack', 'empty']));
  const first = await migrate();
  expect([first.code, first.stdout]).toEqual([
    1,
    'Moved organization/shop/dev\nNot moved: organization/shop/empty\n',
  ]);
  expect(first.stderr).toContain('audit');
  expectOk(await box.cairn(['stack', 'unlock', '--yes', '--stack', 'empty']));
  expect(expectOk(await migrate()).stdout).toBe(
    'Was moved before: organization/shop/dev\nMoved organization/shop/empty\n',
  );
  const left = await box.cairn(['up', '--yes', '--stack', 'dev']);
  expect([left.code, left.stderr]).toEqual([1, expect.stringContaining(`moved to file://${target}`)]);
  const { cairn } = await served(target);
  await expectMoved(cairn);
  expect(expectOk(await cairn('stack', 'ls')).stdout).toMatch(/^empty /m);
  expect(
    expectOk(await box.cairn(['serve', 'token', 'ls', '--store', `file://${target}`])).stdout,
  ).not.toContain('serve-migrate');
});

test('a service is a source too, and secrets get keys of their new service', async () => {
  const first = await served(target);
  await first.stop();
  expectOk(await migrate('--reseal', '--url', first.url));
  const again = await served(target, first.url.slice('http://'.length));
  box.write('Cairn.dev.yaml', '');
  expect(filesContaining(target, SECRET)).toEqual([]);
  const exported = expectOk(await again.cairn('stack', 'export', '--stack', 'dev')).stdout;
  expect([exported.includes('"type": "service"'), exported.includes('passphrase')]).toEqual([true, false]);

  const second = path.join(box.home, 'second');
  mkdirSync(second);
  const place = await served(second);
  await place.stop();
  const missing = await box.cairn(words(first.url, second), { env: { ...env, ...again.login } });
  expect([missing.code, missing.text]).toEqual([1, expect.stringContaining('--url')]);
  const moved = await box.cairn([...words(first.url, second), '--url', place.url], {
    env: { ...env, ...again.login },
  });
  expect(expectOk(moved).stdout).toBe('Moved organization/shop/dev\nMoved organization/shop/empty\n');
  const there = await served(second, place.url.slice('http://'.length));
  await again.stop();
  expect(
    expectOk(await there.cairn('stack', 'output', 'word', '--show-secrets', '--stack', 'dev')).stdout,
  ).toBe(`${SECRET}\n`);
  const old = await there.cairn('stack', 'export', '--version', '1', '--show-secrets', '--stack', 'dev');
  expect(expectOk(old).stdout).toContain(SECRET);
});

const withDatabase = whyNoPostgres() === undefined ? test : test.skip;

withDatabase('the database of a service is a source too, although nothing serves it', async () => {
  const server = await startPostgres();
  try {
    const { host, port, user, password } = server;
    const database = `postgres://${user}:${password}@${host}:${port}/postgres`;
    const blobs = `file://${path.join(box.home, 'blobs')}`;
    mkdirSync(path.join(box.home, 'blobs'));
    const into = ['--store', database, '--blobs', blobs, '--reseal', '--url', 'http://service.invalid'];
    expectOk(await box.cairn(['serve', 'migrate', '--from', `file://${box.state}`, ...into], { env }));
    const place = await served(target);
    await place.stop();
    box.write('Cairn.dev.yaml', '');
    const moved = await box.cairn([...words(database), '--from-blobs', blobs, '--url', place.url], { env });
    expect(expectOk(moved).stdout).toBe('Moved organization/shop/dev\nMoved organization/shop/empty\n');
    const there = await served(target, place.url.slice('http://'.length));
    await expectChanges(there.cairn);
    const output = await there.cairn('stack', 'output', 'word', '--show-secrets', '--stack', 'dev');
    expect(expectOk(output).stdout).toBe(`${SECRET}\n`);
    const old = await there.cairn('stack', 'export', '--version', '1', '--show-secrets', '--stack', 'dev');
    expect(expectOk(old).stdout).toContain(SECRET);
    expect(expectOk(await there.cairn('stack', 'tag', 'get', 'team', '--stack', 'dev')).stdout).toBe('a\n');
  } finally {
    await server.close();
  }
});

test('stack migrate brings the history to a service for an administrator, and says what stays for others', async () => {
  const { login, cairn } = await served(target);
  const moving = ['stack', 'migrate', `file://${box.state}`, 'dev', '--yes', '--secrets-provider', 'default'];
  const { stderr } = expectOk(await cairn(...moving));
  expect(stderr).not.toContain('history of the stack is not copied');
  expect(stderr).not.toContain('records of changes are not copied');
  await expectMoved(cairn);
  expect(expectOk(await cairn('config', 'get', 'word', '--stack', 'dev')).stdout).toBe(`${SECRET}\n`);
  const store = ['--store', `file://${target}`];
  const made = await box.process(['serve', 'token', 'new', 'wendy', '--role', 'writer', ...store]);
  const writer = { ...login, CAIRN_ACCESS_TOKEN: expectOk(made).stdout.trim() };
  expectOk(await changed());
  const other = await box.cairn(['stack', 'migrate', `file://${box.state}`, 'empty', '--yes'], {
    env: writer,
  });
  expect(expectOk(other).stderr).toContain('the history of the stack is not copied');
  expect(other.stderr).toContain('the records of changes are not copied');
});

test('a change that moved is rolled back there, and moves back with its successor', async () => {
  const { url, login, cairn } = await served(target);
  const moving = ['stack', 'migrate', `file://${box.state}`, 'dev', '--yes'];
  expectOk(await cairn(...moving));
  expectOk(await cairn('rollback', '2', '--yes', '--stack', 'dev'));
  expect(readFileSync(path.join(box.directory, 'page.txt'), 'utf8')).toBe('first');
  const back = path.join(box.home, 'back');
  mkdirSync(back);
  const there = { CAIRN_BACKEND_URL: `file://${back}`, CAIRN_ACCESS_TOKEN: login.CAIRN_ACCESS_TOKEN };
  const moved = await box.cairn(['stack', 'migrate', url, 'dev', '--yes'], { env: there });
  expect(expectOk(moved).stderr).not.toContain('not copied');
  const list = async (env: Record<string, string>) => {
    const { stdout } = expectOk(await box.cairn(['changes', '--json', '--stack', 'dev'], { env }));
    return (JSON.parse(stdout) as { id: string; kind: string }[]).map(({ id, kind }) => [id, kind]);
  };
  const before = await list(login);
  expect(before.at(-1)).toEqual(['3', 'rollback']);
  expect(await list(there)).toEqual([...before, ['4', 'edit']]);
});

test('a change that has not ended keeps its stack where it is, and the error names the way on', async () => {
  box.write(
    'index.ts',
    `${program('third')}\nnew LocalFile('bad', { path: 'Cairn.yaml/page', content: '' });\n`,
  );
  expect((await box.cairn(['up', '--yes', '--skip-preview', '--stack', 'dev'])).code).toBe(4);
  const first = await migrate();
  expect([first.code, first.stdout]).toEqual([
    1,
    expect.stringContaining('Not moved: organization/shop/dev'),
  ]);
  expect(first.stderr).toContain('cannot move stack "dev": a change is not finished');
  expect(first.stderr).toContain('change 3 can be resumed or rolled back');
  expect(first.stderr).toContain('cairn resume');
});

/** Gives the empty stack an update. */
async function changed(): Promise<Finished> {
  expectOk(await box.cairn(['config', 'set', '--secret', 'word', '--stack', 'empty'], { input: SECRET }));
  return box.cairn(['up', '--yes', '--skip-preview', '--stack', 'empty']);
}

test.each([
  ['the lock of the source', /locks\/organization\/shop\/dev/],
  ['the record of the stack', /target.*service\/stacks\/shop\/dev\.json/],
  ['its first state', /target.*\.pulumi\/stacks\/shop\/dev\.json/],
  ['its history', /target.*history\/shop\/dev\/dev-\d+\.history/],
  ['its tags', /target.*tags/],
])('killed before %s is written, the same command moves the stack', async (_what, write) => {
  await killedBefore({ ...box, cairn: (line) => box.cairn(line, hooked()) } as Sandbox, write, words());
  expect(expectOk(await migrate()).stdout).toContain('Moved organization/shop/dev\n');
  const { cairn } = await served(target);
  await expectMoved(cairn);
});

function hooked(): { readonly env: Record<string, string> } {
  return { env: { ...env, NODE_OPTIONS: `--require ${path.join(box.home, 'kills.cjs')}` } };
}

test('stacks go to the organization that --organization names, and keep it in the next move', async () => {
  const wrong = await migrate('--organization', 'acme');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--organization takes FROM=TO')]);
  const first = expectOk(await migrate('--organization', 'organization=acme'));
  expect(first.stdout).toBe(
    'Moved organization/shop/dev as acme/shop/dev\nMoved organization/shop/empty as acme/shop/empty\n',
  );
  expect(first.stderr).toContain('Made organization acme');
  const again = expectOk(await migrate('--organization', 'organization=acme'));
  expect(again.stdout).toContain('Was moved before: organization/shop/dev as acme/shop/dev');
  const store = ['--store', `file://${target}`];
  expect(expectOk(await box.cairn(['serve', 'org', 'ls', ...store])).stdout).toBe('organization\nacme\n');
  const made = await box.cairn([
    'serve',
    'token',
    'new',
    'bobby',
    '--org',
    'acme',
    '--role',
    'admin',
    ...store,
  ]);
  const service = await served(target);
  const token = expectOk(made).stdout.trim();
  const login = { CAIRN_BACKEND_URL: service.url, CAIRN_ACCESS_TOKEN: token };
  const rows = expectOk(await box.cairn(['stack', 'ls', '--all', '--json'], { env: login })).stdout;
  expect((JSON.parse(rows) as { name: string }[]).map(({ name }) => name).sort()).toEqual([
    'acme/shop/dev',
    'acme/shop/empty',
  ]);
  const second = path.join(box.home, 'second');
  mkdirSync(second);
  const moved = await box.cairn(words(service.url, second), { env: { ...env, CAIRN_ACCESS_TOKEN: token } });
  expect(expectOk(moved).stdout).toBe('Moved acme/shop/dev\nMoved acme/shop/empty\n');
});

test('--from-store takes users, tokens and states of Terraform, and the command names what stays', async () => {
  const store = ['--store', `file://${target}`];
  expectOk(await migrate());
  expectOk(await box.cairn(['serve', 'org', 'new', 'acme', '--admin', 'alice', ...store]));
  const { url, login, stop } = await served(target);
  const authorization = `token ${login.CAIRN_ACCESS_TOKEN}`;
  const state = JSON.stringify({ version: 4, serial: 7, lineage: 'a-b-c' });
  const put = await fetch(`${url}/tf/organization/shop/network`, {
    ...{ method: 'POST', headers: { authorization }, body: state },
  });
  expect(put.status).toBe(200);
  await stop();
  const second = path.join(box.home, 'second');
  mkdirSync(second);
  const line = ['serve', 'migrate', '--from-store', `file://${target}`, '--store', `file://${second}`];
  const taken = expectOk(await box.cairn(line, { env }));
  expect(taken.stdout).toMatch(/Took rows of the audit log: \d+\n/);
  expect(taken.stdout).toContain('Took states of Terraform: 1\n');
  expect(taken.stderr).toContain('Not taken: stacks, with their changes');
  const organizations = await box.cairn(['serve', 'org', 'ls', '--store', `file://${second}`]);
  expect(expectOk(organizations).stdout).toBe('organization\nacme\n');
  expectOk(await box.cairn(['serve', 'audit', 'verify', '--store', `file://${second}`]));
  const there = await served(second);
  // The token of the first service is one of the second.
  const got = await fetch(`${there.url}/tf/organization/shop/network`, { headers: { authorization } });
  expect([got.status, await got.text()]).toEqual([200, state]);
});
