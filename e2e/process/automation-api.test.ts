import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

jest.setTimeout(300_000);

let box: Sandbox;
let bin: string;
beforeEach(() => {
  box = sandbox();
  bin = path.join(box.directory, 'bin');
});
afterEach(() => box.remove());

function alias(words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(path.join(bin, 'pulumi'), words, {
    encoding: 'utf8',
    cwd: box.directory,
    env: box.env as NodeJS.ProcessEnv,
  });
  return { status, stdout, stderr };
}

/**
 * Runs a script that drives stacks with the Automation API of `@pulumi/pulumi`: it finds the alias on PATH. Returns the
 * value that the script passes to `say`.
 */
async function drive<T = unknown>(script: string, env: Record<string, string> = {}): Promise<T> {
  expectOk(await box.cairn(['alias', 'bin']));
  const answer = path.join(box.directory, 'answer.json');
  rmSync(answer, { force: true });
  box.write('drive.cjs', PRELUDE + `main(async () => {${script}});`);
  const ended = await run(process.execPath, ['drive.cjs'], {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: box.home,
    PULUMI_HOME: path.join(box.home, 'pulumi'),
    PULUMI_BACKEND_URL: pathToFileURL(box.state).href,
    PULUMI_CONFIG_PASSPHRASE: 'correct horse',
    ...env,
  });
  if (!existsSync(answer))
    throw new Error(`ended with ${ended.code ?? ended.signal} and no answer:\n${ended.text}`);
  return JSON.parse(readFileSync(answer, 'utf8')) as T;
}

const PRELUDE = `
const fs = require('fs');
const pulumi = require('@pulumi/pulumi');
const auto = require('@pulumi/pulumi/automation');
const { LocalWorkspace } = auto;
class Pet extends pulumi.CustomResource {
  constructor(name, args, opts) { super('cairn-random:index:Pet', name, { result: undefined, ...args }, opts); }
}
const answer = {};
const say = (more) => Object.assign(answer, more);
/** The class of the error that something ends with, and its words. */
const failure = (promise) => promise.then(
  () => { throw new Error('no error'); },
  (error) => ({ name: error.name, message: error.message }),
);
const main = async (work) => {
  await work();
  fs.writeFileSync('answer.json', JSON.stringify(answer));
};
`;

function run(command: string, words: readonly string[], env: Record<string, string>): Promise<Finished> {
  const child = spawn(command, words, { cwd: box.directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve({ code, signal, ...text, text: text.stdout + text.stderr }),
    );
  });
}

describe('the alias', () => {
  test('is written where it is wanted, runs this command, and answers a version that is compared', async () => {
    const written = await box.cairn(['alias', 'bin']);
    expect(written).toMatchObject({ code: 0, stdout: `${path.join(bin, 'pulumi')}\n` });
    expect(written.stderr).toContain(`export PATH="${bin}:$PATH"`);
    const own = (await box.cairn(['version'])).stdout.trim().slice(1);
    expect(alias(['version'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^3\.\d+\.\d+\+cairn\./) as string,
    });
    expect(alias(['version']).stdout.trim().endsWith(`+cairn.${own}`)).toBe(true);
    expect(alias(['--version']).stdout).toBe(alias(['version']).stdout);
    expect(alias(['stack', 'init', 'dev'])).toMatchObject({ status: 0 });
    expect((await box.cairn(['stack', 'ls', '--json'])).stdout).toContain('"name": "dev"');
  });

  test('goes into the home of Cairn when no directory is named', async () => {
    const file = path.join(box.home, '.cairn', 'bin', 'pulumi');
    expect(await box.cairn(['alias'])).toMatchObject({ code: 0, stdout: `${file}\n` });
    expect(statSync(file).mode & 0o111).toBe(0o111);
  });

  test('works in a package of modules, and is written again without being told', async () => {
    box.write('package.json', '{"type":"module"}');
    for (const _time of [1, 2]) expect(await box.cairn(['alias', 'bin'])).toMatchObject({ code: 0 });
    expect(alias(['version'])).toMatchObject({ status: 0 });
  });

  test('says nothing of PATH when it is found there, and which one is found when that is another', async () => {
    const env = (first: string) => ({ env: { PATH: `${first}:${process.env['PATH'] ?? ''}` } });
    await box.cairn(['alias', 'bin']);
    expect((await box.cairn(['alias', 'bin'], env(bin))).stderr).toBe('');
    const said = (await box.cairn(['alias', 'other'], env(bin))).stderr;
    expect(said).toContain(`pulumi on PATH is ${path.join(bin, 'pulumi')}`);
    expect(said).toContain(`export PATH="${path.join(box.directory, 'other')}:$PATH"`);
  });

  test('tells errors without their codes, as scripts look for them; our own name tells them with', async () => {
    await box.cairn(['alias', 'bin']);
    const words = ['stack', 'ls', '--color', 'vibrant'];
    expect(alias(words).stderr).toMatch(/^error: unsupported color option: "vibrant"$/m);
    expect((await box.cairn(words)).stderr).toContain('error[CAIRN-USAGE]: unsupported color option');
  });

  test('tells errors that scripts compare as a whole without a hint, and asks for a confirmation in words that are known', async () => {
    await box.cairn(['alias', 'bin']);
    expect(alias(['stack', 'init', 'dev'])).toMatchObject({ status: 0 });
    const refused = (words: string[]) => alias(words).stderr.trim();
    expect(refused(['config', 'get', 'none'])).toBe(
      "error: configuration key 'none' not found for stack 'dev'",
    );
    expect(refused(['refresh', '--preview-only', '--yes'])).toBe(
      'error: --yes and --preview-only cannot be used together',
    );
    expect(refused(['destroy', '--non-interactive'])).toBe(
      'error: --yes or --skip-preview or --preview-only must be passed in to proceed when running in non-interactive mode',
    );
    expect((await box.cairn(['config', 'get', 'none', '--stack', 'dev'])).stderr).toContain(
      'hint: Set it with',
    );
  });

  test('a document of another version is told in words that are known', async () => {
    await box.cairn(['alias', 'bin']);
    alias(['stack', 'init', 'dev']);
    const document = JSON.parse(alias(['stack', 'export']).stdout) as object;
    for (const [version, words] of [
      [9, "the stack 'dev' is newer than what this version of the Pulumi CLI understands"],
      [0, "the stack 'dev' is too old"],
    ] as const) {
      box.write('stack.json', JSON.stringify({ ...document, version }));
      const refused = alias(['stack', 'import', '--file', 'stack.json']);
      expect([refused.status, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain(words);
    }
  });

  test('takes no place of an executable that is not ours, unless it is told to', async () => {
    mkdirSync(bin);
    const file = path.join(bin, 'pulumi');
    writeFileSync(file, 'somebody else’s');
    const refused = await box.cairn(['alias', 'bin']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('error[CAIRN-ALIAS]');
    expect(readFileSync(file, 'utf8')).toBe('somebody else’s');
    expect(await box.cairn(['alias', 'bin', '--force'])).toMatchObject({ code: 0 });
    expect(alias(['version'])).toMatchObject({ status: 0 });
  });

  test('says so when the Cairn behind it is gone, or the place cannot be written', async () => {
    await box.cairn(['alias', 'bin']);
    const file = path.join(bin, 'pulumi');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('/bin/cairn.cjs', '/bin/gone.cjs'), {
      mode: 0o755,
    });
    const gone = alias(['version']);
    expect(gone.status).toBe(255);
    expect(gone.stderr).toContain('error[CAIRN-ALIAS]');
    rmSync(bin, { recursive: true });
    writeFileSync(bin, 'a file');
    const refused = await box.cairn(['alias', 'bin']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`cannot write ${file}`);
    expect(existsSync(file)).toBe(false);
  });
});

describe('a program in the process that drives it', () => {
  const PETS = `
    const program = async () => {
      const config = new pulumi.Config();
      const pet = new Pet('pet', { length: config.getNumber('words') ?? 2 });
      return { pet: pet.result, hidden: config.requireSecret('password'), plain: 'text' };
    };
    const stack = await LocalWorkspace.createStack({ stackName: 'dev', projectName: 'zoo', program });
    await stack.setAllConfig({ words: { value: '3' }, password: { value: 'hunter2', secret: true } });
  `;

  test('is previewed, brought up, refreshed and destroyed; outputs, events and history come back', async () => {
    interface Said {
      readonly [name: string]: unknown;
      readonly pet: { readonly value: string; readonly secret: boolean };
    }
    const said = await drive<Said>(`${PETS}
      const steps = [];
      const previewed = await stack.preview({ onEvent: ({ resourcePreEvent: { metadata } = {} }) => metadata && steps.push(metadata.op + ' ' + metadata.type) });
      say({ previewed: previewed.changeSummary, steps });
      const up = await stack.up({ message: 'the first', onOutput: () => undefined });
      say({ up: up.summary, ...up.outputs, again: (await stack.outputs()).pet.value === up.outputs.pet.value });
      say({ refreshed: (await stack.refresh()).summary.result, unchanged: (await stack.up({ expectNoChanges: true })).summary.resourceChanges });
      say({ history: (await stack.history()).map(({ kind, message, result, environment }) => [kind, message, result, environment['exec.kind']]) });
      say({ destroyed: (await stack.destroy()).summary.result, left: (await stack.exportStack()).deployment.resources ?? [] });
      await stack.workspace.removeStack('dev');
      say({ stacks: await stack.workspace.listStacks() });
    `);
    expect(said).toMatchObject({
      previewed: { create: 2 },
      steps: expect.arrayContaining([
        'create pulumi:pulumi:Stack',
        'create cairn-random:index:Pet',
      ]) as string[],
      up: { kind: 'update', result: 'succeeded', message: 'the first', resourceChanges: { create: 2 } },
      hidden: { value: 'hunter2', secret: true },
      plain: { value: 'text', secret: false },
      again: true,
      refreshed: 'succeeded',
      unchanged: { same: 2 },
      history: [
        ['update', expect.anything(), 'succeeded', 'auto.inline'],
        ['refresh', expect.anything(), 'succeeded', 'auto.inline'],
        ['update', 'the first', 'succeeded', 'auto.inline'],
      ],
      destroyed: 'succeeded',
      left: [],
      stacks: [],
    });
    expect(said.pet.value.split('-')).toHaveLength(3);
  });

  test('its errors are told, and the next run of it succeeds', async () => {
    const said = await drive(`
      let wrong = true;
      const program = async () => { if (wrong) throw new Error('not today'); return { fine: true }; };
      const stack = await LocalWorkspace.createStack({ stackName: 'dev', projectName: 'zoo', program });
      let output = '';
      say({ thrown: await failure(stack.up({ onOutput: (text) => (output += text) })), output });
      wrong = false;
      say({ outputs: (await stack.up()).outputs });
    `);
    expect(said).toMatchObject({
      thrown: { name: 'CommandError', message: expect.stringContaining('not today') as string },
      outputs: { fine: { value: true } },
    });
  });

  test('one that rejects a promise that nobody waits for fails with its words; one that leaks a promise can be cancelled', async () => {
    const said = await drive(`
      const stack = await LocalWorkspace.createStack({ stackName: 'dev', projectName: 'zoo', program: async () => {
        const heard = new Promise((resolve) => process.once('unhandledRejection', resolve));
        Promise.reject(new Error('nobody waits for this'));
        await heard;
      } });
      say({ rejected: await failure(stack.up()) });
      const stop = new AbortController();
      stack.workspace.program = async () => {
        new Pet('pet', { prefix: pulumi.output(new Promise(() => undefined)) });
        setImmediate(() => stop.abort());
      };
      say({ leaked: await failure(stack.up({ signal: stop.signal })) });
      stack.workspace.program = async () => ({ fine: true });
      say({ after: (await stack.up()).summary.result });
    `);
    expect(said).toMatchObject({
      rejected: { name: 'CommandError', message: expect.stringContaining('nobody waits for this') as string },
      leaked: { name: 'CommandError' },
      after: 'succeeded',
    });
  });

  test('two at once in one process keep their stacks, configuration and outputs apart', async () => {
    const said = await drive(`
      const running = new Set();
      let both;
      const together = new Promise((resolve) => (both = resolve));
      const one = async (name) => {
        const program = async () => {
          const own = new pulumi.Config().require('own');
          if (running.add(name).size === 2) both();
          await together;
          return { own, stack: pulumi.getStack(), pet: new Pet(name, { length: 1, prefix: own }).result };
        };
        const stack = await LocalWorkspace.createStack({ stackName: name, projectName: 'zoo', program });
        await stack.setConfig('own', { value: 'of-' + name });
        const { outputs } = await stack.up();
        await stack.destroy({ remove: true });
        return [outputs.own.value, outputs.stack.value, outputs.pet.value.startsWith('of-' + name)];
      };
      say({ both: await Promise.all([one('left'), one('right')]) });
    `);
    expect(said).toEqual({
      both: [
        ['of-left', 'left', true],
        ['of-right', 'right', true],
      ],
    });
  });

  test('one that never ends is left alone when it is cancelled', async () => {
    const said = await drive(`
      const program = async () => { new Pet('pet', { length: 1 }); await new Promise(() => undefined); };
      const stack = await LocalWorkspace.createStack({ stackName: 'dev', projectName: 'zoo', program });
      const stop = new AbortController();
      const seen = (event) => { if (event.resOutputsEvent?.metadata.type === 'cairn-random:index:Pet') stop.abort(); };
      say({ failed: await failure(stack.up({ onEvent: seen, signal: stop.signal })) });
      say({ resources: (await stack.exportStack()).deployment.resources.map(({ type }) => type).filter((type) => type.includes('Pet')) });
      await stack.destroy();
    `);
    expect(said).toMatchObject({ failed: { name: 'CommandError' }, resources: ['cairn-random:index:Pet'] });
  });

  /** A stack with a file. Its stored state has a pending create of another one, which exists. */
  const PENDING = `
    const at = (name) => require('path').resolve(name + '.txt');
    const stack = await LocalWorkspace.createStack({
      stackName: 'dev',
      projectName: 'zoo',
      program: async () => { new pulumi.CustomResource('cairn-local:index:File', 'kept', { path: at('kept'), content: 'x' }); },
    });
    await stack.up();
    const file = process.env.STORED;
    const stored = JSON.parse(fs.readFileSync(file, 'utf8'));
    const { latest } = stored.checkpoint;
    const { id, outputs, inputs, ...resource } = latest.resources.at(-1);
    const lost = { ...resource, inputs: { ...inputs, path: at('lost') }, urn: resource.urn.replace(/kept$/, 'lost') };
    latest.pending_operations = [{ type: 'creating', resource: lost }];
    fs.writeFileSync(file, JSON.stringify(stored));
    fs.writeFileSync(at('lost'), 'x');
    say({ urn: lost.urn });
  `;
  const stored = () => ({ STORED: path.join(box.state, '.pulumi', 'stacks', 'zoo', 'dev.json') });

  test('a refresh is told that creates of which nobody knows the end have made nothing', async () => {
    const said = await drive(
      `${PENDING}
      say({ left: await failure(stack.refresh()) });
      await stack.refresh({ clearPendingCreates: true });
      const { deployment } = await stack.exportStack();
      say({ pending: deployment.pending_operations ?? [], names: deployment.resources.map((each) => each.urn.split('::').at(-1)) });
    `,
      stored(),
    );
    expect(said).toMatchObject({
      left: { name: 'CommandError', message: expect.stringContaining('lost') as string },
      pending: [],
      names: expect.not.arrayContaining(['lost']) as string[],
    });
  });

  test('a refresh takes over the object that such a create has made, when its id is told', async () => {
    const { urn } = await drive<{ readonly urn: string }>(PENDING, stored());
    const id = path.join(box.directory, 'lost.txt');
    box.write('Pulumi.yaml', 'name: zoo\nruntime: nodejs\n');
    rmSync(path.join(box.directory, 'Cairn.yaml'));
    const env = { CAIRN_CONFIG_PASSPHRASE: 'correct horse' };
    const told = (words: readonly string[]) =>
      box.cairn(
        ['refresh', '--yes', '-s', 'dev', ...words.flatMap((word) => ['--import-pending-creates', word])],
        { env },
      );
    expect(await told([urn])).toMatchObject({ stderr: expect.stringContaining('takes a URN') as string });
    expect((await told([`${urn}er`, 'x'])).stderr).toContain(`no create of ${urn}er is pending`);
    expectOk(await told([urn, id]));
    const exported = expectOk(await box.cairn(['stack', 'export', '-s', 'dev'], { env }));
    const { deployment } = JSON.parse(exported.stdout) as {
      readonly deployment: { readonly resources: readonly { readonly urn: string; readonly id?: string }[] };
    };
    expect(deployment.resources.find((each) => each.urn === urn)?.id).toBe(id);
  });

  test('nobody at the address of the program is an error that names it', async () => {
    giveStack(box);
    const nobody = await box.cairn(['up', '--yes', '--client', '127.0.0.1:1']);
    expect(nobody.stderr).toContain('error[CAIRN-PROGRAM-LOAD]: no language host answers at 127.0.0.1:1');
    const odd = await box.cairn(['up', '--yes', '--client', 'somewhere']);
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('--client takes the address')]);
  });
});

describe('errors that have classes of their own', () => {
  test('a stack that is there already, one that is not, and one that is locked', async () => {
    const said = await drive(`
      const args = { stackName: 'dev', projectName: 'zoo', program: async () => undefined };
      const stack = await LocalWorkspace.createStack(args);
      say({ exists: await failure(LocalWorkspace.createStack(args)) });
      say({ missing: await failure(LocalWorkspace.selectStack({ ...args, stackName: 'none' })) });
      say({ gone: await failure(stack.workspace.removeStack('none')) });
      const [first, second] = await new Promise((resolve) => {
        let other;
        const waits = LocalWorkspace.createOrSelectStack({ ...args, program: async () => {
          other ??= stack.up().catch((error) => error);
          await other;
        }}).then((again) => again.up()).catch((error) => error);
        waits.then(async (end) => resolve([end, await other]));
      });
      say({ first: first.summary?.result, second: second.name });
    `);
    expect(said).toMatchObject({
      exists: { name: 'StackAlreadyExistsError' },
      missing: { name: 'StackNotFoundError' },
      gone: { name: 'StackNotFoundError' },
      first: 'succeeded',
      second: 'ConcurrentUpdateError',
    });
  });
});

describe('a program in a folder', () => {
  const LOCAL = {
    'Pulumi.yaml': 'name: zoo\nruntime: nodejs\n',
    'index.js': `
      const pulumi = require('@pulumi/pulumi');
      const config = new pulumi.Config();
      if (config.getBoolean('broken')) throw new Error('broken on purpose');
      exports.tree = config.requireObject('tree');
      exports.dry = pulumi.runtime.isDryRun();
    `,
    'package.json': '{"name":"zoo","main":"index.js"}',
  };
  beforeEach(() => {
    box.remove();
    box = sandbox(LOCAL);
    bin = path.join(box.directory, 'bin');
  });
  const OPEN = `const stack = await LocalWorkspace.createStack({ stackName: 'dev', workDir: process.cwd() });`;

  test('configuration by path and in files, operations, state, tags, another name', async () => {
    const said = await drive(`${OPEN}
      await stack.setConfig('tree.leaves[0]', { value: 'green' }, true);
      await stack.setAllConfig({ 'tree.size': { value: '3' }, 'plain': { value: 'x' } }, true);
      say({ leaf: (await stack.getConfig('tree.leaves[0]', true)).value, size: (await stack.getConfig('tree.size', true)).value });
      await stack.removeAllConfig(['plain']);
      say({ keys: Object.keys(await stack.getAllConfig()), nothing: await failure(stack.getConfig('plain')) });
      say({ outputs: (await stack.up()).outputs, dry: (await stack.preview()).changeSummary });
      await stack.setTag('owner', 'web');
      say({ tags: await stack.listTags(), owner: await stack.getTag('owner') });
      await stack.removeTag('owner');
      const state = await stack.exportStack();
      await stack.importStack(state);
      say({ renamed: (await stack.rename({ stackName: 'organization/zoo/prod' })).summary.result });
      const prod = await LocalWorkspace.selectStack({ stackName: 'prod', workDir: process.cwd() });
      say({ names: (await prod.workspace.listStacks()).map(({ name }) => name), user: (await prod.workspace.whoAmI()).url });
      await prod.refreshConfig();
      await prod.cancel();
      say({ destroyed: (await prod.destroy()).summary.kind });
    `);
    expect(said).toMatchObject({
      leaf: 'green',
      size: '3',
      keys: ['zoo:tree'],
      nothing: { name: 'CommandError', message: expect.stringContaining('plain') as string },
      outputs: { tree: { value: { leaves: ['green'], size: 3 } }, dry: { value: false } },
      dry: { same: 1 },
      tags: { owner: 'web' },
      owner: 'web',
      renamed: 'succeeded',
      names: ['prod'],
      user: pathToFileURL(box.state).href,
      destroyed: 'destroy',
    });
  });

  test('an error of it, an executable that is not ours behind the alias, and a signal', async () => {
    const said = await drive(`${OPEN}
      await stack.setConfig('broken', { value: 'true' });
      say({ broken: await failure(stack.up()) });
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 50);
      say({ stopped: await failure(stack.up({ signal: stop.signal })) });
      fs.writeFileSync('bin/pulumi', '#!/bin/sh\\necho 2.0.0\\n');
      say({ old: await failure(LocalWorkspace.create({ workDir: process.cwd() })) });
      fs.writeFileSync('bin/pulumi', '#!/bin/sh\\necho hello\\n');
      say({ strange: await failure(LocalWorkspace.create({ workDir: process.cwd() })) });
    `);
    expect(said).toMatchObject({
      broken: { name: 'CommandError', message: expect.stringContaining('broken on purpose') as string },
      stopped: { name: 'CommandError' },
      old: { message: expect.stringContaining('version') as string },
      strange: { message: expect.stringContaining('version') as string },
    });
  });

  test('each option of each operation is taken; what needs a service is refused', async () => {
    box.write('index.js', 'exports.tree = 1;');
    const URN = 'urn:pulumi:dev::zoo::pulumi:pulumi:Stack::zoo-dev';
    const said = await drive(`${OPEN}
      await stack.setConfig('tree', { value: '1' });
      const events = [];
      const common = {
        color: 'never', logFlow: true, logVerbosity: 3, logToStdErr: true, debug: true, suppressOutputs: true,
        suppressProgress: true, message: 'why', parallel: 2, userAgent: 'me', onOutput: () => {}, onError: () => {},
        onEvent: (event) => events.push(event), configFile: 'Pulumi.dev.yaml', signal: new AbortController().signal,
        tracing: undefined,
      };
      const scope = { target: ['${URN}'], targetDependents: true };
      const left = { exclude: ['urn:pulumi:dev::zoo::**none'], excludeDependents: true };
      const changes = { diff: true, refresh: true, runProgram: true };
      say({ previewed: (await stack.preview({ ...common, ...left, ...changes, expectNoChanges: false, plan: 'plan.json' })).changeSummary });
      say({ up: (await stack.up({ ...common, ...changes, continueOnError: true, plan: 'plan.json', showSecrets: false })).summary.message });
      say({ scoped: (await stack.up({ ...common, ...scope, expectNoChanges: true })).summary.result });
      say({ replaced: (await stack.preview({ ...common, replace: ['${URN}'] })).changeSummary });
      say({ refreshed: (await stack.refresh({ ...common, ...left, expectNoChanges: true, runProgram: true, clearPendingCreates: true, showSecrets: true })).summary.result });
      say({ looked: (await stack.previewRefresh({ ...common, ...scope })).changeSummary });
      say({ pages: (await stack.history(1, 2, false)).length, all: (await stack.workspace.listStacks({ all: true })).length });
      say({ ending: (await stack.previewDestroy({ ...common, ...left, excludeProtected: false, continueOnError: true, refresh: true })).changeSummary });
      say({ destroyed: (await stack.destroy({ ...common, excludeProtected: true, continueOnError: true, refresh: true, remove: false })).summary.result });
      const gone = await LocalWorkspace.createStack({ stackName: 'gone', workDir: process.cwd() });
      await gone.workspace.removeStack('gone', { force: true, preserveConfig: true });
      say({ installed: await stack.workspace.install({ noDependencies: true, noPlugins: true, useLanguageVersionTools: false, reinstall: true }) ?? 'yes' });
      say({ plugins: await stack.workspace.listPlugins(), events: events.length > 0 });
      say({ organisation: await failure(stack.orgGetDefault()), environments: await failure(stack.listEnvironments()) });
    `);
    const service = { name: 'CommandError', message: expect.stringContaining('needs the service') as string };
    expect(said).toMatchObject({
      ...{ previewed: { create: 1 }, up: 'why', scoped: 'succeeded', refreshed: 'succeeded' },
      ...{ pages: 1, all: 1, destroyed: 'succeeded', installed: 'yes', plugins: [], events: true },
      ...{ organisation: service, environments: service },
    });
  });
});
