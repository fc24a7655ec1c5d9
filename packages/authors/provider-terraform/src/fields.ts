import { attributeType, listOf, mapOf, namedMap, nestedBlockType, objectOf, setOf } from '@cairn/tfplugin';
import type { Attribute, AttributeFlags, Block, NestedBlock, TfType } from '@cairn/tfplugin';
import type { PropertySpec, ShapeSpec, TypeSpec } from '@cairn/provider-sdk/protocols';
import { nestedNames } from './names.js';
import type { Names } from './names.js';

/** Form of nested objects: protocol 6 has attributes within attributes, protocol 5 has blocks only. */
export type Protocol = 5 | 6;

/** Attributes by name. */
export type Fields = ReadonlyMap<string, Field>;

/** One property as an attribute or a block. */
export interface Field {
  readonly property: string;
  readonly name: string;
  readonly spec: PropertySpec;
  readonly flags: FieldFlags;
  readonly type: TfType;
  /** Nested objects, if they have flags of their own. */
  readonly nested: Nested | undefined;
}

/** Source of a value. */
export interface FieldFlags {
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
}

/** Objects within a field. */
export interface Nested {
  readonly mode: 'single' | 'list' | 'set' | 'map';
  readonly fields: Fields;
  /** True if they are declared as blocks: an absent value is then empty. */
  readonly block: boolean;
}

/** Returns a property as a field. */
function fieldOf(
  property: string,
  name: string,
  spec: PropertySpec,
  flags: FieldFlags,
  protocol: Protocol,
): Field {
  const nested = nestedOf(spec, flags, protocol);
  const field = { property, name, spec, flags, nested };
  return { ...field, type: nested === undefined ? plainType(spec.type) : typeOfNested(field as Field) };
}

/** Returns fields of a shape with the flags that follow from their presence. */
function inputFields(shape: ShapeSpec, protocol: Protocol): Fields {
  return fieldsOf(shape, nestedNames(shape), (spec) => inputFlags(spec), protocol);
}

/** Returns all properties of a shape as fields. */
export function fieldsOf(
  shape: ShapeSpec,
  names: Names,
  flagsOf: (spec: PropertySpec, property: string) => FieldFlags,
  protocol: Protocol,
): Fields {
  return namedMap(
    Object.entries(shape).map(([property, spec]) => {
      const name = names.attributes.get(property) as string;
      return [name, fieldOf(property, name, spec, flagsOf(spec, property), protocol)] as const;
    }),
  );
}

/** Returns the flags of a property that programs set: required or optional, and filled in if it has a default. */
export function inputFlags({ presence, secret }: PropertySpec): FieldFlags {
  return {
    required: presence === 'required',
    optional: presence !== 'required',
    computed: presence === 'defaulted' || presence === 'computed',
    sensitive: secret,
  };
}

/** Returns the flags of a property that only the provider reports. */
export const outputFlags = ({ secret }: PropertySpec): FieldFlags => ({
  required: false,
  optional: false,
  computed: true,
  sensitive: secret,
});

function nestedOf({ type }: PropertySpec, flags: FieldFlags, protocol: Protocol): Nested | undefined {
  const found = objectsIn(type);
  if (found === undefined) return undefined;
  const { mode, shape } = found;
  if (!flags.required && !flags.optional) {
    if (protocol === 5) return undefined;
    const fields = fieldsOf(shape, nestedNames(shape), outputFlags, protocol);
    return { mode, fields, block: false };
  }
  // Blocks cannot be filled in: in protocol 5 a property with a default or a chosen value remains a plain attribute.
  if (protocol === 5 && flags.computed) return undefined;
  return { mode, fields: inputFields(shape, protocol), block: protocol === 5 };
}

/**
 * Returns the shape of the objects in a type. Undefined if there are none, or if they are free values in a collection.
 */
function objectsIn(type: TypeSpec): { mode: Nested['mode']; shape: ShapeSpec } | undefined {
  if (type.kind === 'object') return { mode: 'single', shape: type.properties };
  if (isFree(type)) return undefined;
  if (type.kind === 'array' && type.items.type.kind === 'object') {
    return { mode: type.unordered === true ? 'set' : 'list', shape: type.items.type.properties };
  }
  if (type.kind === 'map' && type.values.type.kind === 'object') {
    return { mode: 'map', shape: type.values.type.properties };
  }
  return undefined;
}

/**
 * Tells whether values of a type have their own types: any value, and collections whose elements may differ in type.
 */
export function isFree(type: TypeSpec): boolean {
  if (type.kind === 'any') return true;
  if (type.kind === 'array') return holdsFree(type.items.type);
  return type.kind === 'map' && holdsFree(type.values.type);
}

function holdsFree(type: TypeSpec): boolean {
  if (type.kind === 'object') return Object.values(type.properties).some((each) => holdsFree(each.type));
  return isFree(type);
}

/** Returns the type of values without flags of their own. Throws RangeError for files, which have no such type. */
export function plainType(type: TypeSpec): TfType {
  if (isFree(type)) return 'dynamic';
  switch (type.kind) {
    case 'string':
    case 'resource':
      return 'string';
    case 'asset':
    case 'archive':
      throw new RangeError('a resource with a file among its properties cannot be served to Terraform');
    case 'boolean':
      return 'bool';
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return (type.unordered === true ? setOf : listOf)(plainType(type.items.type));
    case 'map':
      return mapOf(plainType(type.values.type));
    case 'object': {
      const { attributes } = nestedNames(type.properties);
      const members = Object.entries(type.properties).map(([property, spec]) => [
        attributes.get(property) as string,
        plainType(spec.type),
      ]);
      return objectOf(Object.fromEntries(members) as Record<string, TfType>);
    }
    case 'any':
      return 'dynamic';
  }
}

/** Returns the block of some fields. */
export function fieldsBlock(fields: Fields, description?: string): Block {
  const all = [...fields.values()];
  const attributes = all.filter(({ nested }) => nested?.block !== true);
  const blocks = all.filter(({ nested }) => nested?.block === true);
  return {
    attributes: namedMap(attributes.map((field) => [field.name, attributeOf(field)])),
    blocks: namedMap(blocks.map((field) => [field.name, nestedBlockOf(field)])),
    ...(description !== undefined &&
      description !== '' && { description, descriptionKind: 'plain' as const }),
  };
}

function attributeOf(field: Field): Attribute {
  const { spec, flags, type, nested } = field;
  const common: AttributeFlags = {
    ...flags,
    writeOnly: false,
    ...(describe(spec) !== '' && { description: describe(spec), descriptionKind: 'plain' }),
  };
  if (nested === undefined) return { ...common, type };
  const attributes = namedMap([...nested.fields].map(([name, each]) => [name, attributeOf(each)]));
  return { ...common, nested: { nesting: nested.mode, attributes } };
}

function nestedBlockOf({ spec, flags, nested }: Field): NestedBlock {
  const { mode, fields } = nested as Nested;
  const { type } = spec;
  const block = fieldsBlock(fields, describe(spec));
  if (mode === 'single') {
    const count = flags.required ? 1 : 0;
    return { nesting: mode, block, minItems: count, maxItems: count };
  }
  if (mode === 'map' || type.kind !== 'array') return { nesting: mode, block, minItems: 0, maxItems: 0 };
  // An optional list that is omitted may have fewer items than one that is given.
  const minItems = flags.required ? (type.minItems ?? 0) : 0;
  return { nesting: mode, block, minItems, maxItems: type.maxItems ?? 0 };
}

/** Returns the description of a property, with the texts that it accepts. */
function describe({ description, type }: PropertySpec): string {
  if (type.kind !== 'string' || type.oneOf === undefined) return description;
  const texts = `One of ${type.oneOf.map((text) => JSON.stringify(text)).join(', ')}.`;
  return description === '' ? texts : `${description} ${texts}`;
}

function typeOfNested(field: Field): TfType {
  if (field.nested?.block === true) return nestedBlockType(nestedBlockOf(field));
  return attributeType(attributeOf(field));
}
