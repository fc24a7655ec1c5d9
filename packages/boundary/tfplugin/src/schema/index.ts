export { blockCounts, coerce } from './coerce.js';
export { convert, dynamicOf } from './convert.js';
export { identitySchemaOf, SchemaError, decodeSchema } from './from-message.js';
export { attributeType, identityType, impliedType, nestedBlockType } from './implied-type.js';
export { namedMap } from './model.js';
export type {
  Attribute,
  AttributeFlags,
  Block,
  Documentation,
  IdentitySchema,
  NestedBlock,
  NestedObject,
  NestingMode,
  Schema,
} from './model.js';
export { identitySchemaMessage, schemaMessage } from './to-message.js';
export { validateBlock } from './validate.js';
