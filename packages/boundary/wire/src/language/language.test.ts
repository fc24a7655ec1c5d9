import { TRANSPORTS, withLoopback } from '../../test/loopback.js';
import type {
  LanguageHost,
  LanguagePackages,
  RunPluginRequest,
  RunRequest,
  RunResult,
} from '../contracts/language.js';
import * as pb from '../generated/pulumi/language.js';
import { PackageDependency } from '../generated/pulumi/plugin.js';
import { callStream, serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';
import { service } from '../rpc/service.js';
import { encodeProgramInfo } from './program-info.js';
import { LanguageClient } from './client.js';
import { languageService } from './server.js';

const info = {
  rootDirectory: '/p',
  programDirectory: '/p/src',
  entryPoint: 'index.ts',
  options: { typescript: false, nodeargs: '--x', nested: [1, { a: null }] },
};
const options = { engineAddress: 'engine:1', onOutput: () => {} };
const required = {
  name: 'aws',
  version: '6.0.0',
  server: 'https://s',
  parameterization: { name: 'p', version: '1.0.0', value: Buffer.from('v') },
};

function host(overrides: Partial<LanguageHost>): LanguageHost {
  const unexpected = async (): Promise<never> => {
    throw new Error('not expected');
  };
  return {
    getPluginInfo: unexpected,
    getRequiredPackages: unexpected,
    run: unexpected,
    runPlugin: () => ({ exited: unexpected(), kill: unexpected }),
    cancel: unexpected,
    close: unexpected,
    ...overrides,
  };
}

const run: RunRequest = {
  info,
  monitorAddress: 'monitor:2',
  engineAddress: 'engine:1',
  project: 'proj',
  stack: 'dev',
  organization: 'org',
  config: { 'proj:a': '{"b":1}' },
  configSecretKeys: ['proj:a'],
  dryRun: true,
  parallel: 3,
  attachDebugger: true,
  args: ['x', ''],
  onOutput: () => {},
};

describe.each(TRANSPORTS)('language host over %s', (transport) => {
  test.each<RunResult>([{ t: 'ok' }, { t: 'bail' }, { t: 'failed', message: 'exit 3' }])(
    'run ends with %o',
    async (result) => {
      let seen: RunRequest | undefined;
      const served = host({
        run: async (request) => {
          seen = request;
          return result;
        },
      });
      await withLoopback([languageService(served, options)], transport, async (caller) => {
        expect(await new LanguageClient(caller).run(run)).toEqual(result);
        expect(seen).toEqual({
          ...run,
          onOutput: options.onOutput,
          config: expect.objectContaining(run.config),
        });
      });
    },
  );

  test('required packages', async () => {
    const served = host({
      getRequiredPackages: async () => [
        required,
        {
          ...{ name: 'b', version: '', server: '' },
          extension: { name: 'e', version: '2.0.0', value: Buffer.from('w') },
        },
      ],
    });
    await withLoopback([languageService(served, options)], transport, async (caller) => {
      const packages = await new LanguageClient(caller).getRequiredPackages(info);
      expect(packages.map(({ name, version, server }) => [name, version, server])).toEqual([
        ['aws', '6.0.0', 'https://s'],
        ['b', '', ''],
      ]);
      expect(Buffer.from(packages[0]?.parameterization?.value ?? []).toString()).toBe('v');
      expect(packages.map(({ extension }) => extension?.name)).toEqual([undefined, 'e']);
    });
  });
});

describe('plugins in the language', () => {
  const request: Omit<RunPluginRequest, 'onOutput'> = {
    kind: 'resource',
    pluginDirectory: '/plugin',
    workingDirectory: '/work',
    args: ['127.0.0.1:1'],
    env: { A: 'b=c', EMPTY: '' },
    name: 'pair',
    options: { virtualenv: 'venv' },
    loaderAddress: '127.0.0.1:3',
  };

  test('output comes as it is written, the exit code at the end', async () => {
    let seen: RunPluginRequest | undefined;
    const served = host({
      runPlugin: (asked) => {
        seen = asked;
        asked.onOutput('stdout', '1234\n');
        asked.onOutput('stderr', 'ü');
        return { exited: Promise.resolve(3), kill: async () => {} };
      },
    });
    await withLoopback([languageService(served, options)], 'unary', async (caller) => {
      const output: string[] = [];
      const plugin = new LanguageClient(caller).runPlugin({
        ...request,
        onOutput: (stream, text) => output.push(`${stream} ${text}`),
      });
      expect(await plugin.exited).toBe(3);
      expect(output).toEqual(['stdout 1234\n', 'stderr ü']);
      expect(seen).toEqual({ ...request, onOutput: expect.any(Function) });
    });
  });

  test('killing one ends it in the host', async () => {
    let onKilled = (): void => {};
    const killed = new Promise<void>((resolve) => {
      onKilled = resolve;
    });
    const served = host({
      runPlugin: (asked) => {
        asked.onOutput('stdout', 'up');
        return { exited: new Promise(() => {}), kill: async () => onKilled() };
      },
    });
    await withLoopback([languageService(served, options)], 'unary', async (caller) => {
      let onUp = (): void => {};
      const up = new Promise<void>((resolve) => {
        onUp = resolve;
      });
      const plugin = new LanguageClient(caller).runPlugin({ ...request, onOutput: () => onUp() });
      await up;
      await plugin.kill();
      await killed;
    });
  });
});

test('an older host without GetRequiredPackages is asked for plugins, one without either needs none [PRG-1]', async () => {
  const plugin = { name: 'aws', kind: 'resource', version: 'v6.0.0', server: '', checksums: new Map() };
  const older = service(pb.LanguageRuntimeDefinition, {
    getRequiredPlugins: async () => ({ plugins: [plugin, { ...plugin, kind: 'language' }] }),
  });
  await withLoopback([older], 'unary', async (caller) => {
    const packages = await new LanguageClient(caller).getRequiredPackages(info);
    expect(packages.map(({ name, version }) => [name, version])).toEqual([['aws', '6.0.0']]);
  });
  await withLoopback([service(pb.LanguageRuntimeDefinition, {})], 'unary', async (caller) => {
    expect(await new LanguageClient(caller).getRequiredPackages(info)).toEqual([]);
  });
});

describe('packages', () => {
  const packages: LanguagePackages = {
    installDependencies: async ({ programDirectory, options: { packagemanager } }, onOutput) => {
      onOutput('stdout', `in ${programDirectory} ${packagemanager ?? 'as it likes'}`);
      onOutput('stderr', 'with a warning');
      if (programDirectory === '/bad') throw new Error('npm said no');
    },
    getProgramDependencies: async ({ programDirectory }, transitive) => [
      { name: `${programDirectory} ${transitive}`, version: '1.0.0' },
    ],
    pack: async (directory, destination) => `${destination}${directory}.tgz`,
    link: async (_info, linked) => linked.map(({ name, path }) => `${name} ${path}`).join(', '),
    generatePackage: async ({ directory, schema, extraFiles }) => [
      { severity: 'warning', summary: `${directory} ${schema}`, detail: [...extraFiles.keys()].join() },
      { severity: 'error', summary: 'e', detail: '' },
    ],
    generateProject: async ({
      sourceDirectory,
      targetDirectory,
      project,
      loaderAddress,
      localDependencies,
    }) => [
      {
        severity: 'error',
        summary: [sourceDirectory, targetDirectory, project, loaderAddress].join(),
        detail: JSON.stringify([...localDependencies]),
      },
    ],
  };
  async function asked<T>(
    ask: (rpc: ServiceClient<typeof pb.LanguageRuntimeDefinition>, caller: Caller) => Promise<T>,
  ): Promise<T | undefined> {
    let answer: T | undefined;
    const served = languageService(host({}), { ...options, packages });
    await withLoopback([served], 'unary', async (caller) => {
      answer = await ask(serviceClient(pb.LanguageRuntimeDefinition, caller), caller);
    });
    return answer;
  }
  const wireInfo = { rootDirectory: '/p', programDirectory: '/p/src', entryPoint: '.', options: undefined };

  test('installing says what the package manager says, to the end or to its failure', async () => {
    const install = (directory: string, info?: pb.ProgramInfo) =>
      asked(async (_, caller) => {
        const said: string[] = [];
        const request = pb.InstallDependenciesRequest.create({ directory, info });
        try {
          for await (const { stdout, stderr } of callStream(
            caller,
            pb.LanguageRuntimeDefinition,
            pb.LanguageRuntimeDefinition.methods.installDependencies,
            request,
          ))
            said.push(`${Buffer.from(stdout)}|${Buffer.from(stderr)}`);
        } catch (error) {
          said.push(String(error));
        }
        return said;
      });
    expect(await install('/good')).toEqual(['in /good as it likes|', '|with a warning']);
    const named = encodeProgramInfo({ ...wireInfo, options: { packagemanager: 'yarn' } });
    expect(await install('/p', named)).toEqual(['in /p/src yarn|', '|with a warning']);
    expect(await install('/bad')).toEqual([
      'in /bad as it likes|',
      '|with a warning',
      expect.stringContaining('npm said no'),
    ]);
  });

  test('dependencies, packing, linking and generating are handed on', async () => {
    const answers = await asked(async (rpc) => [
      await rpc.getProgramDependencies(
        pb.GetProgramDependenciesRequest.create({ info: wireInfo, transitiveDependencies: true }),
      ),
      await rpc.pack({ packageDirectory: '/sdk', destinationDirectory: '/out' }),
      await rpc.link(
        pb.LinkRequest.create({
          info: wireInfo,
          packages: [
            { package: PackageDependency.create({ name: 'base' }), path: '/base.tgz' },
            {
              package: PackageDependency.create({
                name: 'base',
                parameterization: { name: 'made', version: '1.0.0', value: Buffer.from('v') },
              }),
              path: '/made.tgz',
            },
          ],
        }),
      ),
      await rpc.generatePackage(
        pb.GeneratePackageRequest.create({
          directory: '/to',
          schema: '{}',
          extraFiles: new Map([['a.md', Buffer.from('a')]]),
        }),
      ),
      await rpc.generateProject(
        pb.GenerateProjectRequest.create({
          ...{ sourceDirectory: '/from', targetDirectory: '/to', project: '{}', loaderTarget: 'here:1' },
          localDependencies: new Map([['pulumi', '/sdk.tgz']]),
        }),
      ),
    ]);
    expect(answers).toMatchObject([
      { dependencies: [{ name: '/p/src true', version: '1.0.0' }] },
      { artifactPath: '/out/sdk.tgz' },
      { importInstructions: 'base /base.tgz, made /made.tgz' },
      {
        diagnostics: [
          { severity: 2, summary: '/to {}', detail: 'a.md' },
          { severity: 1, summary: 'e' },
        ],
      },
      {
        diagnostics: [{ severity: 1, summary: '/from,/to,{},here:1', detail: '[["pulumi","/sdk.tgz"]]' }],
      },
    ]);
  });

  test('a host without packages says that it has none', async () => {
    await withLoopback([languageService(host({}), options)], 'unary', async (caller) => {
      const rpc = serviceClient(pb.LanguageRuntimeDefinition, caller);
      await expect(rpc.pack({ packageDirectory: '/a', destinationDirectory: '/b' })).rejects.toMatchObject({
        status: 'UNIMPLEMENTED',
      });
    });
  });
});

describe('what commands ask of a language', () => {
  const info = {
    rootDirectory: '/p',
    programDirectory: '/p/src',
    entryPoint: '.',
    options: { virtualenv: 'v' },
  };
  const STRING = pb.RuntimeOptionPrompt_RuntimeOptionType.STRING;
  const INT32 = pb.RuntimeOptionPrompt_RuntimeOptionType.INT32;
  const choice = (value: string | number) =>
    pb.RuntimeOptionPrompt_RuntimeOptionValue.create(
      typeof value === 'string'
        ? { promptType: STRING, stringValue: value, displayName: `with ${value}` }
        : { promptType: INT32, int32Value: value },
    );

  test('is told in our terms', async () => {
    const adapted: string[] = [];
    const served = service(pb.LanguageRuntimeDefinition, {
      about: async () => ({
        ...{ executable: '/bin/python', version: '3.11' },
        metadata: new Map([['toolchain', 'uv']]),
      }),
      runtimeOptionsPrompts: async ({ info: of }) => ({
        prompts: [
          pb.RuntimeOptionPrompt.create({
            ...{ key: 'toolchain', description: `for ${of?.programDirectory}`, promptType: STRING },
            ...{ choices: [choice('pip'), choice('uv')], default: choice('pip') },
          }),
          pb.RuntimeOptionPrompt.create({ key: 'workers', promptType: INT32, choices: [choice(2)] }),
        ],
      }),
      async *installDependencies({ isPlugin, info: of }) {
        yield {
          stdout: Buffer.from(`plugin ${isPlugin} in ${of?.programDirectory}`),
          stderr: new Uint8Array(),
        };
        yield { stdout: new Uint8Array(), stderr: Buffer.from('careful') };
      },
      getProgramDependencies: async () => ({ dependencies: [{ name: 'a', version: '1' }] }),
      template: async ({ info: of, projectName }) => {
        adapted.push(`${projectName} in ${of?.rootDirectory}`);
        return {};
      },
    });
    await withLoopback([served], 'unary', async (caller) => {
      const client = new LanguageClient(caller);
      expect(await client.about(info)).toEqual({
        ...{ executable: '/bin/python', version: '3.11' },
        metadata: { toolchain: 'uv' },
      });
      expect(await client.runtimeOptionsPrompts(info)).toEqual([
        {
          ...{ key: 'toolchain', description: 'for /p/src', type: 'string' },
          choices: [
            { value: 'pip', label: 'with pip' },
            { value: 'uv', label: 'with uv' },
          ],
          default: { value: 'pip', label: 'with pip' },
        },
        {
          key: 'workers',
          description: '',
          type: 'integer',
          choices: [{ value: 2, label: '2' }],
          default: undefined,
        },
      ]);
      const said: string[] = [];
      await client.installDependencies({ info, isPlugin: true }, (stream, text) =>
        said.push(`${stream} ${text}`),
      );
      expect(said).toEqual(['stdout plugin true in /p/src', 'stderr careful']);
      expect(await client.getProgramDependencies(info, true)).toEqual([
        expect.objectContaining({ name: 'a', version: '1' }),
      ]);
      await client.template(info, 'shop');
      expect(adapted).toEqual([`shop in ${info.rootDirectory}`]);
    });
  });

  test('a language that knows none of it has no answers, and nothing to install', async () => {
    await withLoopback(
      [service(pb.LanguageRuntimeDefinition, { cancel: async () => ({}) })],
      'unary',
      async (caller) => {
        const client = new LanguageClient(caller);
        expect([
          await client.about(info),
          await client.runtimeOptionsPrompts(info),
          await client.installDependencies({ info }, () => {}),
          await client.getProgramDependencies(info, false),
          await client.template(info, 'shop'),
        ]).toEqual([undefined, [], undefined, [], undefined]);
      },
    );
  });
});
