import { chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { asUrn } from '@cairn/addresses';
import { isCairnError } from '@cairn/diagnostics';
import type { PluginSpec } from '@cairn/wire';
import type { PluginHostOptions } from '../options.js';
import { readSettings } from '../settings.js';
import { createPluginFinder } from './find-plugin.js';
import type { PluginLocation } from './plugin-location.js';

const neededBy = asUrn('urn:pulumi:dev::proj::test:index:Item::one');
let root: string;

beforeEach(async () => (root = await realpath(await mkdtemp(join(tmpdir(), 'cairn-find-')))));
afterEach(() => rm(root, { recursive: true, force: true }));

/** Makes files. Those named like a plugin are executable. */
async function make(...paths: string[]): Promise<void> {
  for (const path of paths) {
    const [name, text] = path.split('=', 2) as [string, string | undefined];
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text ?? '');
    if (name.includes('pulumi-resource-')) await chmod(join(root, name), 0o755);
  }
}

const spec = (changes: Partial<PluginSpec> = {}): PluginSpec => ({
  package: 'xx',
  version: undefined,
  downloadUrl: undefined,
  checksums: {},
  parameterization: undefined,
  envVarMappings: {},
  neededBy,
  ...changes,
});

async function find(
  request: PluginSpec = spec(),
  options: Partial<PluginHostOptions> = {},
): Promise<{ location: PluginLocation; warnings: string[] }> {
  const environment = {
    PATH: join(root, 'path'),
    CAIRN_HOME: join(root, 'c'),
    PULUMI_HOME: join(root, 'p'),
    ...options.environment,
  };
  const warnings: string[] = [];
  const finder = createPluginFinder(
    {
      rootDirectory: root,
      programDirectory: join(root, 'program'),
      project: 'proj',
      engineAddress: '',
      config: {},
      runtimeOptions: {},
      projectPlugins: [],
      projectPackages: {},
      packageRoots: [],
      bundledDirectories: [join(root, 'bundled')],
      languageHost: () => undefined,
      onMessage: () => undefined,
      ...options,
      environment,
    },
    readSettings(environment),
    (_, text) => warnings.push(text),
  );
  const location = await finder(request);
  return { location: JSON.parse(JSON.stringify(location).replaceAll(root, '')) as PluginLocation, warnings };
}

const EVERYWHERE = [
  'own/pulumi-resource-xx',
  'program/package.json={"dependencies":{"x-provider":"*"}}',
  'program/node_modules/x-provider/package.json={"name":"x-provider","version":"1.0.0","cairn":{"provider":{"name":"xx","module":"p.js"}}}',
  'path/pulumi-resource-xx',
  'bundled/pulumi-resource-xx',
  'c/plugins/resource-xx-v1.0.0/pulumi-resource-xx',
  'p/plugins/resource-xx-v2.0.0/pulumi-resource-xx',
];

const projectPlugins = [{ name: 'xx', path: 'own', version: undefined }];

test('the places in order, each found when the ones before it do not have the plugin [PLUG-1]', async () => {
  await make(...EVERYWHERE);
  const found = [];
  found.push(
    (await find(spec(), { projectPlugins, environment: { CAIRN_DEBUG_PROVIDERS: 'xx:7' } })).location,
  );
  found.push((await find(spec(), { projectPlugins })).location);
  for (const gone of ['own', 'program', 'path', 'bundled', 'c']) {
    await rm(join(root, gone), { recursive: true });
    found.push((await find()).location);
  }
  expect(found).toEqual([
    { kind: 'attached', port: 7 },
    { kind: 'executable', path: '/own/pulumi-resource-xx' },
    {
      kind: 'in-process',
      module: '/program/node_modules/x-provider/p.js',
      npmName: 'x-provider',
      version: '1.0.0',
    },
    { kind: 'executable', path: '/path/pulumi-resource-xx' },
    { kind: 'executable', path: '/bundled/pulumi-resource-xx' },
    { kind: 'executable', path: '/c/plugins/resource-xx-v1.0.0/pulumi-resource-xx' },
    { kind: 'executable', path: '/p/plugins/resource-xx-v2.0.0/pulumi-resource-xx' },
  ]);
});

test('a plugin on the PATH is told of, unless it comes with a language', async () => {
  await make('path/pulumi-resource-xx', 'path/pulumi-resource-pulumi-python');
  expect((await find()).warnings).toEqual([`using ${root}/path/pulumi-resource-xx from the PATH`]);
  expect(await find(spec({ package: 'pulumi-python' }))).toEqual({
    location: { kind: 'executable', path: '/path/pulumi-resource-pulumi-python' },
    warnings: [],
  });
});

test('the PATH is passed over when the environment says so', async () => {
  await make('path/pulumi-resource-xx', 'bundled/pulumi-resource-xx');
  const { location } = await find(spec(), { environment: { PULUMI_IGNORE_AMBIENT_PLUGINS: '1' } });
  expect(location).toEqual({ kind: 'executable', path: '/bundled/pulumi-resource-xx' });
});

test('a project plugin of another version is passed over with a warning', async () => {
  await make('own/pulumi-resource-xx', 'path/pulumi-resource-xx');
  const { location, warnings } = await find(spec({ version: 'v2.0.0' }), {
    projectPlugins: [{ name: 'xx', path: 'own', version: '1.0.0' }],
  });
  expect(location).toEqual({ kind: 'executable', path: '/path/pulumi-resource-xx' });
  expect(warnings[0]).toBe("the project's plugin xx has version 1.0.0, not 2.0.0: it is not used");
});

test('packages with a local source are found, also those such a package names', async () => {
  await make(
    'a/PulumiPlugin.yaml=runtime: nodejs\npackages:\n  xx: ./nested\n  up: ../a\n',
    'a/nested/PulumiPlugin.yaml=runtime: nodejs',
  );
  const { location } = await find(spec(), {
    projectPackages: { a: { source: './a' }, remote: 'random@1.0.0' },
  });
  expect(location).toEqual({ kind: 'directory', path: '/a/nested' });
  for (const source of ['./a/nested@1.2.3', './a/nested@v0.0.0'])
    expect((await find(spec(), { projectPackages: { xx: source } })).location).toEqual(location);
});

test('a provider package of another version is used with a warning', async () => {
  await make(...EVERYWHERE);
  const { location, warnings } = await find(spec({ version: '0.9.0' }));
  expect(location.kind).toBe('in-process');
  expect(warnings).toEqual(['version 0.9.0 was requested, x-provider 1.0.0 is installed and used']);
});

test('a provider package without a module is run as a process', async () => {
  await make(
    'program/package.json={"dependencies":{"p":"*"}}',
    'program/node_modules/p/package.json={"name":"p","version":"1.0.0","bin":{"pulumi-resource-xx":"run.js"},"cairn":{"provider":{"name":"xx"}}}',
  );
  expect((await find()).location).toEqual({ kind: 'script', path: '/program/node_modules/p/run.js' });
});

test('a plugin taken from the cache is noted as used', async () => {
  await make('c/plugins/resource-xx-v1.0.0/PulumiPlugin.yaml');
  expect((await find()).location).toEqual({ kind: 'directory', path: '/c/plugins/resource-xx-v1.0.0' });
  expect(await readdir(join(root, 'c/plugins'))).toContain('resource-xx-v1.0.0.lastused');
});

test('a plugin from a git repository is found under the name of that, in its folder', async () => {
  await make('p/plugins/resource-github.com_acme_all.git_sub-v1.0.0/sub/PulumiPlugin.yaml');
  const downloadUrl = 'git://github.com/acme/all/sub';
  expect((await find(spec({ version: '1.0.0', downloadUrl }))).location).toEqual({
    kind: 'directory',
    path: '/p/plugins/resource-github.com_acme_all.git_sub-v1.0.0/sub',
  });
});

test.each([
  ['our own', 'cairn-random', 'Run `npm install @cairn/provider-random` in the directory of the program.'],
  [
    'another',
    'aws',
    'Run `cairn plugin install resource aws`, or put pulumi-resource-aws into a directory on the PATH.',
  ],
])('%s plugin that is nowhere: for whom, where it was looked for, how to get it', async (_, name, hint) => {
  const error: unknown = await find(spec({ package: name })).catch((thrown: unknown) => thrown);
  const [diagnostic] = isCairnError(error) ? error.diagnostics : [];
  expect(diagnostic).toMatchObject({
    code: 'CAIRN-PLUGIN-NOT-FOUND',
    urn: neededBy,
    summary: `cannot find the provider plugin ${name}, which ${neededBy} needs`,
  });
  expect(diagnostic?.hint).toBe(hint);
  expect(diagnostic?.causes).toContain('not found on the PATH');
});

test('the error of a version that is not there names those that are, where it may come from, and the command', async () => {
  await make(
    'c/plugins/resource-aws-v1.0.0/pulumi-resource-aws',
    'p/plugins/resource-aws-v1.5.0/x',
    'path/pulumi-resource-aws',
  );
  const request = spec({ package: 'aws', version: 'v2.0.0', downloadUrl: 'https://plugins.example' });
  const environment = { PULUMI_IGNORE_AMBIENT_PLUGINS: '1' };
  const error: unknown = await find(request, { environment }).catch((thrown: unknown) => thrown);
  const [diagnostic] = isCairnError(error) ? error.diagnostics : [];
  expect(diagnostic?.causes?.slice(-4)).toEqual([
    `the plugin cache ${root}/c/plugins has 1.0.0`,
    `the plugin cache ${root}/p/plugins has 1.5.0`,
    `${root}/path/pulumi-resource-aws is on the PATH, which an environment variable tells Cairn to ignore`,
    'it can be downloaded from https://plugins.example',
  ]);
  expect(diagnostic?.hint).toBe(
    'Run `cairn plugin install resource aws 2.0.0 --server https://plugins.example`, or put pulumi-resource-aws into a directory on the PATH.',
  );
});

test.each([
  ['is not there', [], 'is not a directory'],
  ['holds no plugin', ['own/readme.md'], 'has neither pulumi-resource-xx nor PulumiPlugin.yaml'],
])('a project path that %s is an error, not a reason to look elsewhere', async (_, files, what) => {
  await make('path/pulumi-resource-xx', ...files);
  await expect(find(spec(), { projectPlugins })).rejects.toThrow(
    `the project names ${root}/own for the plugin xx, but it ${what}`,
  );
});
