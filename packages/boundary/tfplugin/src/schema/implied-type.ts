import { hasDynamic, listOf, mapOf, objectOf, setOf } from '../values/type.js';
import type { ObjectType, TfType } from '../values/type.js';
import type { Attribute, Block, IdentitySchema, NestedBlock, NestingMode } from './model.js';

const blockTypes = new WeakMap<Block, ObjectType>();
const attributeTypes = new WeakMap<Attribute, TfType>();

/** Returns the type of a block's values [TFV-2]: an object with every attribute and every nested block type. */
export function impliedType(block: Block): ObjectType {
  let type = blockTypes.get(block);
  if (type === undefined) {
    const attributes = [...block.attributes].map(([name, each]) => [name, attributeType(each)] as const);
    const blocks = [...block.blocks].map(([name, each]) => [name, nestedBlockType(each)] as const);
    blockTypes.set(block, (type = objectOf(record([...attributes, ...blocks]))));
  }
  return type;
}

/** Returns the type of an attribute's values. */
export function attributeType(attribute: Attribute): TfType {
  if (attribute.nested === undefined) return attribute.type;
  let type = attributeTypes.get(attribute);
  if (type === undefined) {
    const { nesting, attributes } = attribute.nested;
    const object = objectOf(record([...attributes].map(([name, each]) => [name, attributeType(each)])));
    attributeTypes.set(attribute, (type = nestedType(nesting, object)));
  }
  return type;
}

/**
 * Returns the type of a block type's values. Lists and maps of blocks that bring types of their own are `dynamic`: a
 * tuple or an object, because their elements may differ in type.
 */
export function nestedBlockType({ nesting, block }: NestedBlock): TfType {
  const object = impliedType(block);
  return (nesting === 'list' || nesting === 'map') && hasDynamic(object)
    ? 'dynamic'
    : nestedType(nesting, object);
}

function nestedType(nesting: NestingMode, object: ObjectType): TfType {
  if (nesting === 'list') return listOf(object);
  if (nesting === 'set') return setOf(object);
  return nesting === 'map' ? mapOf(object) : object;
}

/** Returns the type of an identity's values. */
export function identityType(schema: IdentitySchema): ObjectType {
  return objectOf(record([...schema.attributes].map(([name, { type }]) => [name, type])));
}

function record<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const made = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) made[name] = value;
  return made;
}
