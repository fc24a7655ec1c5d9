import type {
  Block,
  IdentitySchema,
  Lazy,
  NamedParts,
  ProviderMethods,
  Schema,
  TfType,
} from '@cairn/tfplugin';
import { identitySchemaOf, parseType, decodeSchema } from '@cairn/tfplugin';
import type { RpcResponse } from '@cairn/wire/caller';

/** The answer with a provider's schemas, in the messages of protocol 6. */
type SchemaMessage = RpcResponse<ProviderMethods['getProviderSchema']>;
/** The answer with the schemas of identities. */
type IdentityMessage = RpcResponse<ProviderMethods['getResourceIdentitySchemas']>;

/** Entries by name. Each is created on first access, because providers have thousands. */
export interface SchemaTable<T> {
  /** Names in order. */
  readonly names: readonly string[];
  /** Returns an entry, or undefined if there is none. Throws `SchemaError` for an invalid schema. */
  get(name: string): T | undefined;
}

/** All schemas of a provider. */
export interface ProviderSchema {
  /** Schema of its configuration. */
  readonly provider: Schema;
  readonly resources: SchemaTable<Schema>;
  readonly dataSources: SchemaTable<Schema>;
  readonly ephemeralResources: SchemaTable<Schema>;
  readonly functions: SchemaTable<FunctionSignature>;
  /** Identity schemas of resource types. Empty until {@link withIdentities}. */
  readonly identities: SchemaTable<IdentitySchema>;
  readonly capabilities: ServerCapabilities;
  /** Names of the parts that Cairn does not use. */
  readonly unused: UnusedParts;
}

/** Capabilities that a provider announces. */
interface ServerCapabilities {
  /** True if the provider wants plans of deletes. */
  readonly planDestroy: boolean;
  /** True if calls may come before the schema is requested. */
  readonly getProviderSchemaOptional: boolean;
  readonly moveResourceState: boolean;
}

/** Names of unsupported parts, by kind. */
interface UnusedParts {
  readonly listResources: readonly string[];
  readonly actions: readonly string[];
  readonly stateStores: readonly string[];
}

/** Signature of a provider's function. */
export interface FunctionSignature {
  readonly parameters: readonly FunctionParameter[];
  /** Parameter for all further arguments. Missing if there are none. */
  readonly variadic?: FunctionParameter;
  readonly returns: TfType;
  readonly summary: string;
  readonly description: string;
  readonly deprecationMessage: string;
}

export interface FunctionParameter {
  readonly name: string;
  readonly type: TfType;
  readonly allowNull: boolean;
  readonly allowUnknown: boolean;
  readonly description: string;
}

const EMPTY: Block = { attributes: new Map(), blocks: new Map() };

/** Returns the schema of an answer. */
export function providerSchema(message: Lazy<SchemaMessage>): ProviderSchema {
  const { provider, serverCapabilities: capabilities } = message;
  const names = (of: NamedParts<unknown> | undefined) => [...(of?.keys() ?? [])].sort();
  return {
    provider: provider === undefined ? { version: 0, block: EMPTY } : decodeSchema(provider),
    resources: table(message.resourceSchemas, decodeSchema),
    dataSources: table(message.dataSourceSchemas, decodeSchema),
    ephemeralResources: table(message.ephemeralResourceSchemas, decodeSchema),
    functions: table(message.functions, signatureOf),
    identities: table(new Map<string, never>(), identitySchemaOf),
    capabilities: {
      planDestroy: capabilities?.planDestroy ?? false,
      getProviderSchemaOptional: capabilities?.getProviderSchemaOptional ?? false,
      moveResourceState: capabilities?.moveResourceState ?? false,
    },
    unused: {
      listResources: names(message.listResourceSchemas),
      actions: names(message.actionSchemas),
      stateStores: names(message.stateStoreSchemas),
    },
  };
}

/** Adds the identities that a provider defines for resource types to a schema. */
export function withIdentities(
  schema: ProviderSchema,
  message: Lazy<IdentityMessage> | undefined,
): ProviderSchema {
  if (message === undefined) return schema;
  return { ...schema, identities: table(message.identitySchemas, identitySchemaOf) };
}

function table<M, T>(messages: NamedParts<M> | undefined, make: (message: M) => T): SchemaTable<T> {
  const made = new Map<string, T>();
  return {
    names: [...(messages?.keys() ?? [])].sort(),
    get: (name) => {
      let found = made.get(name);
      if (found !== undefined) return found;
      // Decodes the part, each time that it is read.
      const message = messages?.get(name);
      if (message === undefined) return undefined;
      made.set(name, (found = make(message)));
      return found;
    },
  };
}

type FunctionMessage = SchemaMessage['functions'] extends Map<string, infer M> ? M : never;

function signatureOf(message: FunctionMessage): FunctionSignature {
  const { parameters, variadicParameter, summary, description, deprecationMessage } = message;
  return {
    parameters: parameters.map(parameterOf),
    ...(variadicParameter !== undefined && { variadic: parameterOf(variadicParameter) }),
    returns: typeOf(message.return?.type),
    summary,
    description,
    deprecationMessage,
  };
}

function parameterOf(message: FunctionMessage['parameters'][number]): FunctionParameter {
  return {
    name: message.name,
    type: typeOf(message.type),
    allowNull: message.allowNullValue,
    allowUnknown: message.allowUnknownValues,
    description: message.description,
  };
}

function typeOf(bytes: Uint8Array | undefined): TfType {
  return bytes === undefined ? 'dynamic' : parseType(Buffer.from(bytes).toString('utf8'));
}
