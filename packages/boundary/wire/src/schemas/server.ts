import type { Mapper, PackageResolver, SchemaLoader } from '../contracts/schemas.js';
import { LoaderDefinition } from '../generated/pulumi/codegen/loader.js';
import { MapperDefinition } from '../generated/pulumi/codegen/mapper.js';
import { PackageResolverDefinition } from '../generated/pulumi/plugin.js';
import { decodeMap, encodeMap } from '@cairn/protobuf';
import { service } from '../rpc/service.js';
import type { Service } from '../rpc/service.js';

/** Serves schemas of packages. */
export function loaderService(loader: SchemaLoader): Service {
  return service(LoaderDefinition, {
    getSchema: async (wire) => ({ schema: Buffer.from(await loader.getSchema(wire)) }),
  });
}

/** Serves mappings from another ecosystem. */
export function mapperService(mapper: Mapper): Service {
  return service(MapperDefinition, {
    getMapping: async ({ provider, pulumiProvider, parameterizationHint: parameterization, ecosystem }) => ({
      data: await mapper.getMapping({ provider, pulumiProvider, parameterization, ecosystem }),
    }),
  });
}

/** Serves the plugins of packages. */
export function resolverService(resolver: PackageResolver): Service {
  return service(PackageResolverDefinition, {
    resolvePackage: async ({ server, ...wire }) => {
      const { name, version, downloadUrl, checksums, parameterization } = await resolver.resolvePackage({
        ...wire,
        downloadUrl: server,
        checksums: decodeMap(wire.checksums),
      });
      return {
        name,
        kind: 'resource',
        version,
        server: downloadUrl,
        checksums: encodeMap(checksums),
        parameterization,
        extension: undefined,
      };
    },
  });
}
