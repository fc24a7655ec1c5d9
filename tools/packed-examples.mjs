// Checks what an npm user gets: packs every publishable package as npm would publish it, checks the contents of the
// tarballs, installs them into an empty folder, and runs both examples and a new project with the installed command.
// Needs built packages.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { INSTALL_LIMITS, checkInstallSize, installSize } from './install-size.mjs';
import { checkTarball } from './packed-contents.mjs';
import { root, step } from './setup.mjs';
import { packageFolder, packageFolders } from './workspaces.mjs';

/** Packages that a user names in an `npm install`; everything else comes along. */
const WANTED = ['@cairn/cli', '@cairn/sdk', '@cairn/provider-local', '@cairn/provider-random'];

/** Files that an earlier run of an example in the repository may have left beside it. */
const LEFT_BY_RUNS = /^(node_modules|\.state|site|records|(Pulumi|Cairn)\..+\.yaml)([/\\]|$)/;

/** Packages whose installs were measured. */
const checked = new Set();

const work = mkdtempSync(path.join(tmpdir(), 'cairn-packed-'));
try {
  const tarballs = packAll(path.join(work, 'tarballs'));
  const user = path.join(work, 'user');
  mkdirSync(user);
  const pulumi = readJson(path.join(root, 'examples', 'pulumi-program', 'package.json')).dependencies;
  installInto(user, tarballs, WANTED, pulumi);
  for (const name of ['@cairn/cli', '@cairn/sdk']) checkSize(user, name);
  const command = path.join(user, 'node_modules', '.bin', 'cairn');
  for (const example of ['quickstart', 'pulumi-program']) runExample(command, user, example);
  runAlias(command, user);
  runNewProject(command, path.join(work, 'shop'), tarballs);
  runNewPackages(command, work, tarballs);
  runAutomation(path.join(work, 'automation'), tarballs);
  if (checked.size < Object.keys(INSTALL_LIMITS).length) throw new Error('an install was not measured');
  process.stdout.write(`installs within limits: ${checked.size}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Packs all publishable packages into a folder; answers with the tarball of each name. */
function packAll(folder) {
  step('packing');
  mkdirSync(folder);
  const folders = [...packageFolders.values()].filter(
    (each) => readJson(path.join(each, 'package.json')).private !== true,
  );
  const workspaces = folders.flatMap((each) => ['--workspace', path.relative(root, each)]);
  const report = execFileSync(
    'npm',
    ['pack', '--json', '--loglevel=error', '--pack-destination', folder, ...workspaces],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 },
  );
  const packed = JSON.parse(report.slice(report.indexOf('[')));
  const complaints = packed.flatMap(({ name, files }) =>
    checkTarball(
      packageFolder(name),
      files.map((file) => file.path),
    ),
  );
  if (complaints.length > 0) throw new Error(`tarballs are not as they should be:\n${complaints.join('\n')}`);
  process.stdout.write(`packed ${packed.length} packages\n`);
  return new Map(packed.map(({ name, filename }) => [name, path.join(folder, filename)]));
}

/**
 * Installs packages into a folder with npm: the wanted ones from their tarballs, others from the registry. Their
 * dependencies among ours come from the tarballs too, as the registry would have them after a release.
 */
function installInto(folder, tarballs, wanted, others = {}) {
  step(`installing into ${path.basename(folder)}`);
  const files = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
  const dependencies = Object.fromEntries(wanted.map((name) => [name, files[name]]));
  const manifest = path.join(folder, 'package.json');
  const before = readdirSync(folder).includes('package.json') ? readJson(manifest) : { private: true };
  writeFileSync(
    manifest,
    JSON.stringify(
      { ...before, dependencies: { ...before.dependencies, ...dependencies, ...others }, overrides: files },
      null,
      2,
    ),
  );
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Measures what a package has brought into a folder. */
function checkSize(folder, name) {
  const size = installSize(folder, name);
  const complaints = checkInstallSize(name, size);
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  process.stdout.write(`install of ${name}: ${size.packages} packages, ${size.megabytes.toFixed(1)} MB\n`);
  checked.add(name);
}

/** An example from nothing to nothing: up, up again with nothing to do, export, destroy. */
function runExample(command, user, example) {
  const project = path.join(user, example);
  const original = path.join(root, 'examples', example);
  cpSync(original, project, {
    recursive: true,
    filter: (source) => !LEFT_BY_RUNS.test(path.relative(original, source)),
  });
  const cairn = commandIn(command, project, path.join(user, `${example}-state`));
  cairn('stack', 'init', 'dev');
  cairn('up', '--yes', '--stack', 'dev');
  cairn('up', '--yes', '--stack', 'dev', '--expect-no-changes');
  const { version, deployment } = JSON.parse(cairn('stack', 'export', '--stack', 'dev'));
  if (version !== 3 || !(deployment.resources?.length > 1)) throw new Error('export is not a deployment');
  destroyAll(cairn);
  process.stdout.write(`example ${example}: ok\n`);
}

/** A project made by `cairn new`, installed in a folder of its own. */
function runNewProject(command, project, tarballs) {
  const cairn = commandIn(command, path.dirname(project), `${project}-state`);
  cairn('new', 'typescript', '--dir', project, '--generate-only');
  installInto(project, tarballs, Object.keys(readJson(path.join(project, 'package.json')).dependencies));
  const inside = commandIn(command, project, `${project}-state`);
  inside('up', '--yes');
  if (!/^\w+-\w+\s*$/.test(inside('stack', 'output', 'pet'))) throw new Error('the pet has no name');
  destroyAll(inside);
  process.stdout.write('new project: ok\n');
}

/**
 * A provider and a component made by `cairn new`: tested, published into tarballs, used by programs that have only
 * those, the component from outside of the program as well. The programs and the tests share one install.
 */
function runNewPackages(command, work, tarballs) {
  const provider = newPackage(command, work, 'notebook', 'provider', tarballs);
  checkSize(provider.folder, '@cairn/provider-sdk');
  commandIn(command, provider.folder, `${provider.folder}-state`)('provider', 'test', '.');
  const component = newPackage(command, work, 'sites', 'component', tarballs);
  const project = dependent(path.join(work, 'blog'), [provider, component], tarballs);
  const program = `import { Note } from 'notebook';
const note = new Note('first', { text: 'one two three' });
export const words = note.words;
`;
  useIn(command, project, program, 'words', '3');
  process.stdout.write('new provider: ok\n');
  const own = `import { Site } from 'sites';
export const page = new Site('front', { folder: 'out', title: 'Hello' }).page;
`;
  useIn(command, project, own, 'page', 'out/index.html');
  const remote = `import { ComponentResource } from '@cairn/sdk';
const site = new ComponentResource('sites:index:Site', 'front', { folder: 'out', title: 'Hello' }, {}, true);
export const page = site.outputOf('page');
`;
  useIn(command, project, remote, 'page', 'out/index.html');
  process.stdout.write('new component: ok\n');
  testTyped(command, project, component);
}

/** A test of a program on a generated typed package, by node:test and by jest with ES modules. */
function testTyped(command, project, { name }) {
  const body = `
  const program = () => ({ page: new Site('front', { folder: 'out', title: interpolate\`a\${output('b')}\` }).page });
  const mocks = { resource: ({ inputs }) => ({ outputs: { page: inputs.title + '.html' } }) };
  const tested = await testProgram(program, { mocks });
  const [site] = tested.resources;`;
  const head = `import { interpolate, output } from '@cairn/sdk';
import { testProgram } from '@cairn/sdk/testing';
import { Site } from '@cairn-sdks/${name}';`;
  const files = {
    'index.ts': '',
    'node.test.js': `${head}
import assert from 'node:assert/strict';
import test from 'node:test';
test('the typed package', async () => {${body}
  assert.deepEqual([site.type, site.kind, tested.outputs], ['${name}:index:Site', 'remote', { page: 'ab.html' }]);
});`,
    'jest.spec.js': `${head}
import { expect, test } from '@jest/globals';
test('the typed package', async () => {${body}
  expect([site.type, site.kind, tested.outputs]).toEqual(['${name}:index:Site', 'remote', { page: 'ab.html' }]);
});`,
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(project, file), text);
  commandIn(command, project, `${project}-state`)('package', 'add', name);
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const runs = [
    ['node:test', ['--test', 'node.test.js']],
    ['jest', ['--experimental-vm-modules', jest, '--ci', '--rootDir', '.', '--testMatch', '**/jest.spec.js']],
  ];
  for (const [runner, words] of runs) {
    const env = { ...process.env, NODE_NO_WARNINGS: '1' };
    execFileSync(process.execPath, words, { cwd: project, env, stdio: ['ignore', 'ignore', 'inherit'] });
    process.stdout.write(`typed package tested with ${runner}: ok\n`);
  }
}

/**
 * Runs Pulumi's Automation API with an inline program, where `pulumi` is the alias that the installed command has
 * written.
 */
function runAlias(command, user) {
  const bin = path.join(user, 'alias');
  execFileSync(command, ['alias', bin], { cwd: user, stdio: 'ignore' });
  writeFileSync(
    path.join(user, 'inline.mjs'),
    `import automation from '@pulumi/pulumi/automation/index.js';
const program = async () => ({ answer: 42 });
const stack = await automation.LocalWorkspace.createStack({ stackName: 'dev', projectName: 'inline', program });
const { outputs, summary } = await stack.up();
if (outputs.answer.value !== 42 || summary.result !== 'succeeded') throw new Error('the program has not run');
await stack.destroy();
await stack.workspace.removeStack('dev');
`,
  );
  const env = plainEnvironment();
  Object.assign(env, {
    PATH: [bin, path.dirname(process.execPath), env.PATH].join(path.delimiter),
    PULUMI_BACKEND_URL: pathToFileURL(user).href,
    PULUMI_CONFIG_PASSPHRASE: 'packed',
    CAIRN_HOME: path.join(user, 'home'),
  });
  execFileSync(process.execPath, ['inline.mjs'], { cwd: user, env, stdio: ['ignore', 'inherit', 'inherit'] });
  process.stdout.write('alias: ok\n');
}

/** A program that deploys one of its own with the library: compiled against its declarations, all of them, and run. */
function runAutomation(folder, tarballs) {
  mkdirSync(folder);
  installInto(folder, tarballs, ['@cairn/automation', '@cairn/sdk', '@cairn/provider-random']);
  checkSize(folder, '@cairn/automation');
  writeFileSync(
    path.join(folder, 'main.mts'),
    `import { openWorkspace } from '@cairn/automation';
import { RandomPet } from '@cairn/provider-random';
const workspace = await openWorkspace({ project: 'pets', program: async () => ({ pet: new RandomPet('pet').result }) });
const stack = await workspace.createStack('dev');
const operation = stack.up();
for await (const event of operation) if (event.type === 'step-failed') throw new Error(event.step.name);
const name: string = (await operation).outputs.pet.value;
// @ts-expect-error: it has no such output
if (name === '' || (await operation).outputs.nothing !== undefined) throw new Error('the pet has no name');
await stack.destroy({ remove: true });
await workspace.close();
`,
  );
  const env = plainEnvironment();
  Object.assign(env, {
    CAIRN_BACKEND_URL: pathToFileURL(folder).href,
    CAIRN_CONFIG_PASSPHRASE: 'packed',
    CAIRN_HOME: path.join(folder, 'home'),
  });
  const types = path.join(root, 'node_modules', '@types');
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const settings = [
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2023,esnext.disposable',
  ];
  for (const words of [
    [compiler, ...settings, '--types', 'node', '--typeRoots', types, 'main.mts'],
    ['main.mjs'],
  ])
    execFileSync(process.execPath, words, { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] });
  process.stdout.write('automation: ok\n');
}

/** Makes a package, runs its tests and packs it as `npm publish` would, from a folder that has nothing else. */
function newPackage(command, work, name, template, tarballs) {
  const folder = path.join(work, name);
  commandIn(command, work, `${folder}-state`)('new', template, '--dir', folder, '--generate-only');
  installInto(folder, tarballs, Object.keys(readJson(path.join(folder, 'package.json')).dependencies));
  step(`testing ${name}`);
  execFileSync('npm', ['test'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const manifest = path.join(folder, 'package.json');
  const { overrides: _overrides, dependencies, ...rest } = readJson(manifest);
  const published = Object.fromEntries(Object.keys(dependencies).map((key) => [key, '^0.1.0']));
  writeFileSync(manifest, JSON.stringify({ ...rest, dependencies: published }));
  const words = ['pack', '--json', '--loglevel=error', '--pack-destination', work];
  const report = execFileSync('npm', words, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [{ filename, files }] = JSON.parse(report.slice(report.indexOf('[\n')));
  const complaints = checkTarball(folder, ['LICENSE', ...files.map((file) => file.path)]);
  if (complaints.length > 0)
    throw new Error(`${name} is not packed as it should be:\n${complaints.join('\n')}`);
  return { name, folder, tarball: path.join(work, filename) };
}

/** Makes a project in an empty folder that depends on published packages; returns the folder. */
function dependent(project, made, tarballs) {
  mkdirSync(project);
  writeFileSync(
    path.join(project, 'Cairn.yaml'),
    `name: ${path.basename(project)}\nruntime: nodejs\nmain: index.ts\n`,
  );
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const own = made.map(({ name, tarball }) => [name, tarball]);
  installInto(project, new Map([...tarballs, ...own]), ['@cairn/sdk', ...made.map(({ name }) => name)]);
  return project;
}

/** Runs a program of such a project: up, an output, destroy. */
function useIn(command, project, program, output, value) {
  writeFileSync(path.join(project, 'index.ts'), program);
  const cairn = commandIn(command, project, `${project}-state`);
  cairn('stack', 'init', 'dev');
  cairn('up', '--yes');
  const shown = cairn('stack', 'output', output).trim();
  if (shown !== value) throw new Error(`output ${output} is ${shown}, not ${value}`);
  destroyAll(cairn);
  cairn('stack', 'rm', 'dev', '--yes');
}

function destroyAll(cairn) {
  cairn('destroy', '--yes', '--stack', 'dev');
  const left = JSON.parse(cairn('stack', 'export', '--stack', 'dev')).deployment.resources ?? [];
  if (left.length > 0) throw new Error(`destroy left ${left.length} resources`);
}

/** Runs the installed command on a project, with a backend and a home of its own; answers with its stdout. */
function commandIn(command, project, state) {
  mkdirSync(state, { recursive: true });
  const env = plainEnvironment();
  Object.assign(env, {
    ...{ CI: 'true', NO_COLOR: '1' },
    CAIRN_BACKEND_URL: pathToFileURL(state).href,
    CAIRN_CONFIG_PASSPHRASE: 'packed',
    CAIRN_HOME: `${state}-home`,
  });
  return (...words) => {
    process.stdout.write(`$ cairn ${words.join(' ')}\n`);
    const result = spawnSync(command, [...words, '--cwd', project], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    process.stdout.write(`${result.stdout}${result.stderr}`);
    if (result.status === 0) return result.stdout;
    throw new Error(`cairn ${words.join(' ')} ended with ${result.status ?? result.signal ?? result.error}`);
  };
}

/** Returns the environment without the variables of either tool. */
function plainEnvironment() {
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (/^(CAIRN|PULUMI)_/.test(name)) delete env[name];
  return env;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
