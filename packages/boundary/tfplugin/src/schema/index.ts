export { blockCounts, coerce } from './coerce.js';
export type { BlockCount } from './coerce.js';
export { concreteOf, convert, dynamicOf } from './convert.js';
export { identitySchemaOf, SchemaError, schemaOf } from './from-message.js';
export { attributeType, identityType, impliedType, nestedBlockType } from './implied-type.js';
export { namedMap } from './model.js';
export type {
  Attribute,
  AttributeFlags,
  Block,
  DescriptionKind,
  Documentation,
  IdentityAttribute,
  IdentitySchema,
  NestedAttribute,
  NestedBlock,
  NestedObject,
  NestingMode,
  Schema,
  TypedAttribute,
} from './model.js';
export { identitySchemaMessage, schemaMessage } from './to-message.js';
export { validateBlock } from './validate.js';
export type { SchemaProblem } from './validate.js';
