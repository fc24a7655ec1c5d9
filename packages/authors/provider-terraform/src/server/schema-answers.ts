import { identitySchemaMessage, schemaMessage } from '@cairn/tfplugin';
import type { IdentitySchema } from '@cairn/tfplugin';
import type {
  FunctionMessage,
  GetMetadata_Response,
  GetProviderSchema_Response,
  GetResourceIdentitySchemas_Response,
  Schema,
  ServerCapabilities,
} from '@cairn/tfplugin/protocol6';
import type { TerraformProvider } from '../index.js';

/**
 * Capabilities beyond the calls that every provider has. The plan of a delete adds no information, so it is not
 * requested. The schema does not depend on a call.
 */
// [TFS-5]
const CAPABILITIES: ServerCapabilities = {
  planDestroy: false,
  getProviderSchemaOptional: true,
  moveResourceState: false,
  generateResourceConfig: false,
};

/** Identity of an object apart from its state: its id. */
// [TFS-6]
export const IDENTITY: IdentitySchema = {
  version: 0,
  attributes: new Map([
    [
      'id',
      {
        type: 'string',
        requiredForImport: true,
        optionalForImport: false,
        description: "The provider's name for the object.",
      },
    ],
  ]),
};

/** Returns all schemas, in the protocol's own form. */
export function schemaAnswer(provider: TerraformProvider): GetProviderSchema_Response {
  const { protocol } = provider;
  // A schema message is the same for both protocols; it omits the parts that protocol 5 does not have.
  const message = (schema: TerraformProvider['schema']): Schema => schemaMessage(schema, protocol) as Schema;
  const schemas = (of: TerraformProvider['resources'] | TerraformProvider['dataSources']) =>
    new Map([...of].map(([name, { served }]) => [name, message(served.schema)]));
  return {
    provider: message(provider.schema),
    resourceSchemas: schemas(provider.resources),
    dataSourceSchemas: schemas(provider.dataSources),
    diagnostics: [],
    providerMeta: undefined,
    serverCapabilities: CAPABILITIES,
    functions: functionMessages(provider),
    ephemeralResourceSchemas: new Map(),
    listResourceSchemas: new Map(),
    stateStoreSchemas: new Map(),
    actionSchemas: new Map(),
  };
}

/** Returns names only. */
export function metadataAnswer(provider: TerraformProvider): GetMetadata_Response {
  const typeNames = (of: ReadonlyMap<string, unknown>) => [...of.keys()].map((typeName) => ({ typeName }));
  return {
    serverCapabilities: CAPABILITIES,
    diagnostics: [],
    dataSources: typeNames(provider.dataSources),
    resources: typeNames(provider.resources),
    functions: [...provider.functions.keys()].map((name) => ({ name })),
    ephemeralResources: [],
    listResources: [],
    stateStores: [],
    actions: [],
  };
}

/** Returns the identity schemas. All types have the same one. */
export function identitySchemasAnswer(provider: TerraformProvider): GetResourceIdentitySchemas_Response {
  const schema = identitySchemaMessage(IDENTITY);
  return {
    identitySchemas: new Map([...provider.resources.keys()].map((name) => [name, schema])),
    diagnostics: [],
  };
}

/** Returns the definitions of the functions. */
export function functionMessages(provider: TerraformProvider): Map<string, FunctionMessage> {
  return new Map([...provider.functions].map(([name, each]) => [name, each.message]));
}
