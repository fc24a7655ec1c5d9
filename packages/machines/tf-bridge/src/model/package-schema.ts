import { capital } from '@cairn/addresses';
import { SchemaError } from '@cairn/tfplugin';
import type { Documentation } from '@cairn/tfplugin';
import type { ProviderFunctionModel } from './function-model.js';
import type { ObjectModel, ProviderModel } from './provider-model.js';
import type { Form } from './shape.js';
import { TypeSpecs } from './type-specs.js';
import type { PropertySpecs, Spec } from './type-specs.js';

/** Details of a package schema beyond the provider's schemas. */
interface PackageDetails {
  /** The plugin that creates this package by the parameter. */
  readonly base: { readonly name: string; readonly version: string };
  readonly parameter: Uint8Array;
  /** The provider, as users call it: `registry.opentofu.org/hashicorp/random`, or a path. */
  readonly source: string;
}

/** Returns the package schema of a provider, in the form of GetSchema. The same provider results in the same text. */
export function bridgedPackageSchema(model: ProviderModel, details: PackageDetails): string {
  const { name, version } = model;
  const { base, parameter, source } = details;
  const leftOut = model.leftOut.map(({ kind, type }) => `${kind} ${type}`);
  const types = new TypeSpecs(name, givenTypes(model));
  const config = providerSpec(model.config, types);
  const resources = sortedRecord('resource', model.resources, leftOut, (each) => resourceSpec(each, types));
  const functions = {
    ...sortedRecord('data source', model.dataSources, leftOut, (each) => questionSpec(each, types, 'Get')),
    ...sortedRecord('function', model.functions, leftOut, (each) => functionSpec(each, types)),
    ...sortedRecord('ephemeral resource', model.ephemeralResources, leftOut, (each) =>
      questionSpec(each, types, 'Open'),
    ),
  };
  const about = `The Terraform provider ${source} ${version}.`;
  const omitted = leftOut.length === 0 ? '' : `\n\nNot offered: ${leftOut.join('; ')}.`;
  const { properties, required } = config;
  return JSON.stringify({
    name,
    version,
    description: `${about}${omitted}`,
    attribution: about,
    meta: { moduleFormat: '(.*)(?:/[^/]*)' },
    parameterization: { baseProvider: base, parameter: Buffer.from(parameter).toString('base64') },
    config: { variables: properties },
    provider: {
      ...documentation(model.config.schema.block),
      inputProperties: properties,
      ...(required.length > 0 && { requiredInputs: required }),
    },
    types: types.all,
    resources,
    functions: Object.fromEntries(Object.entries(functions).sort(([a], [b]) => (a < b ? -1 : 1))),
  });
}

function providerSpec({ shape, type }: ObjectModel, types: TypeSpecs): PropertySpecs {
  return types.properties(shape, 'inputs', capital(type));
}

function resourceSpec({ shape, token, schema }: ObjectModel, types: TypeSpecs): Spec {
  const owner = nameIn(token);
  const inputs = types.properties(shape, 'inputs', owner);
  const outputs = types.properties(shape, 'outputs', owner);
  return {
    ...documentation(schema.block),
    inputProperties: inputs.properties,
    ...(inputs.required.length > 0 && { requiredInputs: inputs.required }),
    properties: outputs.properties,
    ...(outputs.required.length > 0 && { required: outputs.required }),
    stateInputs: { properties: { ...inputs.properties, ...outputs.properties }, type: 'object' },
  };
}

/**
 * Returns the function of a data source, or of an ephemeral resource, whose results are secret: they must not be kept
 * in the clear.
 */
function questionSpec({ shape, token, schema }: ObjectModel, types: TypeSpecs, verb: 'Get' | 'Open'): Spec {
  const owner = capital(nameIn(token));
  const inputs = types.properties(shape, 'inputs', owner);
  const outputs = types.properties(shape, 'outputs', owner);
  const secret = (specs: PropertySpecs['properties']) =>
    Object.fromEntries(Object.entries(specs).map(([name, each]) => [name, { ...each, secret: true }]));
  return {
    ...documentation(schema.block),
    ...inputsSpec(inputs),
    outputs: {
      type: 'object',
      properties: verb === 'Open' ? secret(outputs.properties) : outputs.properties,
      ...(outputs.required.length > 0 && { required: outputs.required }),
    },
  };
}

function functionSpec(
  { token, signature, parameters, result }: ProviderFunctionModel,
  types: TypeSpecs,
): Spec {
  const owner = capital(nameIn(token));
  const properties = parameters.map(({ property, form, isVariadic, description }) => {
    const type = types.type(form, 'inputs', `${owner}${capital(property)}`);
    const spec = isVariadic ? { type: 'array', items: type } : type;
    return [property, { ...spec, ...(description !== '' && { description }) }] as const;
  });
  const needed = parameters.filter(({ isVariadic, allowNull }) => !isVariadic && !allowNull);
  const { summary, description, deprecationMessage } = signature;
  const about = [summary, description].filter((text) => text !== '').join('\n\n');
  return {
    ...(about !== '' && { description: about }),
    ...(deprecationMessage !== '' && { deprecationMessage }),
    ...inputsSpec({
      properties: Object.fromEntries(properties),
      required: needed.map(({ property }) => property).sort(),
    }),
    ...(properties.length > 0 && { multiArgumentInputs: properties.map(([name]) => name) }),
    outputs: resultSpec(result, types, owner),
  };
}

/**
 * Returns the schema of a result. An object is represented by its properties; any other value is the answer's only
 * property.
 */
function resultSpec(result: Form, types: TypeSpecs, owner: string): Spec {
  if (result.t !== 'object') return types.type(result, 'outputs', `${owner}Value`);
  const { properties, required } = types.properties(result.shape, 'outputs', owner);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function inputsSpec({ properties, required }: PropertySpecs): Spec {
  if (Object.keys(properties).length === 0) return {};
  return { inputs: { type: 'object', properties, ...(required.length > 0 && { required }) } };
}

function documentation({ description, deprecated, deprecationMessage }: Documentation): Spec {
  const isDeprecated = deprecated === true || deprecationMessage !== undefined;
  return {
    ...(description !== undefined && { description }),
    ...(isDeprecated && { deprecationMessage: deprecationMessage ?? 'It is deprecated.' }),
  };
}

/** Returns the names of types in the mapping. No other type takes one of them. */
function givenTypes({
  config,
  resources,
  dataSources,
  ephemeralResources,
}: ProviderModel): readonly string[] {
  const objects = [
    config,
    ...[resources, dataSources, ephemeralResources].flatMap((each) => [...each.values()]),
  ];
  return objects.flatMap(({ mappedTypes }) => mappedTypes.map(nameIn));
}

const nameIn = (token: string): string => token.slice(token.lastIndexOf(':') + 1);

/**
 * Returns schemas by token, in the order of the tokens. Entries with an invalid schema are omitted and listed by name.
 */
function sortedRecord<T extends { readonly token: string }>(
  kind: string,
  from: ReadonlyMap<string, T>,
  leftOut: string[],
  spec: (each: T) => Spec,
): Record<string, Spec> {
  const made: [string, Spec][] = [];
  for (const [name, each] of from) {
    try {
      made.push([each.token, spec(each)]);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      leftOut.push(`${kind} ${name} (${error.message})`);
    }
  }
  return Object.fromEntries(made.sort(([a], [b]) => (a < b ? -1 : 1)));
}
