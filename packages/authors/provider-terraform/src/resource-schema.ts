import { impliedType, namedMap } from '@cairn/tfplugin';
import type { ObjectType, Schema } from '@cairn/tfplugin';
import type { AnyResourceDefinition } from '@cairn/provider-sdk/protocols';
import type { AnyFunction, ProviderDefinition } from '@cairn/provider-sdk/protocols';
import { shapeSpec } from '@cairn/provider-sdk/protocols';
import type { PropertySpec, ShapeSpec } from '@cairn/provider-sdk/protocols';
import { fieldsBlock, fieldsOf, inputFlags, outputFlags } from './fields.js';
import type { FieldFlags, Fields, Protocol } from './fields.js';
import { configNames, dataSourceNames, resourceNames } from './names.js';

/** Both sides of a served definition: shapes of properties, and the fields that represent them as one state. */
export interface ServedShapes {
  readonly inputs: ShapeSpec;
  readonly outputs: ShapeSpec;
  /** Inputs and outputs by attribute. The `id` of a resource is not one of them. */
  readonly fields: Fields;
  readonly schema: Schema;
  readonly type: ObjectType;
}

const ID = {
  type: 'string',
  required: false,
  optional: false,
  computed: true,
  sensitive: false,
  writeOnly: false,
  description: "The provider's name for the object.",
  descriptionKind: 'plain',
} as const;

/**
 * Converts a resource type to a schema: inputs and outputs are one state. Inputs with a default, inputs that the
 * provider chooses, and inputs that are always reported are computed as well.
 */
// [TFS-2]
export function servedResource(definition: AnyResourceDefinition, protocol: Protocol): ServedShapes {
  const { inputs, outputs } = shapesOf(definition);
  const revealed = revealedOutputs(definition, inputs);
  const names = resourceNames([...Object.keys(inputs), ...Object.keys(outputs)]);
  const flagsOf = (spec: PropertySpec, property: string): FieldFlags => {
    const [given, reported] = [inputs[property], outputs[property]];
    const sensitive = spec.secret || reported?.secret === true || revealed.has(property);
    if (given === undefined) return { ...outputFlags(spec), sensitive };
    const flags = inputFlags(given);
    const always = flags.optional && reported !== undefined && reported.presence !== 'optional';
    return { ...flags, computed: flags.computed || always, sensitive };
  };
  const fields = fieldsOf({ ...outputs, ...inputs }, names, flagsOf, protocol);
  const block = fieldsBlock(fields, definition.description);
  const attributes = namedMap([...block.attributes, ['id', ID]]);
  const schema = { version: definition.migrations?.length ?? 0, block: { ...block, attributes } };
  return { inputs, outputs, fields, schema, type: impliedType(schema.block) };
}

/** Converts a function to a data source: its arguments, and its answer. */
export function servedFunction(definition: AnyFunction, protocol: Protocol): ServedShapes {
  const { inputs, outputs } = shapesOf(definition);
  const names = dataSourceNames([...Object.keys(inputs), ...Object.keys(outputs)]);
  const flagsOf = (spec: PropertySpec, property: string): FieldFlags => {
    const [given, reported] = [inputs[property], outputs[property]];
    if (given === undefined) return outputFlags(spec);
    const flags = inputFlags(given);
    return {
      ...flags,
      computed: flags.computed || (flags.optional && reported !== undefined),
      sensitive: spec.secret || reported?.secret === true,
    };
  };
  const fields = fieldsOf({ ...outputs, ...inputs }, names, flagsOf, protocol);
  const schema = { version: 0, block: fieldsBlock(fields, definition.description) };
  return { inputs, outputs, fields, schema, type: impliedType(schema.block) };
}

/** Converts the configuration of a provider. Nothing is computed: defaults are filled in when it is configured. */
export function servedConfig({ config, description }: ProviderDefinition, protocol: Protocol): ServedShapes {
  const inputs = shapeSpec(config ?? {});
  const flagsOf = (spec: PropertySpec): FieldFlags => ({ ...inputFlags(spec), computed: false });
  const fields = fieldsOf(inputs, configNames(Object.keys(inputs)), flagsOf, protocol);
  const schema = { version: 0, block: fieldsBlock(fields, description) };
  return { inputs, outputs: {}, fields, schema, type: impliedType(schema.block) };
}

function shapesOf({ inputs, outputs }: AnyResourceDefinition | AnyFunction): {
  inputs: ShapeSpec;
  outputs: ShapeSpec;
} {
  return { inputs: shapeSpec(inputs), outputs: shapeSpec(outputs) };
}

/** Returns the outputs from which a secret input can be read. */
function revealedOutputs({ reveals = {} }: AnyResourceDefinition, inputs: ShapeSpec): ReadonlySet<string> {
  const isRevealing = ([, of]: [string, readonly string[] | undefined]): boolean =>
    (of ?? []).some((name) => inputs[name]?.secret === true);
  return new Set(
    Object.entries(reveals)
      .filter(isRevealing)
      .map(([name]) => name),
  );
}
