import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { StreamCaller } from '@cairn/wire/caller';
import { ProviderClient } from '@cairn/wire/provider-client';
import { bundlePlugin } from '@cairn/testkit/sample';
import type { BundledPlugin } from '@cairn/testkit/sample';
import { identity, map } from '@cairn/testkit/sample';

const source = `
import { main } from './plugin/main.js';
import { sampleProvider } from '@cairn/testkit/sample';
await main(sampleProvider({ boxes: new Map() }));
`;

let bundled: BundledPlugin;
beforeAll(() => {
  bundled = bundlePlugin(source, path.resolve(__dirname, '..'));
});
afterAll(() => bundled.remove());

/** Starts the plugin and reads its first line. */
async function start(): Promise<{
  readonly child: ChildProcess;
  readonly line: string;
  readonly ended: Promise<number | null>;
}> {
  const child = spawn(process.execPath, [bundled.script, '127.0.0.1:1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text);
    });
    void ended.then((code) => reject(new Error(`ended with ${code}`)));
  });
  return { child, line, ended };
}

test('a plugin process writes its port, serves, and ends on SIGINT though a call is under way [PLUG-4] [PLUG-9]', async () => {
  const { child, line, ended } = await start();
  try {
    expect(line).toMatch(/^\d+\n$/);
    const caller = new StreamCaller(`127.0.0.1:${line.trim()}`);
    const provider = new ProviderClient(caller);
    await provider.handshake({ engineAddress: '127.0.0.1:1' });
    expect(await provider.getPluginInfo()).toEqual({ version: '1.2.3' });
    const inputs = map({ label: 'wait', size: 1, kind: 'open' });
    const waiting = provider.create({ ...identity('b'), inputs, timeoutSeconds: 0, preview: false });
    const outcome = expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    // The call has arrived when a later one on the same stream is answered.
    await provider.getPluginInfo();
    child.kill('SIGINT');
    await outcome;
    caller.close();
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
  }
});

const windows = process.platform === 'win32';
(windows ? test.skip : test)('a plugin whose engine was killed ends by itself', async () => {
  const command = `"${process.execPath}" "${bundled.script}" 127.0.0.1:1 & wait`;
  const engine = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] });
  // The plugin holds the other end of the pipe until it has ended.
  const gone = new Promise((resolve) => engine.stdout.once('end', resolve));
  await new Promise((resolve) => engine.stdout.once('data', resolve));
  engine.kill('SIGKILL');
  await gone;
});
