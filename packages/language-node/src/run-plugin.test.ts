import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import type { RunPluginRequest } from '@cairn/wire';
import { createNodeLanguageHost } from './index.js';
import { pluginCommand } from './plugin-command.js';

const SDK = resolve(__dirname, '../../../node_modules/@pulumi/pulumi');
let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cairn-run-plugin-')));
  await mkdir(join(root, 'node_modules', '@pulumi'), { recursive: true });
  await symlink(SDK, join(root, 'node_modules', '@pulumi', 'pulumi'));
  await writeFile(join(root, 'package.json'), '{"name":"plugin","main":"index.js"}');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const request = (changes: Partial<RunPluginRequest> = {}): RunPluginRequest => ({
  kind: 'resource',
  pluginDirectory: root,
  workingDirectory: tmpdir(),
  args: ['127.0.0.1:1'],
  env: { PATH: process.env['PATH'] ?? '' },
  onOutput: () => undefined,
  ...changes,
});

test('C7: a provider gets its directory first, a policy pack last and as working directory', () => {
  expect(pluginCommand(request())).toEqual({
    args: [join(SDK, 'cmd/run-plugin/index.js'), root, '127.0.0.1:1'],
    cwd: tmpdir(),
  });
  expect(pluginCommand(request({ kind: 'analyzer' }))).toEqual({
    args: [join(SDK, 'cmd/run-policy-pack/index.js'), '127.0.0.1:1', root],
    cwd: root,
  });
  expect(pluginCommand(request({ env: { PULUMI_LANGUAGE_NODEJS_RUN_PATH: '/run.js' } })).args[0]).toBe(
    '/run.js',
  );
});

test('C7: a plugin runs on its own SDK; its output and exit code arrive', async () => {
  await writeFile(
    join(root, 'index.js'),
    'console.log("port", process.cwd()); console.error("log"); process.exitCode = 5;',
  );
  const output = { stdout: '', stderr: '' };
  const host = createNodeLanguageHost({ environment: process.env });
  const running = host.runPlugin(request({ onOutput: (stream, text) => void (output[stream] += text) }));
  expect(await running.exited).toBe(5);
  expect(output).toEqual({ stdout: `port ${await realpath(tmpdir())}\n`, stderr: 'log\n' });
});

test('closing the host ends its plugins', async () => {
  await writeFile(join(root, 'index.js'), 'setInterval(() => 0, 1000); console.log(process.pid);');
  const host = createNodeLanguageHost({ environment: process.env, interruptGraceMs: 2_000 });
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
  const running = createNodeLanguageHost({ environment: process.env }).runPlugin(request());
  const error: unknown = await running.exited.catch((thrown: unknown) => thrown);
  expect(isCairnError(error) && error.diagnostics[0]).toMatchObject({
    code: 'CAIRN-PLUGIN-START',
    hint: `run \`npm install\` in ${root}`,
  });
});
