import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startAzureKeyVault } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { makePipes, written } from '../support/pipes.js';

const S = '/api/stacks/organization/shop/dev';

let box: Sandbox;
let service: Running;
let url: string;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => {
  service.process.kill('SIGKILL');
  box.remove();
});

const KEY = randomBytes(32).toString('base64');

/** Starts the service on the store that `cairn` opens directly. */
async function serve(env: Record<string, string> = { CAIRN_SERVE_MASTER_KEY: KEY }): Promise<void> {
  const words = ['serve', '--store', String(box.env['CAIRN_BACKEND_URL']), '--listen', '127.0.0.1:0'];
  service = box.start(words, { env });
  let line = '';
  service.process.stdout?.on('data', (chunk: string) => (line += chunk));
  await service.shown(/^http:\/\/127\.0\.0\.1:\d+\n/m);
  url = line.trim();
}

async function call(
  method: string,
  route: string,
  auth: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const headers = { authorization: auth, 'content-type': 'application/json' };
  const response = await fetch(url + route, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const answer = (await response.json()) as Record<string, unknown>;
  expect([route, response.status, answer]).toEqual([route, 200, answer]);
  return answer;
}

function entry(kind: number, sequenceID: number, more: object): object {
  return { version: 1, kind, sequenceID, operationID: 1, removeOld: null, removeNew: null, ...more };
}

const resource = (name: string): object => ({
  ...{ urn: `urn:pulumi:dev::shop::test:index:Thing::${name}`, custom: false, type: 'test:index:Thing' },
});

test('an update survives kill -9 of the service, and `cairn` opens what it left', async () => {
  await serve();
  const link = /\/setup\/[\w-]+/;
  await service.shown(link);
  const made = expectOk(
    await box.process(['serve', 'token', 'new', 'alice', '--store', String(box.env['CAIRN_BACKEND_URL'])]),
  );
  const auth = `token ${made.stdout.trim()}`;
  await call('POST', '/api/stacks/organization/shop', auth, { stackName: 'dev', tags: { team: 'a' } });
  const { updateID } = await call('POST', `${S}/update`, auth, {
    ...{ options: { dryRun: false }, metadata: { message: 'by the service' } },
  });
  const update = `${S}/update/${String(updateID)}`;
  const { token } = await call('POST', update, auth, { journalVersion: 1 });
  const holder = `update-token ${String(token)}`;
  const first = [
    entry(0, 1, { operation: { resource: resource('a'), type: 'creating' } }),
    entry(1, 2, { state: resource('a') }),
  ];
  await call('PATCH', `${update}/journalentries`, holder, { entries: first });
  const refused = await box.cairn(['stack', 'rm', 'dev', '--yes', '--force']);
  expect([refused.code === 0, refused.text]).toEqual([
    false,
    expect.stringContaining('runs through the state service'),
  ]);
  service.process.kill('SIGKILL');
  await service.finished;

  await serve();
  const second = entry(0, 3, { operationID: 2, operation: { resource: resource('b'), type: 'creating' } });
  await call('PATCH', `${update}/journalentries`, holder, { entries: [first[1], second] });
  await call('POST', `${update}/complete`, holder, { status: 'failed' });
  service.process.kill('SIGTERM');
  expect(await service.finished).toMatchObject({ code: 0, signal: null, stdout: `${url}\n` });

  expect(expectOk(await box.cairn(['stack', 'ls', '--json'])).stdout).toContain('"resourceCount": 1');
  expect(expectOk(await box.cairn(['stack', 'tag', 'get', 'team', '--stack', 'dev'])).stdout).toBe('a\n');
  const { deployment } = JSON.parse(
    expectOk(await box.cairn(['stack', 'export', '--stack', 'dev'])).stdout,
  ) as {
    deployment: { resources: unknown; pending_operations: unknown };
  };
  expect(deployment).toMatchObject({
    resources: [resource('a')],
    pending_operations: [{ resource: resource('b'), type: 'creating' }],
  });
  const history = expectOk(await box.cairn(['stack', 'history', '--stack', 'dev'])).stdout;
  expect(history).toContain('1: update failed');
  expect(history).toContain('by the service');
});

test('a user logs in to the service with a token, is known there, and logs out', async () => {
  await serve();
  const store = ['--store', String(box.env['CAIRN_BACKEND_URL'])];
  const token = expectOk(await box.process(['serve', 'token', 'new', 'alice', ...store])).stdout.trim();
  const env = { CAIRN_BACKEND_URL: undefined };
  const logIn = (given: string) =>
    box.cairn(['login', `${url}/`], { env: { ...env, CAIRN_ACCESS_TOKEN: given } });
  const made = expectOk(await box.cairn(['serve', 'token', 'new', 'bob', '--expires', '12h', ...store]));
  expect(made.stdout).toMatch(/^cairn-[\w-]{43}\n$/);
  const listed = expectOk(await box.cairn(['serve', 'token', 'ls', ...store])).stdout;
  expect(listed).toMatch(/ writer {2}bob {2}bob {2}until \d{4}-/);
  const never = await box.cairn(['serve', 'token', 'new', 'bob', '--expires', '12x', ...store]);
  expect([never.code, never.text]).toEqual([2, expect.stringContaining('--expires takes a duration')]);
  const wrong = await logIn('wrong');
  expect([wrong.code, wrong.text]).toEqual([
    3,
    expect.stringContaining(`cannot log in: ${url} answered 401`),
  ]);
  expect(expectOk(await logIn(token)).stderr).toBe(`Logged in to ${url} as alice\n`);
  expect(expectOk(await box.cairn(['whoami'], { env })).stdout).toBe('alice\n');
  const lines = ['User: alice', 'Organizations: organization', `Backend URL: ${url}`, ''];
  expect(expectOk(await box.cairn(['whoami', '-v'], { env })).stdout).toContain(lines.join('\n'));
  expectOk(await box.cairn(['logout'], { env }));
  expect(expectOk(await box.cairn(['whoami', '-v'], { env })).stdout).not.toContain(url);
});

test('an operation that dies leaves its step pending in the service, and is cancelled there', async () => {
  await serve();
  const store = ['--store', String(box.env['CAIRN_BACKEND_URL'])];
  const token = expectOk(await box.process(['serve', 'token', 'new', 'alice', ...store])).stdout.trim();
  const env = { CAIRN_BACKEND_URL: url, CAIRN_ACCESS_TOKEN: token };
  const slow = 'test -e go.txt || { echo ready > ready.pipe; exec cat never.pipe; }; echo slow >> done.txt';
  box.write(
    'index.ts',
    `import { LocalCommand } from '@cairn/provider-local';
const first = new LocalCommand('first', { create: 'echo first >> done.txt' });
new LocalCommand('slow', { create: ${JSON.stringify(slow)} }, { dependsOn: [first] });
`,
  );
  makePipes(box, 'ready.pipe', 'never.pipe');
  expectOk(await box.cairn(['stack', 'init', 'dev', '--secrets-provider', 'passphrase'], { env }));
  const up = box.start(['up', '--yes', '--skip-preview'], { env });
  await written(box, 'ready.pipe', up);
  const locked = await box.cairn(['up', '--yes', '--skip-preview'], { env });
  expect([locked.code === 0, locked.text]).toEqual([
    false,
    expect.stringContaining('the stack is currently locked by the operation update of alice'),
  ]);
  up.process.kill('SIGKILL');
  await up.finished;

  expectOk(await box.cairn(['cancel', '--yes'], { env }));
  const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'], { env })).stdout) as {
    deployment: { resources: { urn: string }[]; pending_operations: { type: string }[] };
  };
  expect(deployment.resources.some(({ urn }) => urn.endsWith('::first'))).toBe(true);
  expect(deployment.pending_operations.map(({ type }) => type)).toEqual(['creating']);
  box.write('go.txt', '');
  const again = await box.cairn(['up', '--yes', '--skip-preview'], { env });
  expect(again.text).toContain('CAIRN-IN-DOUBT');
  expectOk(await box.cairn(['refresh', '--yes', '--clear-pending-creates'], { env }));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { env }));
  expect(readFileSync(path.join(box.directory, 'done.txt'), 'utf8')).toBe('first\nslow\n');
});

test('a service without its master key, with a wrong one, and on a wrong address does not start', async () => {
  const store = ['serve', '--store', String(box.env['CAIRN_BACKEND_URL'])];
  service = box.start(store);
  expect(await service.finished).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('no master key for secrets is given'),
  });
  const wrong = { env: { CAIRN_SERVE_MASTER_KEY: 'short' } };
  expect(await box.process(store, wrong)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not 32 bytes'),
  });
  const key = { env: { CAIRN_SERVE_MASTER_KEY: KEY } };
  expect(await box.process([...store, '--listen', 'nowhere'], key)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not an address'),
  });
});

/** Starts a key vault, whose clients get their token from Azure's command. Returns their variables. */
async function keyVault(): Promise<{ readonly env: Record<string, string>; close(): Promise<void> }> {
  const vault = await startAzureKeyVault(['stacks']);
  const { token } = await vault.credential.getToken();
  const answer = { accessToken: token, expiresOn: '2999-01-01 00:00:00.000000', tokenType: 'Bearer' };
  const folder = path.join(box.home, 'azure');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'az'), `#!/bin/sh\necho '${JSON.stringify(answer)}'\n`, { mode: 0o755 });
  const PATH = `${folder}:${String(box.env['PATH'])}`;
  return { env: { ...vault.env, AZURE_KEYVAULT_AUTH_VIA_CLI: 'true', PATH }, close: () => vault.close() };
}

test('a command rotates the master key into a key vault, and the next start needs that alone', async () => {
  await serve();
  const vault = await keyVault();
  const store = ['--store', String(box.env['CAIRN_BACKEND_URL'])];
  const token = expectOk(await box.process(['serve', 'token', 'new', 'alice', ...store])).stdout.trim();
  const auth = `token ${token}`;
  await call('POST', '/api/stacks/organization/shop', auth, { stackName: 'dev' });
  const sealed = await call('POST', `${S}/encrypt`, auth, { plaintext: 'YQ==' });
  box.write('old.key', KEY);
  const words = ['serve', 'rotate-keys', ...store, '--retired-key', 'old.key'];
  const env = { ...vault.env, CAIRN_SERVE_MASTER_KEY: 'azurekeyvault://v.vault.azure.net/keys/stacks' };
  expect(expectOk(await box.process(words, { env })).stderr).toBe(
    'Sealed the keys of 1 stack under the current master key\n',
  );
  expect(expectOk(await box.process(words, { env })).stderr).toBe(
    'Sealed the keys of 0 stacks under the current master key; 1 stack had it already\n',
  );
  service.process.kill('SIGTERM');
  await service.finished;
  await serve(env);
  expect(await call('POST', `${S}/decrypt`, auth, sealed)).toEqual({ plaintext: 'YQ==' });
  await call('POST', '/api/stacks/organization/shop', auth, { stackName: 'next' });
  const next = S.replace(/dev$/, 'next');
  const other = await call('POST', `${next}/encrypt`, auth, { plaintext: 'Yg==' });
  expect(await call('POST', `${next}/decrypt`, auth, other)).toEqual({ plaintext: 'Yg==' });
  await vault.close();
});
