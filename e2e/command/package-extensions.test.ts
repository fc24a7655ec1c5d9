import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** A package that is its base plugin with an extension, which the plugin receives before it is used. */

const PARAMETER = Buffer.from('with wheels').toString('base64');

const TOOL = {
  inputProperties: { kind: { type: 'string' } },
  requiredInputs: ['kind'],
  properties: { kind: { type: 'string' }, label: { type: 'string' } },
  required: ['kind', 'label'],
};

/** Logs its requests and calls. Makes nothing of an extension that it did not receive. */
const PLUGIN = `#!/usr/bin/env node
(async () => {
  const { appendFileSync } = require('node:fs');
  const note = (line) => appendFileSync(process.env.PLUGIN_LOG, line + '\\n');
  const { providerService } = await import('@cairn/wire/provider-server');
  const { startServer } = await import('@cairn/wire/server');
  const can = { acceptSecrets: true, acceptResources: true, acceptOutputs: true, supportsPreview: false, supportsAutonaming: false };
  const same = { changes: 'none', replaceKeys: [], changedKeys: [], stableKeys: [], detailedDiff: undefined, deleteBeforeReplace: false };
  const told = new Map();
  const labelled = (type, inputs) => {
    const [pkg] = type.split(':');
    const word = pkg === 'shed' ? 'plain' : told.get(pkg);
    if (word === undefined) throw new Error(pkg + ' was not told of');
    return { ...inputs, label: word + ' ' + inputs.kind };
  };
  note('started');
  const provider = {
    handshake: async () => can,
    getPluginInfo: async () => ({ version: '1.0.0' }),
    parameterize: async ({ parameters }) => {
      note('told ' + parameters.name + ' ' + parameters.version + ' ' + Buffer.from(parameters.value).toString());
      if (process.env.REFUSES) throw new Error('the wheels are gone');
      told.set(parameters.name, Buffer.from(parameters.value).toString());
      return { name: parameters.name, version: parameters.version };
    },
    checkConfig: async ({ news }) => ({ inputs: news, failures: [] }),
    diffConfig: async () => same,
    configure: async () => can,
    check: async ({ news }) => ({ inputs: news, failures: [] }),
    diff: async () => same,
    create: async ({ type, inputs }) => {
      note('create ' + type + ' ' + inputs.kind);
      return { id: inputs.kind, outputs: labelled(type, inputs), refreshBeforeUpdate: false };
    },
    delete: async ({ type, id }) => {
      if (!type.startsWith('shed:') && !told.has(type.split(':')[0])) throw new Error(type + ' was not told of');
      note('delete ' + type + ' ' + id);
    },
    cancel: async () => undefined,
    close: async () => undefined,
  };
  const server = await startServer({ services: [providerService(provider)] });
  console.log(server.address.split(':').pop());
})();
`;

const PROGRAM = `
import { Tool } from '@cairn-sdks/shed';
import { Cart, Tool as Barrow } from '@cairn-sdks/cart';
const saw = new Tool('saw', { kind: 'saw' });
const cart = new Cart('cart', { kind: 'hand' }, { dependsOn: saw });
const barrow = new Barrow('barrow', { kind: 'wheel' }, { dependsOn: cart });
export const labels = [saw.label, cart.label, barrow.label];
`;

let box: Sandbox;
let log: string;
beforeEach(async () => {
  box = sandbox({
    'index.ts': PROGRAM,
    'Cairn.yaml':
      'name: shop\nruntime: nodejs\nmain: index.ts\nplugins:\n  providers:\n    - name: shed\n      path: plugin\n',
    'plugin/package.json': '{}',
    'plugin/pulumi-resource-shed': PLUGIN,
    'shed.json': JSON.stringify({ name: 'shed', version: '1.0.0', resources: { 'shed:index:Tool': TOOL } }),
    'cart.json': JSON.stringify({
      name: 'cart',
      version: '2.1.0',
      resources: { 'cart:index:Cart': TOOL, 'cart:index:Tool': TOOL },
      extensionParameterization: { baseProvider: { name: 'shed', version: '1.0.0' }, parameter: PARAMETER },
    }),
  });
  chmodSync(path.join(box.directory, 'plugin', 'pulumi-resource-shed'), 0o755);
  log = path.join(box.directory, 'plugin.log');
  expectOk(await box.cairn(['package', 'add', './shed.json']));
  expectOk(await box.cairn(['package', 'add', './cart.json']));
  giveStack(box);
});
afterEach(() => box.remove());

const run = (...words: string[]) => box.cairn(words, { env: { PLUGIN_LOG: log } });
const lines = () => readFileSync(log, 'utf8').trim().split('\n');

interface Stored {
  readonly extensions?: Record<string, { name: string; version: string; value: string }>;
  readonly resources?: readonly {
    readonly urn: string;
    readonly type: string;
    readonly extensionRef?: string;
  }[];
}

async function stored(): Promise<Stored> {
  const { stdout } = expectOk(await box.cairn(['stack', 'export']));
  return (JSON.parse(stdout) as { deployment: Stored }).deployment;
}

test('the generated package says of which plugin it is an extension', () => {
  const manifest = readFileSync(path.join(box.directory, 'sdks', 'cart', 'package.json'), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({
    pulumi: {
      ...{ resource: true, name: 'shed', version: '1.0.0' },
      extensionParameterization: { name: 'cart', version: '2.1.0', value: PARAMETER },
    },
  });
});

test('one plugin serves both packages; it is told of the extension once, and again when only the state knows of it', async () => {
  expectOk(await run('up', '--yes', '--skip-preview'));
  expect(lines()).toEqual([
    'started',
    'create shed:index:Tool saw',
    'told cart 2.1.0 with wheels',
    'create cart:index:Cart hand',
    'create cart:index:Tool wheel',
  ]);
  const labels = JSON.parse(expectOk(await box.cairn(['stack', 'output', '--json'])).stdout) as object;
  expect(labels).toEqual({ labels: ['plain saw', 'with wheels hand', 'with wheels wheel'] });

  const { extensions = {}, resources = [] } = await stored();
  expect(Object.values(extensions)).toEqual([{ name: 'cart', version: '2.1.0', value: PARAMETER }]);
  const [ref] = Object.keys(extensions);
  expect(resources.map(({ type, extensionRef }) => [type, extensionRef])).toEqual([
    ['pulumi:pulumi:Stack', undefined],
    ['pulumi:providers:shed', undefined],
    ['shed:index:Tool', undefined],
    ['cart:index:Cart', ref],
    ['cart:index:Tool', ref],
  ]);

  expectOk(await run('up', '--yes', '--skip-preview', '--expect-no-changes'));
  box.write('index.ts', '');
  const before = lines().length;
  expectOk(await run('up', '--yes', '--skip-preview'));
  const after = lines().slice(before);
  expect(after.filter((line) => line.startsWith('told'))).toEqual(['told cart 2.1.0 with wheels']);
  expect(after.filter((line) => line.startsWith('delete'))).toEqual([
    'delete cart:index:Tool wheel',
    'delete cart:index:Cart hand',
    'delete shed:index:Tool saw',
  ]);
  expect((await stored()).resources?.map(({ type }) => type) ?? []).not.toContain('cart:index:Cart');
});

test('a plugin that refuses the extension: what needs it is not made, and the error says why', async () => {
  const up = await box.cairn(['up', '--yes', '--skip-preview'], { env: { PLUGIN_LOG: log, REFUSES: 'yes' } });
  expect(up.code).not.toBe(0);
  expect(up.text).toContain('the wheels are gone');
  expect(up.text).toContain('cart');
  expect(up.text).not.toContain('CAIRN-INTERNAL');
  expect(lines().filter((line) => line.startsWith('create'))).toEqual(['create shed:index:Tool saw']);
  expect((await stored()).resources?.map(({ type }) => type)).not.toContain('cart:index:Cart');
});
