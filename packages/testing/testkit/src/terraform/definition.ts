import {
  identityType,
  impliedType,
  namedMap,
  schemaMessage,
  typeFromJson,
  identitySchemaMessage,
} from '@cairn/tfplugin';
import type { Block, IdentitySchema, ProviderMethod, TfType, TfValue } from '@cairn/tfplugin';
import { blockOf } from '@cairn/tfplugin/notation';
import type { SchemaText } from '@cairn/tfplugin/notation';
import type { CallTypes } from './messages.js';

/** A resource type that can be scripted. */
export interface ResourceDefinition {
  readonly schema: SchemaText;
  readonly version?: number;
  /** Attributes that cannot be changed in place. */
  readonly replaceOn?: readonly string[];
  /** Computed attributes that every change recomputes. */
  readonly remade?: readonly string[];
  /** Types of the attributes of its identity, all required for an import. */
  readonly identity?: Readonly<Record<string, unknown>>;
  readonly identityVersion?: number;
}

/** A data source that can be scripted. Without `read` it makes up the computed values. */
interface DataSourceDefinition {
  readonly schema: SchemaText;
  readonly read?: (config: TfValue) => TfValue;
}

/** An ephemeral resource that can be scripted. */
interface EphemeralDefinition {
  readonly schema: SchemaText;
  /** Milliseconds after which it requests a renewal. */
  readonly renewAfterMs?: number;
}

/** A function. Types are the protocol's JSON. Without `call` it answers only by rules. */
interface FunctionDefinition {
  readonly parameters: readonly ParameterDefinition[];
  readonly variadic?: ParameterDefinition;
  readonly returns: unknown;
  readonly call?: (args: readonly TfValue[]) => TfValue;
}

/** A parameter of a function. */
interface ParameterDefinition {
  readonly name: string;
  readonly type: unknown;
  readonly allowNull?: boolean;
  readonly allowUnknown?: boolean;
}

/** Definition of a provider. All of it is JSON, except functions of code. */
export interface TerraformDefinition {
  readonly provider?: SchemaText;
  readonly resources?: Readonly<Record<string, ResourceDefinition>>;
  readonly dataSources?: Readonly<Record<string, DataSourceDefinition>>;
  readonly ephemerals?: Readonly<Record<string, EphemeralDefinition>>;
  readonly functions?: Readonly<Record<string, FunctionDefinition>>;
  /** Types with a schema and no behaviour. */
  readonly listResources?: Readonly<Record<string, SchemaText>>;
  readonly actions?: Readonly<Record<string, SchemaText>>;
  readonly stateStores?: Readonly<Record<string, SchemaText>>;
  readonly capabilities?: {
    readonly planDestroy?: boolean;
    readonly getProviderSchemaOptional?: boolean;
    readonly moveResourceState?: boolean;
  };
  /** Adds so many resource types with texts of so many bytes in total. */
  readonly padding?: { readonly types: number; readonly bytes: number; readonly prefix?: string };
}

type Kind = 'resources' | 'dataSources' | 'ephemerals';

const KIND_OF: Partial<Record<ProviderMethod, Kind>> = {
  readDataSource: 'dataSources',
  validateDataResourceConfig: 'dataSources',
  validateEphemeralResourceConfig: 'ephemerals',
  openEphemeralResource: 'ephemerals',
  renewEphemeralResource: 'ephemerals',
  closeEphemeralResource: 'ephemerals',
};
const OF_PROVIDER = new Set<ProviderMethod>(['validateProviderConfig', 'configureProvider', 'stopProvider']);

/** The schemas of a definition. */
export class DefinedSchemas {
  readonly provider: Block;
  readonly #blocks: Readonly<Record<Kind, ReadonlyMap<string, Block>>>;
  readonly #identities: ReadonlyMap<string, IdentitySchema>;

  constructor(readonly definition: TerraformDefinition) {
    this.provider = blockOf(definition.provider ?? {});
    const blocksOf = (kind: Kind) =>
      new Map(Object.entries(definition[kind] ?? {}).map(([name, { schema }]) => [name, blockOf(schema)]));
    this.#blocks = {
      resources: blocksOf('resources'),
      dataSources: blocksOf('dataSources'),
      ephemerals: blocksOf('ephemerals'),
    };
    this.#identities = new Map(
      Object.entries(definition.resources ?? {}).flatMap(([name, each]) => {
        const identity = identityOf(each);
        return identity === undefined ? [] : [[name, identity] as const];
      }),
    );
  }

  /** Returns the block of an existing type. Throws RangeError for any other. */
  block(kind: Kind, type: string): Block {
    const block = this.#blocks[kind].get(type);
    if (block === undefined) throw new RangeError(`the scripted provider has no ${type} among its ${kind}`);
    return block;
  }

  /** Returns the types of the values of a call. `type` is that of the object, or the name of the function. */
  typesOf(method: ProviderMethod, type: string): CallTypes {
    if (method === 'callFunction') return this.#functionTypes(type);
    const block = OF_PROVIDER.has(method) ? this.provider : this.block(KIND_OF[method] ?? 'resources', type);
    return this.#typesOfBlock(block, this.#identities.get(type));
  }

  /** Returns the message of the schema. */
  message(protocol: 5 | 6): object {
    const { definition } = this;
    const messages = (kind: Kind) =>
      new Map(
        [...this.#blocks[kind]].map(([name, block]) => {
          const version = kind === 'resources' ? (definition.resources?.[name]?.version ?? 0) : 0;
          return [name, schemaMessage({ version, block }, protocol)] as const;
        }),
      );
    const plain = (kind: Readonly<Record<string, SchemaText>> = {}, wrapped: (schema: object) => object) =>
      new Map(
        Object.entries(kind).map(([name, text]) => {
          const schema = schemaMessage({ version: 0, block: blockOf(text) }, protocol);
          return [name, wrapped(schema)] as const;
        }),
      );
    const {
      planDestroy = false,
      getProviderSchemaOptional = false,
      moveResourceState = false,
    } = definition.capabilities ?? {};
    return {
      provider: schemaMessage({ version: 0, block: this.provider }, protocol),
      resourceSchemas: new Map([...messages('resources'), ...padding(definition, protocol)]),
      dataSourceSchemas: messages('dataSources'),
      ephemeralResourceSchemas: messages('ephemerals'),
      functions: this.functionMessages(),
      listResourceSchemas: plain(definition.listResources, (schema) => schema),
      actionSchemas: plain(definition.actions, (schema) => ({ schema })),
      stateStoreSchemas: plain(definition.stateStores, (schema) => schema),
      serverCapabilities: {
        ...{ planDestroy, getProviderSchemaOptional, moveResourceState },
        generateResourceConfig: false,
      },
    };
  }

  /** Returns messages of functions by name. */
  functionMessages(): ReadonlyMap<string, object> {
    const functions = Object.entries(this.definition.functions ?? {});
    return new Map(
      functions.map(([name, { parameters, variadic, returns }]) => [
        name,
        {
          ...{
            summary: `The function ${name}.`,
            description: '',
            descriptionKind: 0,
            deprecationMessage: '',
          },
          parameters: parameters.map(parameterMessage),
          variadicParameter: variadic && parameterMessage(variadic),
          return: { type: Buffer.from(JSON.stringify(returns)) },
        },
      ]),
    );
  }

  /** Returns messages of identities by type, or undefined if no type has one. */
  identityMessages(): ReadonlyMap<string, object> | undefined {
    if (this.#identities.size === 0) return undefined;
    return new Map([...this.#identities].map(([name, each]) => [name, identitySchemaMessage(each)]));
  }

  #typesOfBlock(block: Block, identity: IdentitySchema | undefined): CallTypes {
    return {
      block,
      value: impliedType(block),
      identity: identity === undefined ? 'dynamic' : identityType(identity),
      argument: () => 'dynamic',
      imported: (type) => this.typesOf('importResourceState', type),
    };
  }

  #functionTypes(name: string): CallTypes {
    const found = this.definition.functions?.[name];
    if (found === undefined) throw new RangeError(`the scripted provider has no function ${name}`);
    const { parameters, variadic, returns } = found;
    const typeAt = (at: number): TfType => typeFromJson((parameters[at] ?? variadic)?.type);
    const none = this.#typesOfBlock(this.provider, undefined);
    return { ...none, block: undefined, value: typeFromJson(returns), argument: typeAt };
  }
}

function identityOf({ identity, identityVersion = 0 }: ResourceDefinition): IdentitySchema | undefined {
  if (identity === undefined) return undefined;
  const attributes = Object.entries(identity).map(([name, type]) => {
    const attribute = { type: typeFromJson(type), requiredForImport: true, optionalForImport: false };
    return [name, attribute] as const;
  });
  return { version: identityVersion, attributes: namedMap(attributes) };
}

function parameterMessage({ name, type, allowNull = false, allowUnknown = false }: ParameterDefinition) {
  const documentation = { description: '', descriptionKind: 0 };
  const allows = { allowNullValue: allowNull, allowUnknownValues: allowUnknown };
  return { name, type: Buffer.from(JSON.stringify(type)), ...allows, ...documentation };
}

/** Returns resource types of the size that real ones have: twenty attributes and a block. */
function padding({ padding: wanted }: TerraformDefinition, protocol: 5 | 6) {
  if (wanted === undefined) return new Map<string, object>();
  const { prefix = 'padding' } = wanted;
  const perText = Math.max(1, Math.floor(wanted.bytes / wanted.types / PADDED));
  const text = 'd'.repeat(perText);
  const names = Array.from({ length: PADDED }, (_, at) => `attribute_${at}`);
  const attributes = (which: readonly string[]): SchemaText =>
    Object.fromEntries(which.map((name, at) => [name, [at % 2 === 0 ? 'O' : 'OC', 'string', text] as const]));
  const block = blockOf({
    id: ['C', 'string'],
    ...attributes(names.slice(0, PADDED - 5)),
    part: { block: 'list', body: attributes(names.slice(PADDED - 5)) },
  });
  const message = schemaMessage({ version: 0, block }, protocol);
  return new Map(
    Array.from({ length: wanted.types }, (_, at) => [`${prefix}_${String(at).padStart(4, '0')}`, message]),
  );
}

const PADDED = 25;
