import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const program = (greeting: string, length: number): string => `
import { ComponentResource, interpolate, secret } from '@cairn/sdk';
import { LocalCommand, LocalDirectory, LocalFile } from '@cairn/provider-local';
import { RandomBytes, RandomId, RandomInteger, RandomPassword, RandomPet, RandomShuffle, RandomString, RandomUuid } from '@cairn/provider-random';

const pet = new RandomPet('pet', { length: ${length} });
const password = new RandomPassword('password', { length: ${length + 20} });
const text = new RandomString('text', { length: 8, special: false });
new RandomBytes('bytes', { length: 8 });
new RandomId('id', { byteLength: 4 });
const number = new RandomInteger('number', { min: 1, max: 6 });
new RandomShuffle('shuffle', { inputs: ['a', pet.result, 'c'] });
new RandomUuid('uuid');
const folder = new LocalDirectory('folder', { path: 'out' });
const file = new LocalFile('file', { path: interpolate\`\${folder.path}/page\`, content: interpolate\`${greeting} \${pet.result} \${number.result}\` });
new LocalFile('secret', { path: interpolate\`\${folder.path}/secret\`, content: interpolate\`\${password.result}\` });
new LocalCommand('command', { create: 'cat "$PAGE"', delete: 'true', environment: { PAGE: file.path }, triggers: [file.path, secret('${greeting}')] });
export const name = text.result;
`;

describe('with --strict-providers', () => {
  let box: Sandbox;
  beforeAll(() => {
    box = sandbox({ 'index.ts': program('Hello', 2) });
  });
  afterAll(() => box.remove());

  test('the providers that come with Cairn keep their word, from the first up to destroy', async () => {
    const runs = [
      ['stack', 'init', 'dev'],
      ['up', '--yes', '--strict-providers'],
      ['up', '--yes', '--strict-providers', '--expect-no-changes'],
      ['refresh', '--yes', '--strict-providers'],
    ];
    for (const words of runs)
      expect(expectOk(await box.cairn(words)).text).not.toContain('PROVIDER-CONTRACT');
    box.write('index.ts', program('Bye', 3));
    const digest = JSON.parse(expectOk(await box.cairn(['preview', '--json', '--show-sames'])).stdout) as {
      readonly steps: readonly {
        readonly op: string;
        readonly urn: string;
        readonly cairn: { readonly reason?: string; readonly why?: object };
      }[];
    };
    for (const {
      cairn: { reason, why },
    } of digest.steps)
      expect([typeof reason, why]).toEqual([
        'string',
        expect.objectContaining({ kind: expect.any(String) as unknown }),
      ]);
    expect(
      digest.steps.find(({ op, urn }) => op === 'replace' && urn.endsWith('::pet'))?.cairn.why,
    ).toMatchObject({
      kind: 'property',
      keys: ['length'],
      replaces: true,
    });
    const changed = expectOk(await box.cairn(['up', '--yes', '--strict-providers', '--diff']));
    expect(changed.text).not.toContain('PROVIDER-CONTRACT');
    expect(changed.stdout).toMatch(/pet.*length cannot be changed in place/);
    expectOk(await box.cairn(['destroy', '--yes', '--strict-providers']));
  });
});

/** A plugin whose preview shows other values than it applies, and whose check replaces names of the program. */
const liar = `#!${process.execPath}
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const load = (name) => import(pathToFileURL(createRequire(__filename).resolve(name)).href);
(async () => {
  const { providerService } = await load('@cairn/wire/provider-server');
  const { startServer } = await load('@cairn/wire/server');
  const can = { acceptSecrets: true, acceptResources: true, acceptOutputs: false, supportsPreview: true, supportsAutonaming: false };
  const provider = {
    handshake: async () => can,
    getPluginInfo: async () => ({ version: '1.0.0' }),
    checkConfig: async ({ news }) => ({ inputs: news, failures: [] }),
    configure: async () => can,
    check: async ({ news }) => ({ inputs: { ...news, name: news.name.toUpperCase() }, failures: [] }),
    create: async ({ inputs, preview }) => ({
      id: preview ? '' : 'made',
      outputs: { ...inputs, address: preview ? '10.0.0.1' : '10.0.0.2', key: inputs.password },
      refreshBeforeUpdate: false,
    }),
    delete: async () => undefined,
    cancel: async () => undefined,
    close: async () => undefined,
  };
  const server = await startServer({ services: [providerService(provider)] });
  console.log(server.address.split(':').pop());
})();
`;

describe('a provider that breaks its contract', () => {
  const stack = async (): Promise<Sandbox> => {
    const box = sandbox({
      'Cairn.yaml':
        'name: shop\nruntime: nodejs\nmain: index.ts\nplugins:\n  providers:\n    - name: liar\n      path: plugin\n',
      'index.ts': `import { CustomResource, secret } from '@cairn/sdk';
new CustomResource('liar:index:Host', 'web', { name: 'web', password: secret('hunter2') });`,
      'plugin/package.json': '{}',
      'plugin/pulumi-resource-liar': liar,
    });
    chmodSync(path.join(box.directory, 'plugin', 'pulumi-resource-liar'), 0o755);
    giveStack(box);
    return box;
  };

  test('is named in warnings with both values, and the update goes through', async () => {
    const box = await stack();
    const { text } = expectOk(await box.cairn(['up', '--yes']));
    expect(text).toContain(
      'warning[CAIRN-PROVIDER-CONTRACT]: provider "liar" broke its contract for liar:index:Host "web"',
    );
    expect(text).toContain('name: the program gives "web", the check answered "WEB"');
    expect(text).toContain('address: shown "10.0.0.1", applied "10.0.0.2"');
    expect(text).not.toContain('hunter2');
    box.remove();
  });

  test('fails with --strict-providers before anything is made', async () => {
    const box = await stack();
    for (const command of ['preview', 'up']) {
      const words = command === 'up' ? ['up', '--yes', '--skip-preview'] : [command];
      const { code, text } = await box.cairn([...words, '--strict-providers']);
      expect([code, text]).toEqual([4, expect.stringContaining('error[CAIRN-PROVIDER-CONTRACT]')]);
      expect(text).toContain('the check answered "WEB"');
    }
    expect(expectOk(await box.cairn(['stack', 'export'])).stdout).not.toContain('::web');
    box.remove();
  });
});
