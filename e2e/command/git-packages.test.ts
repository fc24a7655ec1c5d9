import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * Packages whose plugin is in a git repository: components in TypeScript in one of its folders. The record of
 * `package add` is enough for a clone of the project, which has neither the plugin nor the generated code.
 */

let box: Sandbox;
afterEach(() => box.remove());

const repository = () => path.join(box.home, 'work');

function git(...words: string[]): string {
  const user = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  return execFileSync('git', [...user, ...words], {
    ...{ cwd: repository(), encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: box.home } },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** A component with a dependency of its own, which reports the version of its repository. */
const component = (from: string): Record<string, string> => ({
  'site/PulumiPlugin.yaml': 'runtime: nodejs\n',
  'site/package.json': JSON.stringify({
    ...{ name: 'site', type: 'module', main: 'index.ts' },
    dependencies: { marks: 'file:./marks' },
  }),
  // Each start of the plugin reads the declarations of all that this names.
  'site/tsconfig.json': JSON.stringify({
    compilerOptions: { module: 'nodenext', target: 'es2022', lib: ['es2022'], types: [] },
  }),
  'site/marks/package.json': '{"name":"marks","version":"1.0.0","type":"module","main":"index.js"}',
  'site/marks/index.js': "export const mark = '!';\n",
  'site/index.ts': `
import * as pulumi from '@pulumi/pulumi';
import { mark } from 'marks';
export interface PageArgs { title: pulumi.Input<string>; }
export class Page extends pulumi.ComponentResource {
  public readonly text: pulumi.Output<string>;
  constructor(name: string, args: PageArgs, opts?: pulumi.ComponentResourceOptions) {
    super('site:index:Page', name, args, opts);
    const stash = new pulumi.Stash(name + '-stash', { input: args.title }, { parent: this });
    this.text = pulumi.interpolate\`\${stash.output}\${mark} ${from}\`;
    this.registerOutputs({ text: this.text });
  }
}
`,
});

/** Commits the component and publishes all there is. */
function publish(from: string, ...tags: string[]): string {
  for (const [name, text] of Object.entries(component(from))) {
    const file = path.join(repository(), name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  git('add', '.');
  git('commit', '-q', '-m', from);
  for (const tag of tags) git('tag', tag);
  git('push', '-q', '--tags', 'origin', 'main');
  return git('rev-parse', 'HEAD');
}

const PROGRAM = `import { Page } from '@cairn-sdks/site';
export const text = new Page('front', { title: 'Hello' }).text;
`;

/** Makes a project, and an empty repository in the place of github.com/acme/components. */
function start(): void {
  box = sandbox({
    'package.json': JSON.stringify({ name: 'shop', private: true, type: 'module' }),
    'index.ts': PROGRAM,
  });
  const served = path.join(box.home, 'served');
  writeFileSync(
    path.join(box.home, '.gitconfig'),
    `[url "file://${served}/"]\n\tinsteadOf = https://github.com/\n`,
  );
  // The SDK comes from the workspace, where npm does not look for it.
  box.env['npm_config_legacy_peer_deps'] = 'true';
  mkdirSync(repository());
  const bare = path.join(served, 'acme', 'components.git');
  git('init', '-q', '--bare', '-b', 'main', bare);
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', bare);
}

const file = (name: string) => readFileSync(path.join(box.directory, name), 'utf8');
const add = (source: string) => box.cairn(['package', 'add', source]);
const cached = (entry: string) =>
  existsSync(path.join(box.home, '.cairn', 'plugins', `resource-github.com_acme_components.git_${entry}`));
const up = async (cwd = box.directory) => {
  expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { cwd }));
  const { stdout } = expectOk(await box.cairn(['stack', 'output', 'text'], { cwd }));
  return stdout.trim();
};

/** Makes a clone of the project: all but generated code, packages and plugins. */
function clone(): string {
  const directory = path.join(path.dirname(box.directory), 'clone');
  for (const name of ['Cairn.yaml', 'package.json', 'index.ts'])
    cpSync(path.join(box.directory, name), path.join(directory, name));
  rmSync(path.join(box.home, '.cairn', 'plugins'), { recursive: true });
  return directory;
}

test('a version: it is installed, typed and recorded; a clone has it by the record', async () => {
  start();
  publish('one', 'v1.2.0');
  publish('two', 'v1.10.0', 'v2.0.0-rc.1');
  const added = expectOk(await add('github.com/acme/components/site@v1.2.0'));
  expect(added.text).not.toContain('was asked for');
  expect(added.text).toContain("Import it with: import * as site from '@cairn-sdks/site';");
  expect(file('Cairn.yaml')).toContain('packages:\n  site: github.com/acme/components/site@1.2.0\n');
  expect(JSON.parse(file('sdks/site/package.json'))).toMatchObject({
    version: '1.2.0',
    pulumi: { name: 'site', version: '1.2.0', server: 'git://github.com/acme/components/site' },
  });
  giveStack(box);
  expect(await up()).toBe('Hello! one');
  const directory = clone();
  expectOk(await box.cairn(['install'], { cwd: directory }));
  expect(cached('site-v1.2.0')).toBe(true);
  rmSync(path.join(box.home, '.cairn', 'plugins'), { recursive: true });
  expectOk(await box.cairn(['stack', 'select', 'dev'], { cwd: directory }));
  const missing = await box.cairn(['preview'], { cwd: directory });
  const server = ['--server', 'git://github.com/acme/components/site'];
  expect(missing.text).toContain('error[CAIRN-PLUGIN-NOT-FOUND]: cannot find the provider plugin site 1.2.0');
  expect(missing.text).toContain(`cairn plugin install resource site 1.2.0 ${server.join(' ')}`);
  expectOk(await box.cairn(['plugin', 'install', 'resource', 'site', '1.2.0', ...server]));
  expectOk(await box.cairn(['preview', '--expect-no-changes'], { cwd: directory }));
  expect(await up(directory)).toBe('Hello! one');
  expectOk(await box.cairn(['destroy', '--yes', '--skip-preview'], { cwd: directory }));
});

test('no version: the newest release, and the newest commit where there is no tag', async () => {
  start();
  const commit = publish('head');
  expectOk(await add('github.com/acme/components/site'));
  expect(file('Cairn.yaml')).toContain(`  site: github.com/acme/components/site@${commit}\n`);
  giveStack(box);
  expect(await up()).toBe('Hello! head');
  publish('old', 'v1.9.0');
  publish('new', 'v1.10.0');
  publish('next', 'v2.0.0-rc.1', 'site/v3.0.0');
  expectOk(await add('github.com/acme/components/site'));
  expect(file('Cairn.yaml')).toContain('  site: github.com/acme/components/site@1.10.0\n');
  expect(await up()).toBe('Hello! new');
  const listed = expectOk(await box.cairn(['plugin', 'ls', '--project', '--json']));
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { name: 'github.com_acme_components.git_site', version: '1.10.0' },
  ]);
});

test('a commit, in full or its first digits, is recorded as one and comes back in a clone', async () => {
  start();
  const commit = publish('first');
  publish('second', 'v1.0.0');
  // As far as its first letter: digits alone are a version.
  const short = /^(?=\d{0,7}[a-f]).{8}|^\d+./.exec(commit)?.[0] ?? '';
  expectOk(await add(`git://github.com/acme/components/site@${short}`));
  expect(file('Cairn.yaml')).toContain(`  site: github.com/acme/components/site@${short}\n`);
  expectOk(await add(`github.com/acme/components/site@${commit}`));
  expect(file('Cairn.yaml')).toContain(`  site: github.com/acme/components/site@${commit}\n`);
  const directory = clone();
  expectOk(await box.cairn(['install'], { cwd: directory }));
  expect(cached(`site-v0.0.0-x${commit}`)).toBe(true);
  expectOk(await box.cairn(['stack', 'init', 'dev'], { cwd: directory }));
  expect(await up(directory)).toBe('Hello! first');
});

test('schemas and code of a package in git: with what its plugin cannot know', async () => {
  start();
  publish('one', 'v1.2.0');
  const source = 'https://github.com/acme/components.git/site';
  const schema = expectOk(await box.cairn(['package', 'get-schema', `${source}@1.2.0`]));
  expect(JSON.parse(schema.stdout)).toMatchObject({
    ...{ name: 'site', version: '1.2.0', namespace: 'acme' },
    pluginDownloadURL: 'git://github.com/acme/components.git/site',
  });
  expect(expectOk(await box.cairn(['package', 'info', source])).stdout).toContain('site 1.2.0\n1 resource');
  expect(expectOk(await box.cairn(['schema', 'check', source])).stdout).toContain('no errors');
  expectOk(await box.cairn(['package', 'gen-sdk', source, '--out', 'made']));
  expect(file('made/page.d.ts')).toContain('export declare class Page extends ComponentResource');
  expect(file('Cairn.yaml')).not.toContain('packages');
});

/** A plugin whose schema refers to a type of another package. */
const REFERRING = `
(async () => {
  const { providerService } = await import('@cairn/wire/provider-server');
  const { startServer } = await import('@cairn/wire/server');
  const tool = { $ref: '/shed/v1.0.0/schema.json#/types/shed:index:Tool' };
  const schema = { name: 'site', version: '1.2.0', resources: { 'site:index:Page': { properties: { tool } } } };
  const provider = {
    handshake: async () => ({}),
    getPluginInfo: async () => ({ version: '1.2.0' }),
    getSchema: async () => JSON.stringify(schema),
    cancel: async () => undefined,
    close: async () => undefined,
  };
  const server = await startServer({ services: [providerService(provider)] });
  console.log(server.address.split(':').pop());
})();
`;

test('where a package is downloaded from is not where the packages are that it refers to', async () => {
  start();
  publish('one');
  writeFileSync(path.join(repository(), 'site', 'index.js'), REFERRING);
  writeFileSync(path.join(repository(), 'site', 'package.json'), '{"name":"site","main":"index.js"}');
  git('add', '.');
  git('commit', '-q', '-m', 'referring');
  git('tag', 'v1.2.0');
  git('push', '-q', '--tags', 'origin', 'main');
  const server = ['--server', 'git://github.com/acme/components/site'];
  expectOk(await box.cairn(['plugin', 'install', 'resource', 'site', '1.2.0', ...server]));
  box.write('sdks/shed/package.json', '{"name":"@cairn-sdks/shed"}');
  const added = expectOk(await box.cairn(['package', 'add', 'site', ...server]));
  expect(added.text).toContain(
    'site refers to types of shed, which become unknown: cannot find the provider plugin shed',
  );
});

test('what is not there is said, with what is; nothing is recorded or left', async () => {
  start();
  const none = await add('github.com/acme/components/site');
  expect([none.code === 0, none.text]).toEqual([false, expect.stringContaining('components.git is empty')]);
  publish('one', 'v1.2.0', 'v1.3.0');
  const cases: readonly [string, string, string][] = [
    [
      'github.com/acme/nowhere@1.0.0',
      'CAIRN-USAGE',
      'cannot get the repository https://github.com/acme/nowhere.git',
    ],
    ['github.com/acme/nowhere', 'CAIRN-USAGE', 'Check the address, and that git can read it from here'],
    [
      'github.com/acme/components/site@7.0.0',
      'CAIRN-PLUGIN-INSTALL',
      'https://github.com/acme/components.git has no tag v7.0.0',
    ],
    ['github.com/acme/components/site@7.0.0', 'CAIRN-PLUGIN-INSTALL', 'its newest versions are 1.3.0, 1.2.0'],
    ['github.com/acme/components/site@0123456789', 'CAIRN-PLUGIN-INSTALL', 'has no commit 0123456789'],
    ['github.com/acme/components/site@47300698', 'CAIRN-PLUGIN-INSTALL', 'as far as its first letter'],
    ['github.com/acme/components/site@main', 'CAIRN-USAGE', '"main" is neither a version nor a commit'],
    [
      'github.com/acme/components/shed@1.2.0',
      'CAIRN-PLUGIN-INSTALL',
      'https://github.com/acme/components.git has no folder shed at 1.2.0',
    ],
    [
      'github.com/acme/components@1.2.0',
      'CAIRN-PLUGIN-INSTALL',
      'it has neither pulumi-resource-github.com_acme_components.git nor PulumiPlugin.yaml',
    ],
    ['ssh://git@github.com/acme/components', 'CAIRN-USAGE', 'insteadOf'],
  ];
  for (const [source, code, text] of cases) {
    const refused = await add(source);
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain(`error[${code}]`);
    expect(refused.text).toContain(text);
  }
  const server = await box.cairn([
    'package',
    'get-schema',
    'github.com/acme/components/site',
    '--server',
    'x',
  ]);
  expect(server.text).toContain('--server cannot be used with a plugin in a git repository');
  expect(file('Cairn.yaml')).not.toContain('packages');
  expect(existsSync(path.join(box.directory, 'sdks'))).toBe(false);
  expect(cached('shed-v1.2.0')).toBe(false);
});
