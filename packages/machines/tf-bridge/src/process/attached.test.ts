import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { COOKIE, readHandshakeLine } from '@cairn/tfplugin';
import type { AttachedProvider } from '@cairn/tfplugin';
import { EMPTY, METHOD, SCRIPTED, answering, causesOf, codeOf } from '../../test/start-scripted.js';
import { startProvider } from './start-provider.js';

const SHUTDOWN = '/plugin.GRPCController/Shutdown';
const running: ChildProcess[] = [];

afterEach(() => {
  for (const each of running.splice(0)) each.kill('SIGKILL');
});

/** Starts a provider outside of the bridge, as a debugger does. */
async function debugged(script: object, test: boolean) {
  const env = { ...process.env, [COOKIE.name]: COOKIE.value, SCRIPT: JSON.stringify(script) };
  const child = spawn(process.execPath, [SCRIPTED], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const read = readHandshakeLine(line.toString(), { versions: [5, 6], encrypted: false });
  if (read.t === 'refused') throw new Error(read.why);
  const { protocolVersion, network, address } = read.handshake;
  const attached: AttachedProvider = { protocolVersion, network, address, pid: child.pid ?? 0, test };
  return { child, attached };
}

const connect = (attached: AttachedProvider) =>
  startProvider({ name: 'acme/scripted', attached, onLog: () => {}, limits: { shutdownMs: 300 } });

test.each([
  ['a unix socket', { version: 5 }, 5],
  ['a port', { tcp: true }, 6],
])(
  'a provider that runs already is spoken to over %s, and stays [TFP-6]',
  async (_where, script, version) => {
    const { child, attached } = await debugged({ ...script, methods: answering('there') }, true);
    for (const _ of [1, 2]) {
      const provider = await connect(attached);
      expect(provider.protocolVersion).toBe(version);
      expect(Buffer.from(await provider.caller.unary(METHOD, EMPTY)).toString()).toBe('there');
      await provider.stop();
      expect(provider.ended()).toBeUndefined();
    }
    expect(child.exitCode).toBeNull();
  },
);

test('one that is not under test is asked to end, and not killed [TFP-6]', async () => {
  const { child, attached } = await debugged({}, false);
  const exit = once(child, 'exit');
  await (await connect(attached)).stop();
  expect(await exit).toEqual([0, null]);

  const stubborn = await debugged({ methods: { [SHUTDOWN]: { hang: true } } }, false);
  await (await connect(stubborn.attached)).stop();
  expect([stubborn.child.exitCode, stubborn.child.signalCode]).toEqual([null, null]);
});

test('one that is gone is an error that says so', async () => {
  const { child, attached } = await debugged({}, true);
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  const error = await connect(attached).catch((thrown: unknown) => thrown);
  expect(codeOf(error)).toBe('CAIRN-PLUGIN-START');
  expect(causesOf(error)).toMatch(/cannot connect to it/);
});
