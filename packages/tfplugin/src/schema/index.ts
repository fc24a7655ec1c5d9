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
