import { cairnError } from '@cairn/diagnostics';
import type { PackageQuestion, ParameterizeRequest, PluginSpec, Provider } from '@cairn/wire';
import { StreamCaller } from '@cairn/wire/caller';
import { LoaderClient, MapperClient, ResolverClient } from '@cairn/wire/schemas-client';
import { serveEngine } from './serve-engine.js';

/** Services at the address for plugins of an operation without a program. */

const closed: string[] = [];

const base = {
  name: 'base',
  version: '1.2.3',
  pluginDownloadURL: 'https://example.com/base',
};

const made = {
  name: 'made',
  version: '0.1.0',
  parameterization: { baseProvider: { name: 'base', version: '1.2.3' }, parameter: 'AQI=' },
};

/** Loads the plugin `base`, which arguments turn into the package `made`. */
function plugin(spec: PluginSpec): Promise<Provider> {
  if (spec.package !== 'base') {
    return Promise.reject(cairnError('CAIRN-PLUGIN-NOT-FOUND', `no plugin ${spec.package}`));
  }
  const provider = {
    parameterize: ({ parameters }: ParameterizeRequest) => {
      expect(parameters).toEqual({ kind: 'args', args: ['x', 'y'] });
      return Promise.resolve({ name: 'made', version: '0.1.0' });
    },
    getSchema: ({ subpackageName = '' }) =>
      Promise.resolve(JSON.stringify(subpackageName === 'made' ? made : base)),
    close: () => Promise.resolve(void closed.push(spec.version ?? '')),
  };
  return Promise.resolve(provider as unknown as Provider);
}

test('schemas, mappings and the plugins of packages', async () => {
  const peers = await serveEngine(
    { emit: () => undefined, providers: { load: plugin } },
    { publishViewSteps: () => Promise.resolve() },
  );
  const caller = new StreamCaller(peers.address);
  try {
    const question = { package: 'base', version: '', downloadUrl: '', parameterization: undefined };
    expect(JSON.parse(await new LoaderClient(caller).getSchema(question))).toEqual(base);
    const mapping = { provider: 'none', pulumiProvider: '', parameterization: undefined, ecosystem: '' };
    expect(await new MapperClient(caller).getMapping(mapping)).toHaveLength(0);

    const resolver = new ResolverClient(caller);
    const asked = (rest: Partial<PackageQuestion>) =>
      resolver.resolvePackage({
        source: 'base',
        version: '',
        parameters: [],
        checksums: {},
        downloadUrl: '',
        ...rest,
      });
    expect(await asked({ version: '1.2.3' })).toEqual({
      name: 'base',
      version: '1.2.3',
      downloadUrl: 'https://example.com/base',
      checksums: {},
      parameterization: undefined,
    });
    expect(await asked({ parameters: ['x', 'y'] })).toMatchObject({
      name: 'base',
      version: '1.2.3',
      parameterization: { name: 'made', version: '0.1.0', value: Buffer.from([1, 2]) },
    });
    await expect(asked({ source: 'none' })).rejects.toMatchObject({
      status: 'NOT_FOUND',
      message: expect.stringContaining('cannot resolve package "none"') as string,
    });
    await expect(asked({ source: 'github.com/a/b' })).rejects.toMatchObject({ status: 'INVALID_ARGUMENT' });
    expect(closed).toEqual(['', '1.2.3', '']);
  } finally {
    caller.close();
    await peers.close();
  }
});
