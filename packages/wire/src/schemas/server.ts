import type { Mapper, SchemaLoader } from '../contracts/schemas.js';
import { LoaderDefinition } from '../generated/pulumi/codegen/loader.js';
import { MapperDefinition } from '../generated/pulumi/codegen/mapper.js';
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
