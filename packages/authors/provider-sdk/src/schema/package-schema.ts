import { capital } from '@cairn/addresses';
import type { AnyComponent } from '../component-definition.js';
import type { AnyResourceDefinition } from '../definition.js';
import type { ProviderDefinition } from '../package-definition.js';
import { shapeSpec } from './property.js';
import type { PropertySpec, ShapeSpec, TypeSpec } from './property.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the package schema that code generators read (GetSchema, version 0): resources, functions, configuration and
 * object types.
 */
export function packageSchema(
  definition: ProviderDefinition,
  made?: { readonly base: ProviderDefinition; readonly value: Uint8Array },
): string {
  const types: Record<string, Json> = {};
  const entries = (shape: ShapeSpec, owner: string): Json => properties(shape, owner, definition.name, types);
  const config = shapeSpec(definition.config ?? {});
  const typeWith = (more: Json) => (entry: [token: string, AnyResourceDefinition | AnyComponent]) => {
    const [token, resource] = entry;
    const owner = token.split(':')[1] ?? token;
    const [inputs, outputs] = [shapeSpec(resource.inputs), shapeSpec(resource.outputs)];
    const body = {
      description: resource.description,
      ...more,
      inputProperties: entries(inputs, owner),
      requiredInputs: requiredKeys(inputs),
      properties: entries(outputs, owner),
      required: Object.keys(outputs).filter((key) => isReported(outputs[key])),
      ...methodsOf(`${definition.name}:${token}`, resource),
    };
    return [`${definition.name}:${token}`, body] as const;
  };
  const resources = Object.entries(definition.resources).map(typeWith({}));
  const components = Object.entries(definition.components ?? {}).map(typeWith({ isComponent: true }));
  const withMethods = { ...definition.resources, ...definition.components };
  const methods = Object.entries(withMethods).flatMap(([token, { methods = {} }]) =>
    Object.entries(methods).map(([name, method]) => {
      const owner = capital(name) + (token.split(':')[1] ?? token);
      const self = { $ref: `#/resources/${definition.name}:${token}` };
      const inputs = shapeSpec(method.inputs);
      const outputs = shapeSpec(method.outputs);
      const body = {
        description: method.description,
        inputs: {
          type: 'object',
          properties: { __self__: self, ...entries(inputs, owner) },
          required: ['__self__', ...requiredKeys(inputs)],
        },
        outputs: {
          type: 'object',
          properties: entries(outputs, `${owner}Result`),
          required: requiredKeys(outputs),
        },
      };
      return [`${definition.name}:${token}/${name}`, body] as const;
    }),
  );
  const functions = Object.entries(definition.functions ?? {}).map(([token, func]) => {
    const owner = token.split(':')[1] ?? token;
    const [inputs, outputs] = [shapeSpec(func.inputs), shapeSpec(func.outputs)];
    const body = {
      description: func.description,
      inputs: { type: 'object', properties: entries(inputs, owner), required: requiredKeys(inputs) },
      outputs: {
        type: 'object',
        properties: entries(outputs, `${owner}Result`),
        required: requiredKeys(outputs),
      },
    };
    return [`${definition.name}:${token}`, body] as const;
  });
  return JSON.stringify({
    name: definition.name,
    version: definition.version,
    description: definition.description,
    config: { variables: entries(config, 'Config'), required: requiredKeys(config) },
    provider: { inputProperties: entries(config, 'Provider'), requiredInputs: requiredKeys(config) },
    resources: Object.fromEntries([...resources, ...components]),
    functions: Object.fromEntries([...functions, ...methods]),
    types,
    ...(made && {
      parameterization: {
        baseProvider: { name: made.base.name, version: made.base.version },
        parameter: Buffer.from(made.value).toString('base64'),
      },
    }),
  });
}

/** Tells whether every answer contains an output. */
const isReported = (spec: PropertySpec | undefined): boolean =>
  spec?.presence === 'required' || spec?.presence === 'computed';

function methodsOf(token: string, { methods = {} }: { readonly methods?: object | undefined }): Json {
  const names = Object.keys(methods);
  return names.length === 0
    ? {}
    : { methods: Object.fromEntries(names.map((name) => [name, `${token}/${name}`])) };
}

function requiredKeys(shape: ShapeSpec): readonly string[] {
  return Object.keys(shape).filter((key) => shape[key]?.presence === 'required');
}

function properties(shape: ShapeSpec, owner: string, pkg: string, types: Record<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(shape).map(([key, spec]) => [key, propertySchema(spec, owner + capital(key), pkg, types)]),
  );
}

function propertySchema(
  spec: PropertySpec,
  typeName: string,
  pkg: string,
  types: Record<string, Json>,
): Json {
  const { type, description, secret, replaceOnChange, presence, defaultValue } = spec;
  return {
    ...typeSchema(type, typeName, pkg, types),
    ...(description === '' ? {} : { description }),
    ...(presence === 'defaulted' && isScalar(defaultValue) ? { default: defaultValue } : {}),
    ...(secret ? { secret: true } : {}),
    ...(replaceOnChange ? { willReplaceOnChanges: true } : {}),
  };
}

/**
 * Returns a type's schema. Objects and enums are types of their own in it, with their own name or one derived from
 * their place.
 */
function typeSchema(type: TypeSpec, typeName: string, pkg: string, types: Record<string, Json>): Json {
  switch (type.kind) {
    case 'string': {
      if (type.oneOf === undefined) return { type: 'string' };
      const token = `${pkg}:index:${type.name ?? typeName}`;
      types[token] = {
        type: 'string',
        enum: type.oneOf.map((value, index) => ({ name: type.memberNames?.[index], value })),
      };
      return { $ref: `#/types/${token}` };
    }
    case 'asset':
      return { $ref: 'pulumi.json#/Asset' };
    case 'archive':
      return { $ref: 'pulumi.json#/Archive' };
    case 'resource':
      return { $ref: type.token === undefined ? 'pulumi.json#/Any' : `#/resources/${pkg}:${type.token}` };
    case 'integer':
    case 'number':
    case 'boolean':
      return { type: type.kind };
    case 'any':
      return { $ref: 'pulumi.json#/Any' };
    case 'array':
      return { type: 'array', items: propertySchema(type.items, typeName, pkg, types) };
    case 'map':
      return { type: 'object', additionalProperties: propertySchema(type.values, typeName, pkg, types) };
    case 'object': {
      const token = `${pkg}:index:${type.name ?? typeName}`;
      types[token] = {
        type: 'object',
        properties: properties(type.properties, typeName, pkg, types),
        required: requiredKeys(type.properties),
      };
      return { $ref: `#/types/${token}` };
    }
  }
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
