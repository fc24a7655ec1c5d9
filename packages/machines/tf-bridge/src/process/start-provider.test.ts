import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  EMPTY,
  METHOD,
  answering,
  callLog,
  causesOf,
  certificate,
  codeOf,
  start,
  stopAll,
} from '../../test/start-scripted.js';

const HEALTH = '/grpc.health.v1.Health/Check';

afterEach(stopAll);

describe.each([
  ['a unix socket', {}],
  ['a port', { tcp: true }],
])('over %s', (_title, where) => {
  test('a provider answers with certificates on both sides [TFP-3]', async () => {
    const own = await certificate();
    const { provider } = await start({ ...where, certificate: own, methods: answering('over TLS') });
    expect(provider.protocolVersion).toBe(6);
    expect(Buffer.from(await provider.caller.unary(METHOD, EMPTY)).toString()).toBe('over TLS');
  });

  test('and without any when the user wants none', async () => {
    const script = { ...where, version: 5, certificate: await certificate(), methods: answering('plain') };
    const { provider } = await start(script, { TF_DISABLE_PLUGIN_TLS: '1' });
    expect(provider.protocolVersion).toBe(5);
    expect(Buffer.from(await provider.caller.unary(METHOD, EMPTY)).toString()).toBe('plain');
  });
});

test('the environment of a provider is ours with what the handshake asks for [TFP-1]', async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'env-')), 'env.json');
  await start({ certificate: await certificate(), environmentTo: file }, { OWN: 'kept' });
  const seen = JSON.parse(readFileSync(file, 'utf8'));
  expect(seen).toMatchObject({ OWN: 'kept', PLUGIN_MIN_PORT: '10000', PLUGIN_MAX_PORT: '25000' });
  expect(seen.PLUGIN_PROTOCOL_VERSIONS.split(',').sort()).toEqual(['5', '6']);
  expect(seen.PLUGIN_CLIENT_CERT).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
});

test.each([
  ['garbage on stdout', { line: 'hello\n' }, /"hello" where its address was expected/],
  ['a wrong version of the handshake', { line: '2|6|unix|/x|grpc|\n' }, /version 2 of the handshake/],
  [
    'a wrong version of the protocol',
    { line: '1|4|unix|/x|grpc|\n' },
    /version 4 of the protocol; 6 and 5 are supported/,
  ],
  ['net/rpc, said by nothing', { line: '1|5|unix|/x\n' }, /it speaks netrpc/],
  ['an unknown network', { line: '1|5|pipe|/x|grpc\n' }, /did not print its address/],
  ['megabytes without a line', { line: 'x', times: 1_000_000 }, /where its address was expected/],
  ['a refused cookie', { refusesCookie: true }, /exit code 1 .*not meant to be started by hand/s],
  ['an early end', { stderr: 'no licence\n', exit: 3 }, /exit code 3 .*no licence/s],
  ['no certificate', {}, /sent no certificate .*TF_DISABLE_PLUGIN_TLS/s],
])('%s is refused by what is wrong with it [TFP-2]', async (_title, script, expected) => {
  const error = await start(script).catch((thrown: unknown) => thrown);
  expect(codeOf(error)).toBe('CAIRN-PLUGIN-START');
  expect(causesOf(error)).toMatch(expected);
});

test('a provider that never says where it listens is given up', async () => {
  const error = await start({ silent: true }, {}, { handshakeMs: 300 }).catch((thrown: unknown) => thrown);
  expect(codeOf(error)).toBe('CAIRN-PLUGIN-START');
  expect(causesOf(error)).toMatch(/within 0\.3 s/);
});

test.each([
  [
    'shows the certificate of another',
    async () => ({ shows: (await certificate()).der }),
    /cannot connect to it/,
  ],
  ['speaks no gRPC', async () => ({ certificate: undefined, speaks: 'HTTP/1' }), /cannot connect to it/],
  ['takes connections and says nothing', async () => ({ speaks: 'nothing' }), /did not answer within 0\.5 s/],
  [
    'ends at the first call',
    async () => ({ methods: { [HEALTH]: { panic: 'panic: early\n' } } }),
    /exit code 2.*panic: early/s,
  ],
])('a provider that %s has not started [TFP-8]', async (_title, script, expected) => {
  const own = { certificate: await certificate(), methods: answering('x') };
  const plain = { TF_DISABLE_PLUGIN_TLS: '1' };
  const made = { ...own, ...(await script()) };
  const env = 'speaks' in made ? plain : {};
  const error = await start(made, env, { firstCallMs: 'speaks' in made ? 500 : 5_000 }).catch(
    (thrown: unknown) => thrown,
  );
  expect(codeOf(error)).toBe('CAIRN-PLUGIN-START');
  expect(causesOf(error)).toMatch(expected);
});

test('a crash during a call leaves the object in doubt and says what the crash wrote', async () => {
  const panic = 'panic: index out of range\n\ngoroutine 7 [running]:\nmain.apply()\n';
  const { provider } = await start({
    certificate: await certificate(),
    methods: { [METHOD]: { panic } },
  });
  const error = await provider.caller.unary(METHOD, EMPTY).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'PluginDiedError', code: 'UNKNOWN' });
  expect(String(error)).toMatch(/ended with exit code 2 during /);
  expect(causesOf(error)).toMatch(/panic: index.*main\.apply\(\)/s);
  const next = await provider.caller.unary(METHOD, EMPTY).catch((thrown: unknown) => thrown);
  expect(next).toMatchObject({ name: 'PluginDiedError', code: 'UNAVAILABLE' });
  expect(String(next)).toMatch(/has ended with exit code 2: .* is not called/);
});

test('a call that hangs ends with its signal, and the process with the next stop', async () => {
  const { provider } = await start({
    certificate: await certificate(),
    methods: { [METHOD]: { hang: true } },
  });
  const signal = AbortSignal.timeout(200);
  await expect(provider.caller.unary(METHOD, EMPTY, { signal })).rejects.toMatchObject({
    status: 'CANCELLED',
  });
  await provider.stop();
  expect(provider.ended()).toBe('exit code 0');
});

test.each([
  [6, '/tfplugin6.Provider/StopProvider'],
  [5, '/tfplugin5.Provider/Stop'],
])('a provider of protocol %i is told once to give up, and goes on [TFP-7]', async (version, stop) => {
  const { file, calls } = callLog();
  const { provider } = await start({
    version,
    certificate: await certificate(),
    callsTo: file,
    methods: answering('x'),
  });
  await Promise.all([provider.cancel(), provider.cancel()]);
  await provider.cancel();
  expect(calls().filter((each) => each.includes('Stop'))).toEqual([stop]);
  expect(Buffer.from(await provider.caller.unary(METHOD, EMPTY)).toString()).toBe('x');
  expect(provider.ended()).toBeUndefined();
});

test('one that does not answer the request to give up holds nobody up for ever', async () => {
  const methods = { '/tfplugin6.Provider/StopProvider': { hang: true } };
  const { provider } = await start({ certificate: await certificate(), methods });
  const cancelled = provider.cancel();
  await provider.stop();
  await cancelled;
  expect(provider.ended()).toBe('exit code 0');
});

test('a provider that does not shut down is killed [TFP-4]', async () => {
  const methods = { '/plugin.GRPCController/Shutdown': { hang: true } };
  const { provider } = await start({ certificate: await certificate(), methods }, {}, { shutdownMs: 300 });
  await provider.stop();
  expect(provider.ended()).toBe('signal SIGKILL');
});

test('an answer of 100 MB arrives', async () => {
  const { provider } = await start({
    certificate: await certificate(),
    methods: { [METHOD]: { megabytes: 100 } },
  });
  expect((await provider.caller.unary(METHOD, EMPTY)).length).toBe(100 * 1024 * 1024);
});

test('what it writes is logged by level, whichever way it comes [TFP-5]', async () => {
  const streamed = Buffer.concat([Buffer.from([0x08, 2, 0x12, 10]), Buffer.from('[WARN] low')]);
  const stdio = '/plugin.GRPCStdio/StreamStdio';
  const { provider, logs } = await start({
    certificate: await certificate(),
    stderr:
      '{"@level":"error","@message":"no","@module":"m","key":7}\n2030/01/02 03:04:05 [INFO] plain\nfree\n',
    after: 'said later\n',
    methods: { [stdio]: { messages: [Buffer.concat([streamed]).toString('base64')] } },
  });
  await provider.stop();
  expect(logs).toEqual(
    expect.arrayContaining([
      { level: 'error', text: 'no key=7' },
      { level: 'info', text: 'plain' },
      { level: 'debug', text: 'free' },
      { level: 'debug', text: 'said later' },
      { level: 'warn', text: 'low' },
    ]),
  );
});
