import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { asUrn } from '@cairn/addresses';
import { emptyMap } from '@cairn/values';
import type { LanguageHost, PluginSpec, Provider } from '@cairn/wire';
import { startProcess } from '@cairn/processes';
import { buildSync } from 'esbuild';
import { createPluginHost } from './index.js';
import type { PluginHost, PluginHostOptions, PluginMessage } from './index.js';

const urn = asUrn('urn:pulumi:dev::proj::test:index:Item::one');
const identity = { urn, name: 'one', type: 'test:index:Item' };

let built: string;
let root: string;
let bin: string;
let messages: PluginMessage[];
const hosts: PluginHost[] = [];

beforeAll(async () => {
  built = await realpath(await mkdtemp(join(tmpdir(), 'cairn-plugin-built-')));
  buildSync({
    entryPoints: [join(__dirname, 'testdata', 'good.ts')],
    outfile: join(built, 'good.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['cairn-src'],
    banner: {
      js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);",
    },
  });
});
afterAll(() => rm(built, { recursive: true, force: true }));

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cairn-plugin-')));
  bin = join(root, 'bin');
  await mkdir(bin);
  messages = [];
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
  await rm(root, { recursive: true, force: true });
});

/** Installs a plugin whose executable runs the given script. */
async function install(script: string, directory = bin, name = 'test'): Promise<void> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, `pulumi-resource-${name}`);
  await writeFile(path, `#!${process.execPath}\n${script}\n`);
  await chmod(path, 0o755);
}

const good = (): string => `import(${JSON.stringify(join(built, 'good.mjs'))})`;

function hostWith(changes: Partial<PluginHostOptions> = {}): PluginHost {
  const host = createPluginHost({
    rootDirectory: root,
    programDirectory: root,
    project: 'proj',
    engineAddress: () => '127.0.0.1:1',
    config: { 'test:region': 'eu', 'other:key': 'no' },
    runtimeOptions: { nodeargs: '--x', typescript: true },
    projectPlugins: [],
    projectPackages: {},
    packageRoots: [],
    bundledDirectories: [],
    languageHost: () => undefined,
    onMessage: (message) => messages.push(message),
    ...changes,
    environment: {
      PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
      CAIRN_HOME: join(root, 'home'),
      PULUMI_HOME: join(root, 'pulumi-home'),
      ...changes.environment,
    },
    limits: { interruptGraceMs: 2_000, ...changes.limits },
  });
  hosts.push(host);
  return host;
}

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

interface Self {
  readonly pid: number;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly handshake: Record<string, unknown>;
}

const selfOf = async (provider: Provider): Promise<Self> =>
  JSON.parse(await provider.getSchema({ version: 0 })) as Self;

async function failureOf(work: Promise<unknown>): Promise<CairnError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(isCairnError(error)).toBe(true);
  return error as CairnError;
}

/** Returns true if a process runs. A zombie, which only waits for its parent, does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const create = { ...identity, inputs: emptyMap, timeoutSeconds: 0, preview: false };

test('a plugin on the PATH is launched, greeted and told what a plugin is told [PLUG-7]', async () => {
  await install(good());
  const schemaAddresses = () => ({ loader: '127.0.0.1:2', mapper: '127.0.0.1:3', resolver: '127.0.0.1:4' });
  const host = hostWith({ environment: { FROM: 'mapped' }, schemaAddresses });
  const provider = await host.load(spec({ envVarMappings: { FROM: 'TO', ABSENT: 'NOT' } }));
  const self = await selfOf(provider);
  expect(self).toMatchObject({
    cwd: root,
    args: ['127.0.0.1:1'],
    handshake: {
      engineAddress: '127.0.0.1:1',
      rootDirectory: bin,
      programDirectory: bin,
      loaderAddress: '127.0.0.1:2',
      mapperAddress: '127.0.0.1:3',
      resolverAddress: '127.0.0.1:4',
    },
  });
  expect(self.env).toMatchObject({
    PULUMI_PROJECT: 'proj',
    PULUMI_CONFIG: '{"region":"eu"}',
    PULUMI_RUNTIME_NODEARGS: '--x',
    PULUMI_RUNTIME_TYPESCRIPT: 'true',
    TO: 'mapped',
  });
  expect(self.env).not.toHaveProperty('NOT');
  expect(self.env).not.toHaveProperty('PULUMI_NODEJS_PROJECT');
  expect(messages).toContainEqual(
    expect.objectContaining({ severity: 'warning', text: `using ${bin}/pulumi-resource-test from the PATH` }),
  );
});

test('every load has a process of its own, and close leaves none', async () => {
  await install(good());
  const host = hostWith();
  const pids = await Promise.all([host.load(spec()), host.load(spec())]).then((both) =>
    Promise.all(both.map(async (provider) => (await selfOf(provider)).pid)),
  );
  expect(new Set(pids).size).toBe(2);
  await host.close();
  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(messages.filter((message) => message.severity === 'error')).toEqual([]);
});

test('closing one instance ends its process only; closing twice is nothing', async () => {
  await install(good());
  const host = hostWith();
  const [one, two] = await Promise.all([host.load(spec()), host.load(spec())]);
  const { pid } = await selfOf(one);
  await one.close();
  await one.close();
  expect(isAlive(pid)).toBe(false);
  expect(isAlive((await selfOf(two)).pid)).toBe(true);
});

test('a plugin that ignores the interrupt is killed after the grace time', async () => {
  await install(good());
  const host = hostWith({ environment: { TEST_IGNORE_SIGINT: '1' }, limits: { interruptGraceMs: 20 } });
  const { pid } = await selfOf(await host.load(spec()));
  await host.close();
  expect(isAlive(pid)).toBe(false);
});

test('a kill leaves nothing, and waits for no plugin that ignores the interrupt', async () => {
  await install(good());
  const host = hostWith({ environment: { TEST_IGNORE_SIGINT: '1' }, limits: { interruptGraceMs: 60_000 } });
  const { pid } = await selfOf(await host.load(spec()));
  expect(host.processes).toBe(1);
  await host.kill();
  expect([host.processes, isAlive(pid)]).toEqual([0, false]);
});

test('lines of the plugin are relayed at debug level, by stream', async () => {
  await install(good());
  const host = hostWith();
  await host.load(spec());
  await host.close();
  expect(messages).toContainEqual(
    expect.objectContaining({ severity: 'debug', plugin: 'test', text: 'a line after the port' }),
  );
});

test('a plugin that dies during a call: what, how, its last words, and the object is in doubt', async () => {
  await install(good());
  const host = hostWith();
  const provider = await host.load(spec());
  const error = await failureOf(provider.create(create));
  expect(error).toMatchObject({ code: 'UNKNOWN', inDoubt: true });
  expect(error.diagnostics).toEqual([
    expect.objectContaining({
      code: 'CAIRN-PLUGIN-DIED',
      urn,
      summary: 'the provider plugin test ended with signal SIGKILL during create',
      causes: expect.arrayContaining(['about to give up']) as unknown,
    }),
  ]);
  const after = await failureOf(
    provider.check({
      ...identity,
      olds: undefined,
      news: emptyMap,
      randomSeed: new Uint8Array(32),
      allowUnknowns: false,
    }),
  );
  expect(after).toMatchObject({ code: 'UNAVAILABLE', inDoubt: false });
  expect(after.diagnostics[0]?.summary).toBe(
    'cannot call check: the provider plugin test has ended with signal SIGKILL',
  );
});

test("an error of the provider about an outage stays the provider's", async () => {
  await install(good());
  const host = hostWith({ limits: { exitNewsMs: 1 } });
  const provider = await host.load(spec());
  const read = provider.read({
    ...identity,
    id: '1',
    inputs: undefined,
    state: undefined,
    timeoutSeconds: 0,
  });
  await expect(read).rejects.toMatchObject({ code: 'UNAVAILABLE', message: 'the cloud is down' });
});

describe('plugins that do not start', () => {
  const keepAlive = 'setInterval(() => 0, 1000)';
  test.each([
    [
      'prints junk',
      `console.log("hello world"); ${keepAlive}`,
      'it wrote "hello world" where its port was expected',
      {},
    ],
    [
      'prints a port that is none',
      `console.log("70000"); ${keepAlive}`,
      'it wrote "70000" where its port was expected',
      {},
    ],
    [
      'dies at once',
      'console.error("no licence"); process.exit(3)',
      'it ended with exit code 3 before it printed its address',
      {},
    ],
    ['says nothing', keepAlive, 'it did not print its address within 0.3 s', { portMs: 300 }],
    [
      'prints its port and never answers',
      'require("net").createServer(() => 0).listen(0, "127.0.0.1", function () { console.log(this.address().port) })',
      'the plugin test did not answer its first call within 0.3 s',
      { readyMs: 300 },
    ],
    [
      'prints a port where nobody listens',
      `console.log("1"); ${keepAlive}`,
      'the plugin test did not answer its first call within 0.3 s',
      { readyMs: 300 },
    ],
  ])('%s', async (_, script, why, limits) => {
    await install(`console.error("pid " + process.pid); ${script}`);
    const host = hostWith({ limits });
    const error = await failureOf(host.load(spec()));
    const [diagnostic] = error.diagnostics;
    expect(diagnostic).toMatchObject({
      code: 'CAIRN-PLUGIN-START',
      urn,
      summary: 'cannot start the provider plugin test',
    });
    expect(diagnostic?.causes?.[0]).toBe(why);
    const pid = Number(
      /pid (\d+)/.exec(diagnostic?.causes?.join('\n') ?? '')?.[1] ??
        /pid (\d+)/.exec(messages.map((m) => m.text).join('\n'))?.[1],
    );
    expect(isAlive(pid)).toBe(false);
  });

  test('the last output is part of the error', async () => {
    await install('console.error("no licence"); process.exit(3)');
    const error = await failureOf(hostWith().load(spec()));
    expect(error.diagnostics[0]?.causes).toContain('no licence');
  });

  test('one without open files left is an error that names the limit', async () => {
    await install('console.error("Error: EMFILE: too many open files, open x.js"); process.exit(1)');
    const error = await failureOf(hostWith().load(spec()));
    expect(error.diagnostics[0]).toMatchObject({
      code: 'CAIRN-DESCRIPTORS',
      summary: 'cannot start the provider plugin test',
      hint: expect.stringContaining('ulimit -n'),
    });
  });

  test('a host that closes gives up a plugin that is starting', async () => {
    await install(keepAlive);
    const host = hostWith();
    const loading = failureOf(host.load(spec()));
    await host.close();
    expect((await loading).diagnostics[0]?.causes?.[0] ?? '').toMatch(/the operation is ending/);
  });
});

test('a plugin in progress escapes and blanks around the port still starts', async () => {
  await install(`process.stdout.write("\\u001b]9;4;3;\\u001b\\\\ "); ${good()}`);
  await expect(hostWith().load(spec())).resolves.toBeDefined();
});

test.each([
  ['2.0.0', '1.0.0', 'version 2.0.0 of test was requested; the plugin is 1.0.0'],
  ['2.0.0', '', 'version 2.0.0 of test was requested; the plugin does not report its version'],
])('version %s asked, %j found: a warning', async (version, found, text) => {
  await install(good());
  const host = hostWith({ environment: { TEST_VERSION: found } });
  await host.load(spec({ version }));
  expect(messages).toContainEqual(expect.objectContaining({ severity: 'warning', text }));
});

test('a plugin from a git repository need not know its version: no warning', async () => {
  await install(good());
  const host = hostWith({ environment: { TEST_VERSION: '1.0.0' } });
  await host.load(spec({ version: '2.0.0', downloadUrl: 'git://git.example.com/acme/kit' }));
  expect(messages.map(({ text }) => text).join()).not.toContain('was asked for');
});

const parameterization = {
  name: 'derived',
  version: '1.2.3',
  value: new Uint8Array([1]),
  basePlugin: 'test',
};

test('a parameterized package runs its base plugin and is parameterized', async () => {
  await install(good());
  await expect(hostWith().load(spec({ package: 'derived', parameterization }))).resolves.toBeDefined();
});

test('a plugin that becomes another package than asked for is refused', async () => {
  await install(good());
  const host = hostWith({ environment: { TEST_BECOMES: 'stranger' } });
  const error = await failureOf(host.load(spec({ package: 'derived', parameterization })));
  expect(error.diagnostics[0]?.summary).toBe(
    'the plugin test became the package stranger instead of derived',
  );
});

describe('a plugin that already runs', () => {
  async function runningPlugin(
    env: Record<string, string>,
  ): Promise<{ port: string; stop: () => Promise<unknown>; alive: () => boolean }> {
    let tell: (text: string) => void = () => undefined;
    const told = new Promise<string>((resolve) => (tell = resolve));
    const group = await startProcess({
      command: process.execPath,
      args: [join(built, 'good.mjs')],
      cwd: root,
      env: { ...process.env, ...env },
      onOutput: (_, text) => tell(text),
    });
    const port = (await told).split('\n')[0] ?? '';
    return { port, stop: () => group.stop(1_000), alive: () => isAlive(group.pid) };
  }

  test.each([
    ['PULUMI_DEBUG_PROVIDERS', {}],
    ['CAIRN_DEBUG_PROVIDERS', { PULUMI_DEBUG_PROVIDERS: 'test:1' }],
  ])("is attached to through %s, told the engine's address, and left running", async (variable, others) => {
    const plugin = await runningPlugin({ TEST_ATTACHABLE: '1' });
    const host = hostWith({ environment: { ...others, [variable]: `other:2, test:${plugin.port}` } });
    const { handshake } = await selfOf(await host.load(spec()));
    expect(handshake).toEqual({
      engineAddress: '127.0.0.1:1',
      invokeWithPreview: true,
      attached: '127.0.0.1:1',
    });
    await host.close();
    expect(plugin.alive()).toBe(true);
    await plugin.stop();
  });

  test('fails the load when it cannot be attached to', async () => {
    const plugin = await runningPlugin({});
    const host = hostWith({ environment: { PULUMI_DEBUG_PROVIDERS: `test:${plugin.port}` } });
    expect((await failureOf(host.load(spec()))).diagnostics[0]).toMatchObject({ code: 'CAIRN-PLUGIN-START' });
    await plugin.stop();
  });

  test('that cannot be read from the list is a usage error', () => {
    expect(() => hostWith({ environment: { PULUMI_DEBUG_PROVIDERS: 'test' } })).toThrow('cannot read "test"');
  });
});

describe('provider packages of our own', () => {
  async function installPackage(): Promise<string> {
    const directory = join(root, 'node_modules', '@x', 'provider-thing');
    await mkdir(join(directory, 'dist'), { recursive: true });
    await writeFile(
      join(root, 'package.json'),
      '{"dependencies": {"@x/provider-thing": "*", "absent": "*"}}',
    );
    await writeFile(
      join(directory, 'package.json'),
      JSON.stringify({
        name: '@x/provider-thing',
        version: '1.0.0',
        bin: { 'pulumi-resource-thing': './dist/main.mjs' },
        cairn: { provider: { name: 'thing', module: './dist/provider.js' } },
      }),
    );
    await writeFile(join(directory, 'dist', 'main.mjs'), good());
    return join(directory, 'dist', 'provider.js');
  }
  const thing = spec({ package: 'thing' });

  test("run in this process, told the program's directory, closed with the host", async () => {
    const module = await installPackage();
    const calls: unknown[] = [];
    const inner = {
      handshake: async (request: unknown) => void calls.push(request),
      getPluginInfo: async () => ({ version: '1.0.0' }),
      getSchema: async () => '{}',
      close: async () => void calls.push('close'),
    } as unknown as Provider;
    const keptAnswers = async () => undefined;
    const host = hostWith({
      importModule: async (path) => (path === module ? { default: () => inner } : undefined),
      keptAnswers,
    });
    const provider = await host.load(thing);
    expect(await provider.getSchema({ version: 0 })).toBe('{}');
    await host.close();
    expect(calls).toEqual([
      { engineAddress: '127.0.0.1:1', rootDirectory: root, programDirectory: root, keptAnswers },
      'close',
    ]);
  });

  test('run as a process when the environment asks for it', async () => {
    await installPackage();
    const provider = await hostWith({ environment: { CAIRN_PROVIDERS_OUT_OF_PROCESS: '1' } }).load(thing);
    expect((await selfOf(provider)).pid).not.toBe(process.pid);
  });

  test("are found from the command line's own directory too", async () => {
    await installPackage();
    const elsewhere = await mkdtemp(join(tmpdir(), 'cairn-elsewhere-'));
    const host = hostWith({
      programDirectory: elsewhere,
      packageRoots: [root],
      environment: { CAIRN_PROVIDERS_OUT_OF_PROCESS: '1' },
    });
    await expect(host.load(thing)).resolves.toBeDefined();
    await host.close();
    await rm(elsewhere, { recursive: true });
  });

  test.each([
    ['does not load', async () => Promise.reject(new Error('boom')), /@x\/provider-thing: boom/],
    ['exports nothing to call', async () => ({}), /has no function as its default export/],
  ])("a module that %s is the package's fault", async (_, importModule, why) => {
    await installPackage();
    const error = await failureOf(hostWith({ importModule }).load(thing));
    expect(error.diagnostics[0]?.causes?.[0]).toMatch(why);
  });
});

/** Returns a language that runs a plugin after a delay, like one that compiles it first. It notes its requests. */
function language(requests: unknown[], afterMs = 0): LanguageHost {
  return {
    runPlugin: (request: Parameters<LanguageHost['runPlugin']>[0]) => {
      requests.push({
        kind: request.kind,
        pluginDirectory: request.pluginDirectory,
        workingDirectory: request.workingDirectory,
        args: request.args,
      });
      const started = new Promise((resolve) => setTimeout(resolve, afterMs)).then(() =>
        startProcess({
          command: process.execPath,
          args: [join(built, 'good.mjs')],
          cwd: root,
          env: request.env,
          onOutput: request.onOutput,
        }),
      );
      return {
        exited: started
          .then((group) => group.exit)
          .then((status) => (status.kind === 'code' ? status.code : 1)),
        kill: () => started.then((group) => group.stop(1_000)).then(() => undefined),
      };
    },
  } as unknown as LanguageHost;
}

test('a directory with PulumiPlugin.yaml is run by the language host of its runtime', async () => {
  const directory = join(root, 'plugin');
  await mkdir(directory);
  await writeFile(join(directory, 'PulumiPlugin.yaml'), 'runtime: nodejs\n');
  const requests: unknown[] = [];
  const languageHost = language(requests);
  const host = hostWith({
    projectPlugins: [{ name: 'test', path: 'plugin', version: undefined }],
    languageHost: (runtime) => (runtime === 'nodejs' ? languageHost : undefined),
  });
  const provider = await host.load(spec());
  expect(requests).toEqual([
    { kind: 'resource', pluginDirectory: directory, workingDirectory: root, args: ['127.0.0.1:1'] },
  ]);
  expect((await selfOf(provider)).handshake).toMatchObject({
    rootDirectory: directory,
    programDirectory: directory,
  });
  const { pid } = await selfOf(provider);
  await host.close();
  expect(isAlive(pid)).toBe(false);
});

test.each([
  ['the plugin of an operation', {}, ['test'], true],
  ['one that is only asked about its package', { forQuestions: true }, ['test'], false],
  ['another one', {}, ['other'], false],
])('a debugger is waited for by %s', async (_, wanted, debugged, waits) => {
  await mkdir(join(root, 'plugin'));
  await writeFile(join(root, 'plugin', 'PulumiPlugin.yaml'), 'runtime: nodejs\n');
  const asked: unknown[] = [];
  const inner = language([]);
  const host = hostWith({
    projectPlugins: [{ name: 'test', path: 'plugin', version: undefined }],
    languageHost: () => ({
      ...inner,
      runPlugin: (request) => {
        asked.push(request.attachDebugger);
        return inner.runPlugin(request);
      },
    }),
    observed: { debugs: (plugin) => debugged.includes(plugin) },
  });
  await host.load({ ...spec(), ...wanted });
  await host.close();
  expect(asked).toEqual([waits]);
});

test('a directory whose language compiles it first has longer to start; the user is told', async () => {
  const directory = join(root, 'plugin');
  await mkdir(directory);
  await writeFile(join(directory, 'PulumiPlugin.yaml'), 'runtime: go\n');
  const slow = (sourcePortMs: number) =>
    hostWith({
      projectPlugins: [{ name: 'test', path: 'plugin', version: undefined }],
      languageHost: () => language([], 600),
      limits: { portMs: 200, sourcePortMs },
    }).load(spec());
  expect((await selfOf(await slow(30_000))).handshake).toMatchObject({ rootDirectory: directory });
  expect(messages).toContainEqual(
    expect.objectContaining({
      severity: 'info',
      text: expect.stringContaining('not started yet after 0.2 s') as unknown,
    }),
  );
  const [diagnostic] = (await failureOf(slow(300))).diagnostics;
  expect(diagnostic?.causes).toContain('it did not print its address within 0.3 s');
});

test.each([
  [
    'a runtime nobody runs',
    'runtime: cobol\n',
    'cannot start the provider plugin test: no plugin runs the language "cobol"',
  ],
  ['no runtime', 'name: x\n', 'cannot start the provider plugin test'],
  [
    'a newer engine',
    'runtime: nodejs\nrequiredPulumiVersion: ">=99"\n',
    'cannot start the provider plugin test',
  ],
])('a manifest that asks for %s is refused', async (_, manifest, summary) => {
  const directory = join(root, 'plugin');
  await mkdir(directory);
  await writeFile(join(directory, 'PulumiPlugin.yaml'), manifest);
  const host = hostWith({ projectPlugins: [{ name: 'test', path: 'plugin', version: undefined }] });
  expect((await failureOf(host.load(spec()))).diagnostics[0]?.summary).toBe(summary);
});
