import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { archive, archiveFile, serveFiles, sha256 } from '../support/archives.js';
import type { WebFiles, WebServer } from '../support/archives.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { onTerminal, whyNoTerminals } from '../support/terminal.js';

/** Plugins that people install: from files and servers into the cache, listed, used, removed. */

let box: Sandbox;
let server: WebServer | undefined;
beforeEach(() => (box = sandbox()));
afterEach(async () => {
  box.remove();
  await server?.close();
  server = undefined;
});

/** A provider with one type, which reports its version. */
const shop = (version: string) => `#!/usr/bin/env node
import { main } from '@cairn/provider-sdk/plugin';
import { defineProvider, defineResource, s } from '@cairn/provider-sdk';
await main(defineProvider({ name: 'shop', version: '${version}', resources: { 'index:Item': defineResource({
  description: 'An item.', inputs: {}, outputs: { by: s.string() },
  create: async () => ({ id: 'item', outputs: { by: '${version}' } }),
  read: async (id) => ({ id, inputs: {}, outputs: { by: '${version}' } }),
  delete: async () => {},
}) } }));
`;

const files = (version: string) => ({
  'pulumi-resource-shop': shop(version),
  'package.json': JSON.stringify({ type: 'module' }),
});

const cache = () => path.join(box.home, '.cairn', 'plugins');
const entries = () =>
  existsSync(cache()) ? readdirSync(cache()).filter((name) => !/\.(lock|sha256)$/.test(name)) : [];
const installed = async () =>
  (
    JSON.parse(expectOk(await box.cairn(['plugin', 'ls', '--json'])).stdout) as {
      name: string;
      version: string;
    }[]
  ).map(({ name, version }) => `${name} ${version}`);
const serve = async (found: WebFiles) => (server = await serveFiles(found));

/** Serves archives of the shop, in every requested version. */
const serveShop = () =>
  serve((wanted) => {
    const version = /v([\d.]+)-/.exec(wanted)?.[1];
    return version !== undefined && wanted.endsWith(archiveFile('resource', 'shop', version))
      ? archive(files(version))
      : undefined;
  });

test('an archive, a folder and an executable are installed, listed and removed', async () => {
  writeFileSync(path.join(box.directory, 'shop.tar.gz'), archive(files('1.0.0')));
  for (const [name, text] of Object.entries(files('1.1.0'))) box.write(`shop/${name}`, text);
  chmodSync(path.join(box.directory, 'shop', 'pulumi-resource-shop'), 0o755);
  box.write('lone', '#!/bin/sh\n');
  const install = (...words: string[]) => box.cairn(['plugin', 'install', ...words]);
  expect(expectOk(await install('resource', 'shop', '1.0.0', '--file', 'shop.tar.gz')).stderr).toBe(
    '[resource plugin shop-1.0.0] installing\n',
  );
  expectOk(await install('resource', 'shop', 'v1.1', '-f', './shop'));
  expect((await install('tool', 'lone', '3.0.0', '-f', 'lone')).text).toContain('lone is not executable');
  chmodSync(path.join(box.directory, 'lone'), 0o755);
  expectOk(await install('tool', 'lone', '3.0.0', '-f', 'lone'));

  const listed = JSON.parse(expectOk(await box.cairn(['plugin', 'ls', '--json'])).stdout) as unknown[];
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const row = (name: string, kind: string, version: string) => ({
    ...{ name, kind, version, size: expect.any(Number), installTime: time, lastUsedTime: time },
  });
  expect(listed).toEqual([
    row('lone', 'tool', '3.0.0'),
    row('shop', 'resource', '1.1.0'),
    row('shop', 'resource', '1.0.0'),
  ]);
  const table = expectOk(await box.cairn(['plugin', 'list'])).stdout;
  expect(table).toMatch(
    /^NAME +KIND +VERSION +SIZE +INSTALLED +LAST USED\nlone +tool +3\.0\.0 +10 B +just now/,
  );
  expect(table).toMatch(/\n\nTOTAL plugin cache size: \d\.\d kB\n$/);
  expect(statSync(path.join(cache(), 'tool-lone-v3.0.0', 'pulumi-tool-lone')).mode & 0o777).toBe(0o700);

  const removed = await box.cairn(['plugin', 'rm', 'resource', 'shop', '<1.1', '--yes']);
  expect(expectOk(removed).stdout).toBe('removed: resource shop-1.0.0\n');
  expect(await installed()).toEqual(['lone 3.0.0', 'shop 1.1.0']);
  expect((await box.cairn(['plugin', 'rm'])).text).toContain('please pass --all');
  expectOk(await box.cairn(['plugin', 'rm', '--all', '--yes']));
  expect(entries()).toEqual([]);
  expect(expectOk(await box.cairn(['plugin', 'rm', '--all', '--yes'])).stderr).toBe(
    'no plugins found to uninstall\n',
  );
});

test('a plugin is downloaded from a server once, and programs run with the version they ask for', async () => {
  const { url, asked } = await serveShop();
  const install = (...words: string[]) =>
    box.cairn(['plugin', 'install', 'resource', 'shop', ...words, '--server', `${url}/\${NAME}/\${VERSION}`]);
  expectOk(await install('1.0.0'));
  expectOk(await install('2.0.0'));
  expectOk(await install('2.0.0'));
  const at = (version: string) => `/shop/${version}/${archiveFile('resource', 'shop', version)}`;
  expect(asked).toEqual([at('1.0.0'), at('2.0.0')]);
  expectOk(await install('2.0.0', '--reinstall'));
  expect(asked).toHaveLength(3);

  box.write('Cairn.yaml', 'name: shop\nruntime: nodejs\nmain: index.js\n');
  box.write(
    'index.js',
    `import { CustomResource } from '@cairn/sdk';
class Item extends CustomResource {
  constructor(name, version) { super('shop:index:Item', name, {}, { version }); }
  get by() { return this.outputOf('by'); }
}
export const newest = new Item('newest').by;
export const first = new Item('first', '1.0.0').by;`,
  );
  giveStack(box);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  const outputs = JSON.parse(expectOk(await box.cairn(['stack', 'output', '--json'])).stdout) as unknown;
  expect(outputs).toEqual({ newest: '2.0.0', first: '1.0.0' });
});

test('an archive with another checksum than expected is not installed', async () => {
  const bytes = archive(files('1.0.0'));
  const { url } = await serve(() => bytes);
  const install = (checksum: string) =>
    box.cairn(['plugin', 'install', 'resource', 'shop', '1.0.0', '--server', url, '--checksum', checksum]);
  const refused = await install(sha256(Buffer.from('other')));
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('error[CAIRN-PLUGIN-CHECKSUM]');
  expect(refused.stderr).toContain(`actual ${sha256(bytes)}`);
  expect(entries()).toEqual([]);
  expect((await install('xyz')).text).toContain('--checksum was not a valid hex string');
  expectOk(await install(sha256(bytes).toUpperCase()));
  expect(entries()).toEqual(['resource-shop-v1.0.0']);
});

test('an archive is installed by its name alone, from a path and from a URL', async () => {
  const { url } = await serveShop();
  const name = archiveFile('resource', 'shop', '1.0.0');
  writeFileSync(path.join(box.directory, name), archive(files('1.0.0')));
  expectOk(await box.cairn(['plugin', 'install', `./${name}`]));
  expectOk(await box.cairn(['plugin', 'install', `${url}/${archiveFile('resource', 'shop', '1.2.0')}`]));
  expect(await installed()).toEqual(['shop 1.2.0', 'shop 1.0.0']);
});

test('a server that fails now and then is asked again; one that has nothing is not', async () => {
  let failures = 2;
  const { url, asked } = await serve((wanted) =>
    wanted.includes('v9.9.9') ? 404 : failures-- > 0 ? 503 : archive(files('1.0.0')),
  );
  const install = (version: string) =>
    box.cairn(['plugin', 'install', 'resource', 'shop', version, '--server', url]);
  const late = expectOk(await install('1.0.0'));
  expect(late.stderr.match(/trying again/g)).toHaveLength(2);
  const absent = await install('9.9.9');
  expect(absent.code).toBe(1);
  expect(absent.stderr).toContain(`404 HTTP error fetching plugin from ${url}/`);
  expect(asked).toHaveLength(4);
  expect(await installed()).toEqual(['shop 1.0.0']);
});

test.each([
  ['no archive', () => Buffer.from('not packed'), 'cannot unpack'],
  ['an archive that is cut off', () => archive(files('1.0.0')).subarray(0, 200), 'cannot unpack'],
  ['another plugin', () => archive({ 'pulumi-resource-other': '' }), 'it has pulumi-resource-other'],
  [
    'a manifest of an unknown runtime',
    () => archive({ 'PulumiPlugin.yaml': 'runtime: cobol\n' }),
    'no plugin runs the language "cobol"',
  ],
])('%s is refused and leaves nothing', async (_, bytes, why) => {
  const { url } = await serve(bytes);
  const refused = await box.cairn(['plugin', 'install', 'resource', 'shop', '1.0.0', '--server', url]);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(why);
  expect(entries()).toEqual([]);
});

test('an archive whose links only together lead outside is refused, and the home stays as it is', async () => {
  const evil = path.join(box.directory, 'chain');
  const deep = path.join(evil, 'd1/d2/d3/d4/d5');
  mkdirSync(deep, { recursive: true });
  symlinkSync('../../../../..', path.join(deep, 'up'));
  symlinkSync('d1/d2/d3/d4/d5/up/../../../../.bashrc', path.join(evil, 'out'));
  execFileSync('tar', ['-cf', 'chain.tar', '-C', evil, 'd1', 'out'], { cwd: box.directory });
  rmSync(path.join(evil, 'out'));
  writeFileSync(path.join(evil, 'out'), 'pwned');
  execFileSync('tar', ['-rf', 'chain.tar', '-C', evil, 'out'], { cwd: box.directory });
  rmSync(path.join(evil, 'out'));
  symlinkSync('d1/d2/d3/d4/d5/up/../../../../.bashrc', path.join(evil, 'out'));
  execFileSync('tar', ['-rf', 'chain.tar', '-C', evil, 'out'], { cwd: box.directory });
  execFileSync('gzip', ['chain.tar'], { cwd: box.directory });
  writeFileSync(path.join(box.home, '.bashrc'), 'mine');
  const refused = await box.cairn(['plugin', 'install', 'resource', 'evil', '1.0.0', '-f', 'chain.tar.gz']);
  expect(refused.stderr).toMatch(/error\[CAIRN-PLUGIN-INSTALL\]: cannot unpack .*chain\.tar\.gz/);
  expect(refused.stderr).toContain('its link "out" points outside');
  expect(readFileSync(path.join(box.home, '.bashrc'), 'utf8')).toBe('mine');
  expect(entries()).toEqual([]);
});

test('an archive whose members lie outside is refused', async () => {
  mkdirSync(path.join(box.directory, 'evil'));
  symlinkSync('/etc', path.join(box.directory, 'evil', 'out'));
  execFileSync('tar', ['-czf', 'link.tar.gz', '-C', 'evil', 'out'], { cwd: box.directory });
  box.write('sub/file', '');
  execFileSync('tar', ['-P', '-czf', 'up.tar.gz', '-C', 'sub', '../index.js'], {
    cwd: (box.write('index.js', ''), box.directory),
  });
  for (const [file, why] of [
    ['link.tar.gz', 'points outside'],
    ['up.tar.gz', 'lies outside'],
  ] as const) {
    const refused = await box.cairn(['plugin', 'install', 'resource', 'shop', '1.0.0', '-f', file]);
    expect(refused.stderr).toContain(why);
  }
  expect(entries()).toEqual([]);
});

test('what cannot be meant is refused', async () => {
  const refusals: readonly (readonly [readonly string[], string])[] = [
    [['foo', 'bar'], 'unrecognized plugin kind: foo'],
    [['resource'], 'missing plugin name argument'],
    [['resource', 'shop', 'x.y'], 'invalid plugin semver'],
    [['resource', 'shop@1.0.0', '1.0.0'], 'cannot specify a version when the version is part of the name'],
    [['resource', '../up', '1.0.0'], 'invalid plugin name'],
    [['resource', 'shop', '-f', 'x'], 'missing plugin version argument'],
    [['resource', 'shop', '1.0.0', '-f', 'x'], 'there is no '],
    [['resource', 'shop', '1.0.0', '--server', 'ftp://x'], 'cannot be downloaded from ftp://x'],
    [['resource', 'n'.repeat(300), '1.0.0', '-f', 'x'], 'invalid plugin name'],
    [['resource', 'a[b.com/o/p'], 'a[b.com/o/p does not name a git repository'],
    [['./x%nux.tar.gz'], 'unrecognized plugin kind: ./x%nux.tar.gz'],
    [['https://x.invalid/pulumi-resource-x-v1.0.0-linux-amd64%.tar.gz'], 'unrecognized plugin kind: https:'],
    [['--file', 'x'], '--file is only valid if a specific package is being installed'],
  ];
  for (const [words, why] of refusals) {
    const refused = await box.cairn(['plugin', 'install', ...words]);
    expect([words, refused.code === 0]).toEqual([words, false]);
    expect(refused.stderr).toContain(why);
    expect(refused.stderr).not.toContain('CAIRN-INTERNAL');
  }
});

test('without a network the newest version of a plugin is not found out, and the message says where it was asked', async () => {
  const refused = await box.cairn(['plugin', 'install', 'resource', 'random'], {
    env: { HTTPS_PROXY: 'http://127.0.0.1:9' },
  });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('error[CAIRN-PLUGIN-INSTALL]: cannot determine the newest version');
  expect(refused.stderr).toContain(
    'cannot reach https://api.github.com/repos/pulumi/pulumi-random/releases/latest',
  );
});

test('two installs of one plugin at the same time do it once, and what was left half-way is done anew', async () => {
  const { url, asked } = await serveShop();
  mkdirSync(path.join(cache(), 'resource-shop-v1.0.0'), { recursive: true });
  writeFileSync(path.join(cache(), 'resource-shop-v1.0.0.partial'), '');
  expect(await installed()).toEqual([]);
  const install = () => box.cairn(['plugin', 'install', 'resource', 'shop', '1.0.0', '--server', url]);
  for (const finished of await Promise.all([install(), install(), install()])) expectOk(finished);
  expect(asked.length).toBeGreaterThan(0);
  expect(entries()).toEqual(['resource-shop-v1.0.0']);
  expect(readdirSync(path.join(cache(), 'resource-shop-v1.0.0')).sort()).toEqual([
    'package.json',
    'pulumi-resource-shop',
  ]);
});

test('the cache of PULUMI_HOME is the one that is shared', async () => {
  writeFileSync(path.join(box.directory, 'shop.tar.gz'), archive(files('1.0.0')));
  const env = { PULUMI_HOME: path.join(box.home, '.pulumi') };
  expectOk(await box.cairn(['plugin', 'install', 'resource', 'shop', '1.0.0', '-f', 'shop.tar.gz'], { env }));
  expect(existsSync(path.join(box.home, '.pulumi', 'plugins', 'resource-shop-v1.0.0'))).toBe(true);
  expect(entries()).toEqual([]);
});

test('at a terminal rm shows what goes and asks', async () => {
  if (whyNoTerminals() !== undefined) return;
  writeFileSync(path.join(box.directory, 'shop.tar.gz'), archive(files('1.0.0')));
  expectOk(await box.cairn(['plugin', 'install', 'resource', 'shop', '1.0.0', '-f', 'shop.tar.gz']));
  expect((await box.cairn(['plugin', 'rm', 'resource'])).code).toBe(2);
  const terminal = onTerminal(box, ['plugin', 'rm', 'resource']);
  await terminal.shown('Remove 1 plugin?');
  terminal.type('y');
  const { code, screen } = await terminal.finished;
  expect(code).toBe(0);
  expect(screen).toContain('    resource shop-1.0.0');
  expect(entries()).toEqual([]);
});

test('plugin run runs what is installed, what is on the PATH and what is at a path, with its exit code', async () => {
  const script = '#!/bin/sh\necho "$0 $*" | sed "s/.*pulumi/pulumi/"; cat; exit 7\n';
  box.write('bin/pulumi-tool-lister', script);
  chmodSync(path.join(box.directory, 'bin', 'pulumi-tool-lister'), 0o755);
  // The tool inherits the streams of the command.
  const run = (...words: string[]) => box.process(['plugin', 'run', ...words], { input: 'given\n' });
  const missing = await run('lister');
  expect(missing.stderr).toContain('Run `cairn plugin install tool lister`');
  expectOk(await box.cairn(['plugin', 'install', 'tool', 'lister', '1.0.0', '-f', 'bin/pulumi-tool-lister']));
  for (const source of ['lister', 'lister@1.0.0', './bin/pulumi-tool-lister']) {
    const finished = await run(source, 'a', '--', '--all');
    expect([finished.code, finished.stdout]).toEqual([7, 'pulumi-tool-lister a --all\ngiven\n']);
  }
  expect((await run('lister@2.0.0')).stderr).toContain('cairn plugin install tool lister 2.0.0');
  expect((await run('./nowhere')).stderr).toContain('there is no plugin at ./nowhere');
  expect((await run('lister', '--kind', 'odd')).stderr).toContain('unrecognized plugin kind: odd');
});

test('plugin run runs source code that a manifest describes, in a folder and installed, with its exit code', async () => {
  box.write('greeter/PulumiPlugin.yaml', 'runtime: nodejs\n');
  box.write(
    'greeter/package.json',
    JSON.stringify({
      name: 'greeter',
      version: '1.0.0',
      main: 'index.js',
      dependencies: { '@pulumi/pulumi': '*' },
    }),
  );
  box.write(
    'greeter/index.js',
    'console.log("hello", ...process.argv.slice(2), process.cwd()); console.error("well"); process.exitCode = 7;',
  );
  const { code, stdout, stderr } = await box.process(['plugin', 'run', './greeter', 'you']);
  expect([code, stdout]).toEqual([7, `hello you ${box.directory}\n`]);
  expect(stderr).toContain('well\n');
  const cached = path.join(box.home, '.cairn', 'plugins', 'tool-greeter-v1.0.0');
  cpSync(path.join(box.directory, 'greeter'), cached, { recursive: true });
  symlinkSync(path.resolve(__dirname, '..', '..', 'node_modules'), path.join(cached, 'node_modules'));
  const installed = await box.process(['plugin', 'run', 'greeter', 'all']);
  expect([installed.code, installed.stdout]).toEqual([7, `hello all ${box.directory}\n`]);
});

test('an npm package with the command of a plugin, or with its manifest', async () => {
  const manifest = {
    name: '@acme/shop',
    version: '1.4.0',
    type: 'module',
    bin: { 'pulumi-resource-shop': 'run.js' },
  };
  box.write('shop/package.json', JSON.stringify({ ...manifest, cairn: { provider: { name: 'shop' } } }));
  box.write('shop/run.js', shop('1.4.0'));
  box.write('tool/package.json', JSON.stringify({ name: 'sheds', version: '2.0.0' }));
  box.write('tool/PulumiPlugin.yaml', 'runtime: nodejs\n');
  expectOk(await box.cairn(['plugin', 'install', 'npm:./shop']));
  expectOk(await box.cairn(['plugin', 'install', 'resource', 'sheds', '--server', 'npm:./tool']));
  expect(await installed()).toEqual(['sheds 2.0.0', 'shop 1.4.0']);
  box.write('Cairn.yaml', 'name: shop\nruntime: nodejs\nmain: index.js\n');
  box.write(
    'index.js',
    `import { CustomResource } from '@cairn/sdk';
class Item extends CustomResource { get by() { return this.outputOf('by'); } }
export const by = new Item('shop:index:Item', 'item', {}).by;`,
  );
  giveStack(box);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  expect(expectOk(await box.cairn(['stack', 'output', 'by'])).stdout.trim()).toBe('1.4.0');
  const other = await box.cairn(['plugin', 'install', 'resource', 'other', '--server', 'npm:./shop']);
  expect(other.stderr).toContain('it has neither a command pulumi-resource-other nor a PulumiPlugin.yaml');
  expect((await box.cairn(['plugin', 'install', 'npm:./nowhere'])).stderr).toContain('npm pack');
});

test('a git repository: the newest tag, a version, a commit', async () => {
  const repository = path.join(box.home, 'plugins.git');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  mkdirSync(path.join(repository, 'shop'), { recursive: true });
  git('init', '-q', '-b', 'main');
  for (const [name, text] of Object.entries(files('1.0.0'))) writeFileSync(path.join(repository, name), text);
  writeFileSync(path.join(repository, 'PulumiPlugin.yaml'), 'runtime: nodejs\n');
  writeFileSync(path.join(repository, 'shop', 'PulumiPlugin.yaml'), 'runtime: nodejs\n');
  writeFileSync(path.join(repository, 'shop', 'package.json'), '{}');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  const url = `file://${repository}`;
  const install = (...words: string[]) => box.cairn(['plugin', 'install', 'resource', ...words]);
  const commit = git('rev-parse', 'HEAD');
  expectOk(await install(url));
  git('tag', 'v1.0.0');
  git('tag', 'v1.10.0');
  git('tag', 'v1.9.0');
  expectOk(await install(url));
  expectOk(await install(`${url}@1.9.0`));
  expectOk(await install(`${url}/shop`, 'v1.0.0'));
  const name = `${repository.slice(1).replaceAll('/', '_')}`;
  expect(entries().sort()).toEqual(
    [
      ...[`${name}-v0.0.0-x${commit}`, `${name}-v1.10.0`, `${name}-v1.9.0`, `${name}_shop-v1.0.0`].map(
        (entry) => `resource-${entry}`,
      ),
    ].sort(),
  );
  expect(existsSync(path.join(cache(), `resource-${name}-v1.9.0`, '.git'))).toBe(false);
  expect((await install(`${url}@7.0.0`)).stderr).toContain('plugins.git has no tag v7.0.0');
  expect((await install(`${url}@main!`)).stderr).toContain('neither a version nor a commit');
});
