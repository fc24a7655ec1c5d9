import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import type { RunPluginRequest } from '@cairn/wire';
import { createNodeLanguageHost } from './index.js';
import type { NodeLanguageHostOptions } from './index.js';
import { pluginCommand } from './plugin-command.js';
import { builtLoader } from './testdata/built-loader.js';

const SDK = resolve(__dirname, '../../../../node_modules/@pulumi/pulumi');
let loader: string;
let root: string;

beforeAll(() => (loader = builtLoader()));
afterAll(() => rm(loader, { recursive: true, force: true }));
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cairn-run-plugin-')));
  await mkdir(join(root, 'node_modules', '@pulumi'), { recursive: true });
  await symlink(SDK, join(root, 'node_modules', '@pulumi', 'pulumi'));
  await writeFile(join(root, 'package.json'), '{"name":"plugin","main":"index.js"}');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const hostOf = (options: Partial<NodeLanguageHostOptions> = {}) =>
  createNodeLanguageHost({
    environment: { ...process.env, CAIRN_HOME: join(root, 'home') },
    loader: join(loader, 'register.js'),
    ...options,
  });

const request = (changes: Partial<RunPluginRequest> = {}): RunPluginRequest => ({
  kind: 'resource',
  pluginDirectory: root,
  workingDirectory: tmpdir(),
  args: ['127.0.0.1:1'],
  env: { PATH: process.env['PATH'] ?? '' },
  onOutput: () => undefined,
  ...changes,
});

/** Replaces the loader of a provider that a runner runs. */
const loaderOf = (runner: string) => ({ args: ['--import', 'loader'], env: { FOR: runner } });

test('a provider gets its directory first, a policy pack last and as working directory [PLUG-10]', () => {
  const runner = join(SDK, 'cmd/run-plugin/index.js');
  expect(pluginCommand(request(), loaderOf)).toEqual({
    args: ['--import', 'loader', runner, root, '127.0.0.1:1'],
    env: { FOR: runner },
    cwd: tmpdir(),
  });
  expect(pluginCommand(request({ kind: 'analyzer' }), loaderOf)).toEqual({
    args: [join(SDK, 'cmd/run-policy-pack/index.js'), '127.0.0.1:1', root],
    env: {},
    cwd: root,
  });
  const replaced = request({ env: { PULUMI_LANGUAGE_NODEJS_RUN_PATH: '/run.js' } });
  expect(pluginCommand(replaced, loaderOf).args[2]).toBe('/run.js');
});

test.each([
  ['its command', { bin: { other: 'no.js', 'pulumi-resource-own': 'bin/plugin.js' } }, 'bin/plugin.js'],
  ['its entry', { main: 'start.ts' }, 'start.ts'],
  ['its index', {}, 'index.ts'],
])('a provider on our SDK for providers serves itself: %s [PLUG-10]', async (_what, manifest, file) => {
  const dependencies = { '@cairn/provider-sdk': '*' };
  await writeFile(join(root, 'package.json'), JSON.stringify({ name: 'own', dependencies, ...manifest }));
  await mkdir(join(root, 'bin'));
  const said = 'const args: readonly string[] = process.argv.slice(2); console.log(...args, process.cwd());';
  await writeFile(join(root, file), file.endsWith('.ts') ? said : said.replace(': readonly string[]', ''));
  expect(pluginCommand(request(), loaderOf)).toEqual({
    args: ['--enable-source-maps', '--import', 'loader', join(root, file), '127.0.0.1:1'],
    env: { FOR: join(root, file) },
    cwd: tmpdir(),
  });
  let output = '';
  const running = hostOf().runPlugin(request({ onOutput: (_, text) => void (output += text) }));
  expect({ code: await running.exited, output }).toEqual({
    code: 0,
    output: `127.0.0.1:1 ${await realpath(tmpdir())}\n`,
  });
});

test('a plugin runs on its own SDK; its output and exit code arrive [PLUG-10]', async () => {
  await writeFile(
    join(root, 'index.js'),
    'console.log("port", process.cwd()); console.error("log"); process.exitCode = 5;',
  );
  const output = { stdout: '', stderr: '' };
  const host = hostOf();
  const running = host.runPlugin(request({ onOutput: (stream, text) => void (output[stream] += text) }));
  expect(await running.exited).toBe(5);
  expect(output).toEqual({ stdout: `port ${await realpath(tmpdir())}\n`, stderr: 'log\n' });
});

test.each(['commonjs', 'module'])(
  'sources of a plugin, %s, are compiled here, under no tsconfig',
  async (type) => {
    const asks = JSON.stringify({ compilerOptions: { target: 'ES2022', module: 'nodenext' } });
    const started = join(root, 'program');
    await mkdir(started);
    await writeFile(join(started, 'tsconfig.json'), asks);
    await writeFile(join(root, 'tsconfig.json'), asks);
    await writeFile(join(root, 'package.json'), JSON.stringify({ name: 'plugin', main: 'index.ts', type }));
    await writeFile(
      join(root, 'index.ts'),
      `class Base { constructor() { Object.assign(this, { declared: 'kept' }); } }
     export class Made extends Base { readonly declared!: string; }
     const notChecked: number = 'text';
     console.log(JSON.stringify([new Made().declared, notChecked]));`,
    );
    let said = '';
    const running = hostOf().runPlugin(
      request({ workingDirectory: started, onOutput: (_, text) => void (said += text) }),
    );
    expect({ code: await running.exited, said }).toEqual({ code: 0, said: '["kept","text"]\n' });
  },
);

test('closing the host ends its plugins', async () => {
  await writeFile(join(root, 'index.js'), 'setInterval(() => 0, 1000); console.log(process.pid);');
  const host = hostOf({ interruptGraceMs: 2_000 });
  let pid = 0;
  await new Promise<void>((up) => {
    host.runPlugin(
      request({
        onOutput: (_, text) => {
          pid = Number(text);
          up();
        },
      }),
    );
  });
  await host.close();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test('a plugin whose SDK is not installed says so', async () => {
  await rm(join(root, 'node_modules'), { recursive: true });
  const running = hostOf().runPlugin(request());
  const error: unknown = await running.exited.catch((thrown: unknown) => thrown);
  expect(isCairnError(error) && error.diagnostics[0]).toMatchObject({
    code: 'CAIRN-PLUGIN-START',
    hint: `Run \`npm install\` in ${root}.`,
  });
});
