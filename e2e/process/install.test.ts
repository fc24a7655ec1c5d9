import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { archive, archiveFile, serveFiles, sha256 } from '../support/archives.js';
import type { WebServer } from '../support/archives.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** `install`: all that a project needs before its first run. */

let box: Sandbox;
let server: WebServer;
beforeAll(async () => {
  server = await serveFiles((wanted) =>
    wanted.includes('shed')
      ? archive({ 'pulumi-resource-shed': SHED, 'package.json': '{"type":"module"}' })
      : undefined,
  );
});
afterAll(() => server.close());
afterEach(() => box.remove());

const SHED = `#!/usr/bin/env node
import { main } from '@cairn/provider-sdk/plugin';
import { defineProvider, defineResource, s } from '@cairn/provider-sdk';
await main(defineProvider({ name: 'shed', version: '1.2.0', resources: { 'index:Tool': defineResource({
  description: 'A tool.', inputs: { kind: s.string() }, outputs: { kind: s.string() },
  create: async ({ kind }) => ({ id: kind, outputs: { kind } }),
  read: async (id) => ({ id, inputs: { kind: id }, outputs: { kind: id } }),
  delete: async () => {},
}) } }));
`;

const at = (...parts: string[]) => path.join(box.directory, ...parts);
const cache = () => path.join(box.home, '.cairn', 'plugins');
const entries = () =>
  existsSync(cache()) ? readdirSync(cache()).filter((name) => /^resource-.*-v[\d.]+$/.test(name)) : [];

/** A project with a package of the project file, and a dependency in a folder that asks for a plugin. */
function project(): Sandbox {
  return sandbox({
    'Cairn.yaml': [
      ...['name: shop', 'runtime: nodejs', 'main: index.ts', 'packages:', '  shed:', '    source: shed'],
      ...['    version: 1.2.0', `    pluginDownloadURL: ${server.url}/a`, ''],
    ].join('\n'),
    'package.json': JSON.stringify({
      name: 'shop',
      private: true,
      type: 'module',
      dependencies: { lib: 'file:./lib' },
    }),
    'lib/package.json': JSON.stringify({
      name: 'lib',
      version: '3.0.0',
      pulumi: { resource: true, name: 'shed', version: '3.0.0', server: `${server.url}/b` },
    }),
    'index.ts': `import { Tool } from '@cairn-sdks/shed';
export const kind = new Tool('saw', { kind: 'saw' }).kind;`,
  });
}

test('plugins of the project file and of the packages of the program, and generated packages', async () => {
  box = project();
  // As it is after `npm install`; generated packages depend on @cairn/sdk, which no registry has in tests.
  box.write('node_modules/lib/package.json', readFileSync(at('lib', 'package.json'), 'utf8'));
  expectOk(await box.cairn(['install', '--no-dependencies']));
  expect(entries().sort()).toEqual(['resource-shed-v1.2.0', 'resource-shed-v3.0.0']);
  expect(server.asked).toEqual([
    `/a/${archiveFile('resource', 'shed', '1.2.0')}`,
    `/b/${archiveFile('resource', 'shed', '3.0.0')}`,
  ]);
  expect(existsSync(at('sdks', 'shed', 'package.json'))).toBe(true);
  const listed = JSON.parse(
    expectOk(await box.cairn(['plugin', 'ls', '--project', '--json'])).stdout,
  ) as unknown[];
  expect(listed).toHaveLength(2);

  giveStack(box);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  expect(expectOk(await box.cairn(['stack', 'output', 'kind'])).stdout.trim()).toBe('saw');

  const before = readFileSync(at('Cairn.yaml'), 'utf8');
  expect(before).toContain(`pluginDownloadURL: ${server.url}/a`);
  expectOk(await box.cairn(['install', '--no-dependencies']));
  expect(server.asked).toHaveLength(2);
  expect(readFileSync(at('Cairn.yaml'), 'utf8')).toBe(before);
});

test('checksums of downloads are locked: other bytes are refused, from the server and in the cache', async () => {
  const made = (text: string): Buffer =>
    archive({ 'pulumi-resource-shed': `${SHED}// ${text}\n`, 'package.json': '{"type":"module"}' });
  const [first, second] = [made('first'), made('second')];
  let offered = first;
  const own = await serveFiles(() => offered);
  try {
    box = project();
    box.write('Cairn.yaml', readFileSync(at('Cairn.yaml'), 'utf8').replace(server.url, own.url));
    expectOk(await box.cairn(['install', '--no-dependencies']));
    const os = archiveFile('resource', 'shed', '1.2.0').split('-v1.2.0-')[1]?.replace('.tar.gz', '') ?? '';
    expect(JSON.parse(readFileSync(at('cairn-lock.json'), 'utf8'))).toEqual({
      plugins: { 'resource plugin shed-1.2.0': { [os]: sha256(first) } },
    });
    const elsewhere = { env: { CAIRN_HOME: path.join(box.home, 'elsewhere') } };
    offered = second;
    const fromServer = await box.cairn(['install', '--no-dependencies'], elsewhere);
    expect(fromServer.text).toContain(
      'error[CAIRN-PLUGIN-CHECKSUM]: what was downloaded is not the resource plugin',
    );
    const asked = ['plugin', 'install', 'resource', 'shed', '1.2.0', '--server', `${own.url}/a`];
    expectOk(await box.cairn(asked, elsewhere));
    const inCache = await box.cairn(['install', '--no-dependencies'], elsewhere);
    expect(inCache.text).toContain('error[CAIRN-PLUGIN-CHECKSUM]: the installed resource plugin shed-1.2.0');
    offered = first;
    expectOk(await box.cairn(['install', '--no-dependencies', '--reinstall'], elsewhere));
    expectOk(await box.cairn(['install', '--no-dependencies'], elsewhere));
  } finally {
    await own.close();
  }
});

test('--no-plugins and --no-dependencies leave out what they say', async () => {
  box = project();
  box.write('Cairn.yaml', 'name: shop\nruntime: nodejs\nmain: index.ts\n');
  expectOk(await box.cairn(['install', '--no-plugins']));
  expect([entries(), existsSync(at('node_modules', 'lib'))]).toEqual([[], true]);
  box.remove();
  box = project();
  box.write('Cairn.yaml', 'name: shop\nruntime: nodejs\nmain: index.ts\n');
  expectOk(await box.cairn(['install', '--no-dependencies']));
  expect([entries(), existsSync(at('node_modules', 'lib'))]).toEqual([[], false]);
});

test('the nearest of project and policy pack gets its dependencies, and is told so', async () => {
  box = project();
  box.write('Cairn.yaml', 'name: shop\nruntime: nodejs\nmain: index.ts\n');
  box.write('rules/PulumiPolicy.yaml', 'runtime: nodejs\n');
  box.write('rules/package.json', '{ "name": "rules", "dependencies": { "lib": "file:../lib" } }');
  box.write('rules/inner/Cairn.yaml', 'name: inner\nruntime: nodejs\nmain: index.ts\n');
  box.write('rules/inner/package.json', '{ "name": "inner", "dependencies": { "lib": "file:../../lib" } }');
  const installed = (...parts: string[]) => existsSync(at(...parts, 'node_modules', 'lib'));
  const pack = expectOk(await box.cairn(['install'], { cwd: at('rules') }));
  expect(pack.stdout).toContain('Finished installing dependencies');
  expect([installed(), installed('rules'), installed('rules', 'inner')]).toEqual([false, true, false]);
  const inner = expectOk(await box.cairn(['install', '--no-plugins'], { cwd: at('rules', 'inner') }));
  expect(inner.stdout).toContain('Finished installing dependencies');
  expect([installed(), installed('rules', 'inner')]).toEqual([false, true]);
});

test('what the package manager says is told, and a folder that is no project is refused', async () => {
  box = project();
  box.write('Cairn.yaml', 'name: shop\nruntime: nodejs\nmain: index.ts\n');
  box.write('package.json', '{ "name": "shop", "dependencies": { "lib": "file:./nowhere/lib.tgz" } }');
  const failed = await box.cairn(['install', '--no-plugins']);
  expect(failed.code).not.toBe(0);
  expect(failed.stderr).toContain('nowhere/lib.tgz');
  const nowhere = await box.cairn(['install'], { cwd: box.home });
  expect(nowhere.stderr).toContain('CAIRN-PROJECT-MISSING');
});

test('a program whose plugin is missing says how to get it, and runs when it was installed that way', async () => {
  box = project();
  box.write('Cairn.yaml', 'name: shop\nruntime: nodejs\nmain: index.js\n');
  box.write(
    'index.js',
    `import { CustomResource } from '@cairn/sdk';
new CustomResource('shed:index:Tool', 'saw', { kind: 'saw' }, { version: '1.2.0', pluginDownloadURL: '${server.url}/c' });`,
  );
  giveStack(box);
  const failed = await box.cairn(['up', '--yes', '--skip-preview']);
  expect(failed.code).not.toBe(0);
  const [, command] = /Run `cairn (plugin install [^`]+)`/.exec(failed.text) ?? [];
  expect(command).toBe(`plugin install resource shed 1.2.0 --server ${server.url}/c`);
  expectOk(await box.cairn((command ?? '').split(' ')));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
});

test.each([
  [
    'two of them',
    { 'a/PulumiPlugin.yaml': needs('../b'), 'b/PulumiPlugin.yaml': needs('../a@1.0.0') },
    'a -> b -> a',
  ],
  ['one itself', { 'a/PulumiPlugin.yaml': needs('.') }, 'a -> a'],
  [
    'two others',
    {
      'a/PulumiPlugin.yaml': needs('../b'),
      'b/PulumiPlugin.yaml': needs('../c'),
      'c/PulumiPlugin.yaml': needs('../b'),
    },
    'b -> c -> b',
  ],
])('plugins in folders that need one another in a circle are refused: %s', async (_title, files, way) => {
  box = sandbox({ 'Pulumi.yaml': 'name: shop\nruntime: nodejs\npackages:\n  a: ./a@0.0.0\n', ...files });
  const refused = await box.cairn(['install']);
  expect(refused.code).not.toBe(0);
  expect(refused.text).toContain(`installing \`packages\` from Pulumi.yaml: cycle found: ${way}\n`);
});

function needs(source: string): string {
  return `runtime: nodejs\npackages:\n  other: ${source}\n`;
}

test('a plugin in a folder, for Node, gets what it depends on before it is asked for its schema', async () => {
  const source = SHED.replace(/^#!.*\n/, "import { kinds } from 'kinds';\n")
    .replace('await main', 'void main')
    .replace("'A tool.'", 'kinds');
  box = sandbox({
    'Cairn.yaml': 'name: shop\nruntime: nodejs\nmain: index.js\npackages:\n  shed: ./shed\n',
    'shed/PulumiPlugin.yaml': 'runtime: nodejs\n',
    'shed/package.json': JSON.stringify({
      ...{ name: 'shed', version: '1.2.0', type: 'module', main: 'index.js' },
      dependencies: { kinds: 'file:./kinds' },
    }),
    'shed/kinds/package.json': '{"name":"kinds","version":"1.0.0","type":"module","main":"index.js"}',
    'shed/kinds/index.js': "export const kinds = 'A tool of many.';\n",
    'shed/index.js': source,
  });
  const installed = expectOk(await box.cairn(['install', '--no-dependencies']));
  expect(installed.stderr).toContain('Installing the dependencies of ./shed');
  expect(existsSync(at('shed', 'node_modules', 'kinds'))).toBe(true);
  expect(existsSync(at('sdks', 'shed', 'package.json'))).toBe(true);
});
