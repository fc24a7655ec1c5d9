import type {
  Block,
  IdentitySchema,
  Lazy,
  NamedParts,
  ProviderMethods,
  Schema,
  TfType,
} from '@cairn/tfplugin';
import { identitySchemaOf, parseType, schemaOf } from '@cairn/tfplugin';
import type { ResponseOf } from '@cairn/wire/caller';

/** The answer with a provider's schemas, in the messages of protocol 6. */
type SchemaMessage = ResponseOf<ProviderMethods['getProviderSchema']>;
/** The answer with the schemas of identities. */
type IdentityMessage = ResponseOf<ProviderMethods['getResourceIdentitySchemas']>;

/** Things by their name. What is asked for is made when it is asked for first: providers have thousands. */
export interface SchemaTable<T> {
  /** In order. */
  readonly names: readonly string[];
  /** Undefined where there is none. Throws `SchemaError` for one that has no meaning. */
  get(name: string): T | undefined;
}

/** Everything that a provider can be asked for. */
export interface ProviderSchema {
  /** Of its configuration. */
  readonly provider: Schema;
  readonly resources: SchemaTable<Schema>;
  readonly dataSources: SchemaTable<Schema>;
  readonly ephemeralResources: SchemaTable<Schema>;
  readonly functions: SchemaTable<FunctionSignature>;
  /** Of resource types; empty until {@link withIdentities}. */
  readonly identities: SchemaTable<IdentitySchema>;
  readonly capabilities: ServerCapabilities;
  /** What it has that Cairn does not use, by name. */
  readonly unused: UnusedParts;
}

/** What a provider says that it can do. */
interface ServerCapabilities {
  /** Plans of deletes are asked for. */
  readonly planDestroy: boolean;
  /** Calls may come without the schema having been asked for. */
  readonly getProviderSchemaOptional: boolean;
  readonly moveResourceState: boolean;
}

/** Names of what is refused by its kind. */
interface UnusedParts {
  readonly listResources: readonly string[];
  readonly actions: readonly string[];
  readonly stateStores: readonly string[];
}

/** What a function of a provider takes and gives. */
export interface FunctionSignature {
  readonly parameters: readonly FunctionParameter[];
  /** Stands for all further arguments; absent: there are none. */
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

/** The schema of an answer. */
export function providerSchema(message: Lazy<SchemaMessage>): ProviderSchema {
  const { provider, serverCapabilities: capabilities } = message;
  const names = (of: NamedParts<unknown> | undefined) => [...(of?.keys() ?? [])].sort();
  return {
    provider: provider === undefined ? { version: 0, block: EMPTY } : schemaOf(provider),
    resources: table(message.resourceSchemas, schemaOf),
    dataSources: table(message.dataSourceSchemas, schemaOf),
    ephemeralResources: table(message.ephemeralResourceSchemas, schemaOf),
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

/** A schema with the identities that its provider has for resource types. */
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
      const message = messages?.get(name);
      if (message === undefined) return undefined;
      let found = made.get(name);
      if (found === undefined) made.set(name, (found = make(message)));
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
