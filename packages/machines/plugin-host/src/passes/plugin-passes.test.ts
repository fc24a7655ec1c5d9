import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asUrn, UNKNOWN_ID } from '@cairn/addresses';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { PluginSpec, Provider } from '@cairn/wire';
import { buildSync } from 'esbuild';
import { createPluginPasses, KEPT_MS } from './plugin-passes.js';
import type { PluginPasses } from './plugin-passes.js';

const urn = asUrn('urn:pulumi:dev::proj::pulumi:providers:test::p');
const identity = { urn, name: 'p', type: 'pulumi:providers:test' };
const thing = {
  urn: asUrn('urn:pulumi:dev::proj::test:index:Item::one'),
  name: 'one',
  type: 'test:index:Item',
};

let root: string;
let clock: number;
let passes: PluginPasses;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cairn-passes-')));
  buildSync({
    entryPoints: [join(__dirname, '..', 'testdata', 'good.ts')],
    outfile: join(root, 'good.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['cairn-src'],
    banner: {
      js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);",
    },
  });
  const path = join(root, 'pulumi-resource-test');
  await writeFile(path, `#!${process.execPath}\nimport(${JSON.stringify(join(root, 'good.mjs'))})\n`);
  await chmod(path, 0o755);
});
afterAll(() => rm(root, { recursive: true, force: true }));

beforeEach(() => {
  clock = 0;
  passes = createPluginPasses(
    {
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
      languageHost: () => undefined,
      onMessage: () => undefined,
      environment: {
        PATH: `${root}:${dirname(process.execPath)}:/usr/bin:/bin`,
        CAIRN_HOME: join(root, 'home'),
        PULUMI_HOME: join(root, 'home'),
      },
    },
    () => clock,
  );
});
afterEach(() => passes.close());

function spec(changes: Partial<PluginSpec> = {}): PluginSpec {
  return {
    package: 'test',
    version: undefined,
    downloadUrl: undefined,
    checksums: {},
    parameterization: undefined,
    envVarMappings: {},
    neededBy: urn,
    ...changes,
  };
}

const processOf = async (provider: Provider): Promise<number> =>
  (JSON.parse(await provider.getSchema({ version: 0 })) as { pid: number }).pid;

/** Runs a pass that gives a provider settings and makes a call. Returns the process that has served. */
async function pass(
  inputs: PropertyMap,
  {
    id = 'known',
    asks = async () => {},
  }: { id?: string; asks?: (provider: Provider) => Promise<unknown> } = {},
): Promise<number> {
  const provider = await passes.load(spec());
  await provider.checkConfig({ ...identity, olds: undefined, news: inputs });
  await provider.configure({ ...identity, id, inputs });
  const pid = await processOf(provider);
  await asks(provider);
  await provider.close();
  await passes.endPass();
  return pid;
}

const invoke = (provider: Provider) =>
  provider.invoke({ token: 'test:index:f', args: emptyMap, preview: true });

test('a process that was given the settings of now serves the next pass [PLUG-12]', async () => {
  const first = await pass({ region: 'eu' }, { asks: invoke });
  expect(passes.processes).toBe(1);
  expect(await pass({ region: 'eu' }, { asks: invoke })).toBe(first);
});

test.each<[string, Parameters<typeof pass>[1] & { before?: PropertyMap; wait?: number }]>([
  ['its settings are others', { before: { region: 'us' } }],
  ['its id was not known', { id: UNKNOWN_ID }],
  ['it is too old', { wait: KEPT_MS + 1 }],
  ['the clock was put back', { wait: -1 }],
  [
    'it has failed',
    {
      asks: (one) =>
        one
          .read({ ...thing, id: 'a', inputs: undefined, state: undefined, timeoutSeconds: 0 })
          .catch(() => undefined),
    },
  ],
  ['it has made a component', { asks: (one) => one.construct({} as never).catch(() => undefined) }],
  ['it was asked to give up', { asks: (one) => one.cancel() }],
])('another process serves the next pass when %s [PLUG-12]', async (_, { before, wait = 0, ...how }) => {
  const first = await pass(before ?? { region: 'eu' }, how);
  clock += wait;
  const second = await pass({ region: 'eu' });
  expect(second).not.toBe(first);
  expect(passes.processes).toBe(1);
  expect(() => process.kill(first, 0)).toThrow(/ESRCH/);
});

test('a process that has ended between the passes is not asked [PLUG-12]', async () => {
  const first = await pass({ region: 'eu' });
  process.kill(first, 'SIGKILL');
  while (passes.processes > 0 && alive(first)) await sleep(5);
  await sleep(50);
  expect(await pass({ region: 'eu' })).not.toBe(first);
});

test('whoever asks something before it is configured gets a new process, and keeps it [PLUG-12]', async () => {
  const first = await pass({ region: 'eu' });
  const provider = await passes.load(spec());
  const second = await processOf(provider);
  expect(second).not.toBe(first);
  await provider.configure({ ...identity, id: 'known', inputs: { region: 'eu' } });
  expect(await processOf(provider)).toBe(second);
});

test('plugins of other packages, for other resources and with other parameters are not taken [PLUG-12]', async () => {
  const first = await pass({});
  for (const other of [spec({ neededBy: thing.urn }), spec({ envVarMappings: { A: 'B' } })]) {
    const provider = await passes.load(other);
    await provider.configure({ ...identity, id: 'known', inputs: {} });
    expect(await processOf(provider)).not.toBe(first);
  }
});

test('what no pass has taken ends with the next one, and everything with the operation [PLUG-12]', async () => {
  const first = await pass({ region: 'eu' });
  expect(alive(first)).toBe(true);
  await passes.endPass();
  expect(alive(first)).toBe(false);
  const second = await pass({ region: 'eu' });
  await passes.close();
  expect(alive(second)).toBe(false);
  expect(passes.processes).toBe(0);
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
