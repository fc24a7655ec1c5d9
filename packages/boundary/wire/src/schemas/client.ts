import type {
  Mapper,
  MappingRequest,
  PackageQuestion,
  PackageResolver,
  ResolvedPackage,
  SchemaLoader,
  SchemaRequest,
} from '../contracts/schemas.js';
import { LoaderDefinition } from '../generated/pulumi/codegen/loader.js';
import * as mapper from '../generated/pulumi/codegen/mapper.js';
import { PackageResolverDefinition } from '../generated/pulumi/plugin.js';
import { decodeMap, encodeMap } from '@cairn/protobuf';
import { serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';

/** Client of a schema loader. */
export class LoaderClient implements SchemaLoader {
  readonly #rpc: ServiceClient<typeof LoaderDefinition>;

  constructor(caller: Caller) {
    this.#rpc = serviceClient(LoaderDefinition, caller);
  }

  async getSchema(request: SchemaRequest): Promise<string> {
    return Buffer.from((await this.#rpc.getSchema(request)).schema).toString();
  }
}

/** Client of a mapper. */
export class MapperClient implements Mapper {
  readonly #rpc: ServiceClient<typeof mapper.MapperDefinition>;

  constructor(caller: Caller) {
    this.#rpc = serviceClient(mapper.MapperDefinition, caller);
  }

  async getMapping(request: MappingRequest): Promise<Uint8Array> {
    const { parameterization: parameterizationHint, ...rest } = request;
    return (await this.#rpc.getMapping({ ...rest, parameterizationHint })).data;
  }
}

/** Client of a package resolver. */
export class ResolverClient implements PackageResolver {
  readonly #rpc: ServiceClient<typeof PackageResolverDefinition>;

  constructor(caller: Caller) {
    this.#rpc = serviceClient(PackageResolverDefinition, caller);
  }

  async resolvePackage(question: PackageQuestion): Promise<ResolvedPackage> {
    const { downloadUrl, parameters, checksums, ...rest } = question;
    const wire = {
      ...rest,
      parameters: [...parameters],
      server: downloadUrl,
      checksums: encodeMap(checksums),
    };
    const { server, ...answer } = await this.#rpc.resolvePackage(wire);
    const { name, version, parameterization } = answer;
    return { name, version, downloadUrl: server, checksums: decodeMap(answer.checksums), parameterization };
  }
}
