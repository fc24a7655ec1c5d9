import { createSchemas } from '@cairn/engine';
import { startConverter } from '@cairn/plugin-host';
import type { Converter } from '@cairn/wire';
import { loaderService, mapperService, resolverService } from '@cairn/wire/schemas-server';
import { observed } from '../ports.js';
import type { Ports } from '../ports.js';
import { hostBeside, serveEngineService } from './open-package.js';
import type { PackagePlugin } from './open-package.js';

/** Requirements to translate a program. */
interface ConverterUse extends Pick<PackagePlugin, 'project' | 'programDirectory' | 'onMessage'> {
  /** Name of the converter; `undefined` if none is started. */
  readonly name: string | undefined;
  /** Mappings by name of the provider in the other ecosystem, which take precedence over those of plugins. */
  readonly mappings: ReadonlyMap<string, Uint8Array>;
}

/** A converter, and the address that serves schemas and mappings. */
interface OpenedConverter {
  readonly converter: Converter | undefined;
  readonly address: string;
}

/** Starts a converter for some questions, and a server about packages, and ends both after them. */
export async function withConverter<T>(
  ports: Ports,
  use: ConverterUse,
  questions: (opened: OpenedConverter) => Promise<T>,
): Promise<T> {
  let address = '';
  const plugins = hostBeside(ports, use, [], () => address);
  const schemas = createSchemas(plugins);
  const mapper = {
    getMapping: async (request: Parameters<typeof schemas.getMapping>[0]) =>
      use.mappings.get(request.provider) ?? schemas.getMapping(request),
  };
  const server = await serveEngineService(use.name ?? 'convert', use.onMessage, [
    loaderService(schemas),
    mapperService(mapper),
    resolverService(schemas),
  ]);
  address = server.address;
  try {
    if (use.name === undefined) return await questions({ converter: undefined, address });
    const started = await startConverter({
      ...{ name: use.name, engineAddress: address, cwd: ports.cwd, environment: ports.env },
      observed: observed(ports),
      onMessage: use.onMessage,
    });
    try {
      return await questions({ converter: started.converter, address });
    } finally {
      await started.close();
    }
  } finally {
    await plugins.close();
    await server.close();
  }
}
