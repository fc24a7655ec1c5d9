import { TRANSPORTS, withLoopback } from '../../test/loopback.js';
import type { LanguageHost, RunPluginRequest, RunRequest, RunResult } from '../contracts/language.js';
import * as pb from '../generated/pulumi/language.js';
import { service } from '../rpc/service.js';
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
      getRequiredPackages: async () => [required, { name: 'b', version: '', server: '' }],
    });
    await withLoopback([languageService(served, options)], transport, async (caller) => {
      const packages = await new LanguageClient(caller).getRequiredPackages(info);
      expect(packages.map(({ name, version, server }) => [name, version, server])).toEqual([
        ['aws', '6.0.0', 'https://s'],
        ['b', '', ''],
      ]);
      expect(Buffer.from(packages[0]?.parameterization?.value ?? []).toString()).toBe('v');
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
