import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import type { LanguageHost, RunPluginRequest } from '@cairn/wire';
import { startProcess } from '@cairn/processes';
import { buildSync } from 'esbuild';
import { createPluginHost } from '../index.js';
import type { PluginHost } from '../index.js';

let root: string;
let host: PluginHost;
const asked: RunPluginRequest[] = [];
const stack = {
  organization: 'org',
  project: 'proj',
  stack: 'dev',
  dryRun: true,
  config: { 'proj:a': '1' },
  configSecretKeys: ['proj:a'],
  tags: { team: 'web' },
};

/** Runs `pack.mjs` of the directory. */
const nodejs: Partial<LanguageHost> = {
  runPlugin: (request) => {
    asked.push(request);
    const { pluginDirectory, args, env, onOutput } = request;
    const started = startProcess({
      command: process.execPath,
      args: [join(pluginDirectory, 'pack.mjs'), ...args],
      cwd: pluginDirectory,
      env,
      onOutput,
    });
    return {
      exited: started
        .then((group) => group.exit)
        .then((status) => (status.kind === 'code' ? status.code : 1)),
      kill: async () => void (await (await started).stop(1_000)),
    };
  },
};

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cairn-pack-')));
  for (const name of ['pack', 'mute', 'strange', 'newer']) await mkdir(join(root, name));
  buildSync({
    entryPoints: [join(__dirname, '..', 'testdata', 'pack.ts')],
    outfile: join(root, 'pack', 'pack.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['cairn-src'],
    banner: {
      js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);",
    },
  });
  await writeFile(join(root, 'pack', 'PulumiPolicy.yaml'), 'runtime:\n  name: nodejs\nversion: 4.5.6\n');
  await writeFile(join(root, 'strange', 'PulumiPolicy.yaml'), 'runtime: cobol\n');
  await writeFile(
    join(root, 'newer', 'PulumiPolicy.yaml'),
    'runtime: nodejs\nrequiredPulumiVersion: ">=99"\n',
  );
  const script = `#!${process.execPath}\nimport(${JSON.stringify(join(root, 'pack', 'pack.mjs'))})\n`;
  await writeFile(join(root, 'executable'), script);
  await chmod(join(root, 'executable'), 0o755);
});
afterAll(() => rm(root, { recursive: true, force: true }));

beforeEach(() => {
  host = createPluginHost({
    rootDirectory: root,
    programDirectory: root,
    project: 'proj',
    engineAddress: '127.0.0.1:1',
    config: {},
    runtimeOptions: {},
    projectPlugins: [],
    projectPackages: {},
    packageRoots: [],
    bundledDirectories: [],
    environment: { PATH: process.env['PATH'] },
    languageHost: (runtime) => (runtime === 'nodejs' ? (nodejs as LanguageHost) : undefined),
    onMessage: () => undefined,
    limits: { interruptGraceMs: 1_000 },
  });
});
afterEach(() => host.close());

interface Self {
  readonly stack: unknown;
  readonly args: readonly string[];
  readonly pid: number;
  readonly env: Record<string, string>;
}

test.each(['pack', 'executable'])('G: %s is started, told the stack, and gone after close', async (name) => {
  const pack = await host.loadPolicyPack(join(root, name), stack);
  const info = await pack.getAnalyzerInfo();
  expect(info.version).toBe(name === 'pack' ? '4.5.6' : '0.0.1');
  const self = JSON.parse(info.description) as Self;
  expect(self.stack).toEqual(stack);
  expect(self.args).toEqual(['127.0.0.1:1']);
  expect(self.env).toMatchObject({
    PULUMI_ORGANIZATION: 'org',
    PULUMI_NODEJS_STACK: 'dev',
    PULUMI_NODEJS_DRY_RUN: 'true',
    PULUMI_CONFIG: '{"proj:a":"1"}',
  });
  await host.close();
  expect(() => process.kill(self.pid, 0)).toThrow('ESRCH');
});

test('the language host runs a pack as an analyzer, in its own directory [PLUG-10]', async () => {
  asked.length = 0;
  await host.loadPolicyPack(join(root, 'pack'), stack);
  expect(asked[0]).toMatchObject({
    kind: 'analyzer',
    pluginDirectory: join(root, 'pack'),
    workingDirectory: join(root, 'pack'),
  });
});

test.each([
  ['nowhere', 'there is no such directory'],
  ['mute', 'it has no PulumiPolicy.yaml'],
  ['strange', 'no plugin runs the language "cobol"'],
  ['newer', 'it requires a Pulumi version in >=99'],
])('a pack in %s cannot be started', async (name, why) => {
  const error: unknown = await host
    .loadPolicyPack(join(root, name), stack)
    .catch((thrown: unknown) => thrown);
  expect(isCairnError(error) && error.diagnostics[0]).toMatchObject({ code: 'CAIRN-POLICY-PACK' });
  expect(isCairnError(error) && error.message).toContain(why);
});
