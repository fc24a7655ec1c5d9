import { spawn } from 'node:child_process';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { Http2Caller } from '@cairn/wire/caller';
import { LanguageClient } from '@cairn/wire/language-client';

/** Programs on our SDK under engines that run a language by a plugin: the executable `pulumi-language-cairn`. */

const plugin = path.resolve(
  __dirname,
  '..',
  '..',
  'packages',
  'machines',
  'language-node',
  'bin',
  'plugin.js',
);

test('writes its port, answers, and ends when it is interrupted', async () => {
  const child = spawn(process.execPath, [plugin, '127.0.0.1:1'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const said: string[] = [];
  child.stdout.on('data', (text: Buffer) => said.push(text.toString()));
  child.stderr.on('data', (text: Buffer) => said.push(text.toString()));
  const box = sandbox({
    'index.ts': '',
    'node_modules/uses/package.json': JSON.stringify({
      name: 'uses',
      pulumi: { resource: true, name: 'needed', version: '1.2.3' },
    }),
  });
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(said[0]).toMatch(/^\d+\n$/);
    const caller = new Http2Caller(`127.0.0.1:${said[0]?.trim()}`);
    const client = new LanguageClient(caller);
    expect(await client.getPluginInfo()).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    const info = {
      rootDirectory: box.directory,
      programDirectory: box.directory,
      entryPoint: 'index.ts',
      options: {},
    };
    expect(await client.getRequiredPackages(info)).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'needed', version: '1.2.3' })]),
    );
    caller.close();
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    box.remove();
  }
});

test('a project with the runtime `cairn` runs under our command like one with `nodejs`', async () => {
  const box = sandbox({
    'Pulumi.yaml': 'name: shop\nruntime: cairn\nmain: index.ts\n',
    'index.ts': "import { getStack } from '@cairn/sdk';\nexport const stack = getStack();",
  });
  try {
    giveStack(box);
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(expectOk(await box.cairn(['stack', 'output', 'stack'])).stdout.trim()).toBe('dev');
  } finally {
    box.remove();
  }
});
