import { matchesGlob } from '@cairn/addresses';
import { BugError } from '@cairn/diagnostics';
import type { Schema } from '@cairn/tfplugin';
import type { ProviderSchema, SchemaTable } from '../client/provider-schema.js';
import { functionModel } from './function-model.js';
import type { ProviderFunctionModel } from './function-model.js';
import { makeShape } from './make-shape.js';
import type { ShapeRules } from './make-shape.js';
import { mappingFor, noMapping, refuseMapping } from './mapping.js';
import type { Mapping, ObjectMapping } from './mapping.js';
import type { BlockShape } from './shape.js';
import { STATE_PROPERTY } from './state-property.js';
import { commonPrefix, functionToken, resourceToken, typeName, TypeNames } from './tokens.js';

/** Schemas of a provider, in Terraform's terms. Each is created on first access. */
export type ProviderSchemas = Pick<
  ProviderSchema,
  'provider' | 'resources' | 'dataSources' | 'ephemeralResources' | 'functions' | 'unused'
>;

/** Options for turning a provider into a package. */
export interface ModelOptions {
  /** Name of the package. */
  readonly name: string;
  readonly version: string;
  readonly mapping?: Mapping;
  /** Terraform names to include. Defaults to all. `*` represents any text. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/**
 * A part of a provider that is a resource or function of the package. Schema and shape are created on first access, and
 * throw `SchemaError` if the provider's schema is invalid.
 */
export interface ObjectModel {
  /** Terraform's name. */
  readonly type: string;
  readonly token: string;
  readonly schema: Schema;
  readonly shape: BlockShape;
  /** Tokens of types in it that the mapping sets. */
  readonly mappedTypes: readonly string[];
}

/** A provider as a package, by Terraform's names and by tokens. */
export interface ProviderModel {
  readonly name: string;
  readonly version: string;
  readonly config: ObjectModel;
  readonly resources: ReadonlyMap<string, ObjectModel>;
  readonly dataSources: ReadonlyMap<string, ObjectModel>;
  readonly ephemeralResources: ReadonlyMap<string, ObjectModel>;
  readonly functions: ReadonlyMap<string, ProviderFunctionModel>;
  /** Parts of the provider that no package offers. */
  readonly leftOut: readonly LeftOut[];
  /** Returns the meaning of a token. */
  find(token: string): TokenMeaning | undefined;
}

/** A part of a provider that no package offers. */
interface LeftOut {
  readonly kind: 'list resource' | 'action' | 'state store';
  /** Terraform's name. */
  readonly type: string;
  /** The token that a resource of this name would have. */
  readonly token: string;
}

/** Meaning of a token. */
type TokenMeaning =
  | { readonly kind: 'resource' | 'dataSource' | 'ephemeralResource'; readonly object: ObjectModel }
  | { readonly kind: 'function'; readonly function: ProviderFunctionModel };

/** Names of the resource class or of the state, with their replacements. */
const OF_RESOURCES = new Map([
  ['id', 'resourceId'],
  ['urn', 'resourceUrn'],
  [STATE_PROPERTY, `${STATE_PROPERTY}_2`],
]);
/** Properties of a provider's inputs that are not its configuration. */
const OF_PROVIDERS = new Map([
  ['id', 'resourceId'],
  ['urn', 'resourceUrn'],
  ['version', 'providerVersion'],
  ['pluginDownloadURL', 'providerPluginDownloadURL'],
  ['__internal', '__internal_2'],
]);
const NONE = new Map<string, string>();

/** Turns a provider into a package: tokens, and the names of everything in its schemas. */
export function providerModel(schemas: ProviderSchemas, options: ModelOptions): ProviderModel {
  const { name, version, mapping = noMapping } = options;
  const wanted = selection(options);
  const prefix =
    commonPrefix(schemas.resources.names) ??
    (schemas.resources.names.length === 0 ? commonPrefix(schemas.dataSources.names) : undefined);
  refuseStrangers(mapping, schemas);
  const free = new TypeNames();
  const objects = (
    from: SchemaTable<Schema>,
    mapped: ReadonlyMap<string, ObjectMapping>,
    tokenFor: (type: string) => string,
    rules: Omit<ShapeRules, 'of' | 'fields'>,
  ) => {
    const made = sorted(from).map((type) => {
      const { token, fields } = mappingFor(mapped, type);
      // Omitted parts get names too, so that a selection changes none of the others.
      const standard = tokenFor(type);
      return [
        type,
        objectModel(type, token ?? standard, () => given(from, type), { ...rules, of: type, fields }),
      ] as const;
    });
    return new Map(made.filter(([type]) => wanted(type)));
  };
  const resourceNames = new TypeNames();
  const resources = objects(
    schemas.resources,
    mapping.resources,
    (type) => resourceToken(name, resourceNames.claim(typeName(type, prefix))),
    { reserved: OF_RESOURCES, hasId: true },
  );
  const asked = (word: string) => (type: string) =>
    functionToken(name, free.claim(`${word}${typeName(type, prefix)}`));
  const plain = { reserved: NONE, hasId: false };
  const dataSources = objects(schemas.dataSources, mapping.dataSources, asked('get'), plain);
  const functions = sorted(schemas.functions).map((type) => {
    const standard = functionToken(name, free.claim(typeName(type, undefined)));
    const token = mappingFor(mapping.functions, type).token ?? standard;
    return [type, functionModel(type, token, () => given(schemas.functions, type))] as const;
  });
  const ephemeralResources = objects(
    schemas.ephemeralResources,
    mapping.ephemeralResources,
    asked('open'),
    plain,
  );
  const model = {
    name,
    version,
    config: objectModel('provider', `pulumi:providers:${name}`, () => schemas.provider, {
      of: 'the configuration',
      fields: mapping.config.fields,
      reserved: OF_PROVIDERS,
      hasId: false,
    }),
    resources,
    dataSources,
    ephemeralResources,
    functions: new Map(functions.filter(([type]) => wanted(type))),
    leftOut: unoffered(schemas, (type) => resourceToken(name, typeName(type, prefix))),
  };
  const tokens = byToken(model);
  return Object.freeze({ ...model, find: (token: string) => tokens.get(token) });
}

function objectModel(type: string, token: string, schema: () => Schema, rules: ShapeRules): ObjectModel {
  let shape: BlockShape | undefined;
  return Object.freeze({
    type,
    token,
    get schema() {
      return schema();
    },
    mappedTypes: [...rules.fields.values()].flatMap((each) => (each.type === undefined ? [] : [each.type])),
    get shape() {
      return (shape ??= makeShape(schema().block, rules));
    },
  });
}

function byToken(model: Omit<ProviderModel, 'find'>): ReadonlyMap<string, TokenMeaning> {
  const objects = (kind: 'resource' | 'dataSource' | 'ephemeralResource', from: ProviderModel['resources']) =>
    [...from.values()].map((object) => [object.token, { kind, object }] as const);
  const functions = [...model.functions.values()].map(
    (each) => [each.token, { kind: 'function', function: each }] as const,
  );
  const all: readonly (readonly [string, TokenMeaning])[] = [
    ...objects('resource', model.resources),
    ...objects('dataSource', model.dataSources),
    ...objects('ephemeralResource', model.ephemeralResources),
    ...functions,
  ];
  const found = new Map<string, TokenMeaning>();
  for (const [token, each] of all) {
    if (found.has(token)) refuseMapping('of the package', `/${token}`, 'two things have this token');
    found.set(token, each);
  }
  return found;
}

const sorted = ({ names }: SchemaTable<unknown>): readonly string[] => [...names].sort();

function given<T>(from: SchemaTable<T>, name: string): T {
  const found = from.get(name);
  if (found === undefined) throw new BugError(`the schema has no ${name}, which it names`);
  return found;
}

function unoffered(
  { unused: { listResources, actions, stateStores } }: ProviderSchemas,
  token: (type: string) => string,
): readonly LeftOut[] {
  const of = (kind: LeftOut['kind'], types: readonly string[]) =>
    types.map((type) => ({ kind, type, token: token(type) }));
  return [...of('list resource', listResources), ...of('action', actions), ...of('state store', stateStores)];
}

function selection({ include, exclude = [] }: ModelOptions): (type: string) => boolean {
  return (type) => {
    const isNamed = (glob: string): boolean => matchesGlob(glob, type);
    return include?.some(isNamed) !== false && !exclude.some(isNamed);
  };
}

/** Refuses a name in a mapping that the provider does not have. */
function refuseStrangers(mapping: Mapping, schemas: ProviderSchemas): void {
  const kinds = ['resources', 'dataSources', 'ephemeralResources', 'functions'] as const;
  for (const kind of kinds) {
    for (const name of mapping[kind].keys()) {
      if (!schemas[kind].names.includes(name))
        refuseMapping('of the package', `/${kind}/${name}`, 'the provider has none');
    }
  }
}
