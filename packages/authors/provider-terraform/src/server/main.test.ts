import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { StdioData } from '@cairn/tfplugin/plugin';
import { certificatePem, makeCertificate } from '@cairn/tfplugin/tls';
import { Http2Caller } from '@cairn/wire/caller';
import { bundlePlugin } from '@cairn/testkit/sample';
import type { BundledPlugin } from '@cairn/testkit/sample';
import { callsOf, firstLine, startHosted } from '../testdata/terraform-host.js';
import type { Hosted } from '../testdata/terraform-host.js';

const source = `
import { serveTerraform } from './server/main.js';
import { defineProvider, defineResource, s } from '@cairn/provider-sdk';
const slow = defineResource({
  inputs: { text: s.string() },
  outputs: { text: s.string() },
  create: async ({ text }, { signal, log }) => {
    if (text === 'crash') setTimeout(() => { throw new Error('all is lost'); });
    if (text === 'print') console.log('printed by a handler');
    log.warning('this takes a while');
    if (text === 'print') return { id: 'p', outputs: { text } };
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return { id: 'never', outputs: { text } };
  },
});
await serveTerraform(defineProvider({ name: 'slow', version: '1.0.0', resources: { 'index:Thing': slow } }));
`;

let bundled: BundledPlugin;
beforeAll(() => {
  bundled = bundlePlugin(source, path.resolve(__dirname, '..'));
});
afterAll(() => bundled.remove());

const running: Hosted[] = [];
afterEach(() => {
  for (const { child, caller } of running.splice(0)) {
    caller.close();
    child.kill('SIGKILL');
  }
});

async function start(env: Readonly<Record<string, string>> = {}, encrypted = true): Promise<Hosted> {
  const hosted = await startHosted(bundled.script, env, encrypted);
  running.push(hosted);
  return hosted;
}

const SHUTDOWN = '/plugin.GRPCController/Shutdown';
const EMPTY = new Uint8Array();
/** Status of a call whose connection is closed by the other side. */
const LOST = { status: expect.stringMatching(/^(UNAVAILABLE|CANCELLED)$/) };

/** `{ id: null, text }` of the resource, configured and planned. */
const thing = (text: string) => ({
  msgpack: Buffer.from([0x82, ...str('id'), 0xc0, ...str('text'), ...str(text)]),
  json: EMPTY,
});
const str = (text: string): number[] => [0xa0 + text.length, ...Buffer.from(text)];
const create = (text: string) => ({
  typeName: 'slow_thing',
  plannedState: thing(text),
  config: thing(text),
});

test('without the cookie it says how it is started, and ends with 1 [TFP-9]', () => {
  const said = spawnSync(process.execPath, [bundled.script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  expect([said.status, said.stdout]).toEqual([1, '']);
  expect(said.stderr).toMatch(
    /^This is the provider slow for Terraform and OpenTofu.*dev_overrides \{ "cairn\/slow"/s,
  );
});

test.each([
  ['6,5', 6],
  ['5', 5],
  ['7', 5],
])(
  'offered the versions %s it speaks %d, encrypted, at a socket that only its user can reach [TFP-9]',
  async (offered, version) => {
    const { line, call, caller, ended } = await start({ PLUGIN_PROTOCOL_VERSIONS: offered });
    expect(line.slice(0, 3)).toEqual(['1', String(version), 'unix']);
    expect(line[4]).toBe('grpc');
    expect((await call('getProviderSchema', {})).resourceSchemas.has('slow_thing')).toBe(true);
    const health = await caller.unary(
      '/grpc.health.v1.Health/Check',
      Buffer.from([0x0a, 6, ...Buffer.from('plugin')]),
    );
    expect([...health]).toEqual([0x08, 1]);
    await caller.unary(SHUTDOWN, EMPTY);
    expect(await ended).toBe(0);
  },
);

test('without a certificate of the host it shows none', async () => {
  const { line, call } = await start({}, false);
  expect(line[5]).toBe('');
  expect((await call('getMetadata', {})).resources).toEqual([{ typeName: 'slow_thing' }]);
});

test('another client is not served where the host has shown its certificate [TFP-9]', async () => {
  const { line } = await start();
  const other = await makeCertificate();
  const shown = certificatePem(Buffer.from(String(line[5]), 'base64'));
  const caller = new Http2Caller(`unix:${line[3]}`, {
    serverCertificate: shown,
    certificate: other.certificate,
    key: other.key,
  });
  await expect(callsOf(caller, 6)('getMetadata', {})).rejects.toMatchObject(LOST);
  caller.close();
});

test('the socket is made where the host wants it', async () => {
  const directory = path.dirname(bundled.script);
  const { line } = await start({ PLUGIN_UNIX_SOCKET_DIR: directory });
  expect(readdirSync(directory)).toContain(path.basename(String(line[3])));
  expect(path.dirname(String(line[3]))).toBe(directory);
});

test('calls that nothing is defined for are unimplemented [TFS-5]', async () => {
  const { call } = await start();
  await expect(call('openEphemeralResource', {})).rejects.toMatchObject({ status: 'UNIMPLEMENTED' });
  await expect(call('planAction', {})).rejects.toMatchObject({ status: 'UNIMPLEMENTED' });
  const { diagnostics } = await call('moveResourceState', {
    targetTypeName: 'slow_thing',
    sourceTypeName: 'a_b',
  });
  expect(diagnostics.map(({ detail }) => detail)).toEqual([
    'slow_thing does not take over objects of another type, here a_b.',
  ]);
});

test('a stop ends what runs, and refuses what is to come; what handlers warn of is in the answer [TFP-10]', async () => {
  const { call, errors } = await start({ TF_LOG: 'debug' });
  await call('configureProvider', {});
  const waiting = call('applyResourceChange', create('a'));
  await until(() => errors().includes('this takes a while'));
  await call('stopProvider', {});
  const { diagnostics } = await waiting;
  expect(diagnostics.map(({ severity, detail }) => [severity, detail])).toEqual([
    [1, expect.stringMatching(/^ended before it was done\. It is unknown whether/)],
    [2, 'this takes a while'],
  ]);
  const late = await call('applyResourceChange', create('b'));
  expect(late.diagnostics[0]?.detail).toMatch(/^not begun: the provider was asked to end/);
  const logged = errors()
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each) as Record<string, unknown>);
  expect(logged).toContainEqual({
    '@level': 'warn',
    '@message': 'this takes a while',
    '@module': 'provider.terraform-provider-slow',
    '@timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    tf_rpc: 'ApplyResourceChange',
    tf_resource_type: 'slow_thing',
  });
});

test('what handlers print is streamed to the host; no log is written that nobody wants', async () => {
  const { call, caller, errors } = await start({ TF_LOG: '' });
  await call('configureProvider', {});
  await call('applyResourceChange', create('print'));
  for await (const message of caller.serverStream('/plugin.GRPCStdio/StreamStdio', EMPTY)) {
    const { channel, data } = StdioData.decode(message);
    expect([channel, Buffer.from(data).toString()]).toEqual([1, 'printed by a handler\n']);
    break;
  }
  expect(errors()).toBe('');
});

test('it goes on through SIGINT, which the terminal sends to all, and ends by SIGTERM though a call is under way [TFP-10]', async () => {
  const { child, call, ended } = await start();
  await call('configureProvider', {});
  const waiting = call('applyResourceChange', create('a'));
  child.kill('SIGINT');
  await call('getMetadata', {});
  child.kill('SIGTERM');
  expect((await waiting).diagnostics.length).toBeGreaterThan(0);
  expect(await ended).toBe(0);
});

test('a crash is told in the form that hosts show', async () => {
  const { call, errors, ended } = await start();
  await call('configureProvider', {});
  await expect(call('applyResourceChange', create('crash'))).rejects.toMatchObject(LOST);
  expect(await ended).toBe(2);
  expect(errors()).toMatch(/^panic: Error: all is lost\n/m);
});

const windows = process.platform === 'win32';
(windows ? test.skip : test)('it ends when the host that started it was killed [TFP-10]', async () => {
  const { COOKIE } = await import('@cairn/tfplugin');
  const host = spawn('/bin/sh', ['-c', `"${process.execPath}" "${bundled.script}" & wait`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, [COOKIE.name]: COOKIE.value, PLUGIN_PROTOCOL_VERSIONS: '6' },
  });
  // The plugin holds the other end of the pipe until it has ended.
  const gone = new Promise((resolve) => host.stdout.once('end', resolve));
  await new Promise((resolve) => host.stdout.once('data', resolve));
  host.kill('SIGKILL');
  await gone;
});

test('with -debug it serves one host after the other, and goes on after a stop [TFP-9]', async () => {
  const child = spawn(process.execPath, [bundled.script, '-debug', 'acme/slow'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const text = await firstLine(child, ended);
  const [, json = ''] = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(text) ?? [];
  const { 'acme/slow': said } = JSON.parse(json) as Record<
    string,
    { Addr: { Network: string; String: string } }
  >;
  expect(said).toEqual({
    Protocol: 'grpc',
    ProtocolVersion: 6,
    Pid: child.pid,
    Test: true,
    Addr: { Network: 'unix', String: expect.any(String) },
  });
  for (const round of [1, 2]) {
    const caller = new Http2Caller(`unix:${said?.Addr.String}`);
    const call = callsOf(caller, 6);
    expect((await call('validateProviderConfig', {})).diagnostics).toEqual([]);
    await call('configureProvider', {});
    const made = await call('applyResourceChange', create('print'));
    expect([round, made.diagnostics.map(({ severity }) => severity)]).toEqual([round, [2]]);
    await call('stopProvider', {});
    caller.close();
  }
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}
