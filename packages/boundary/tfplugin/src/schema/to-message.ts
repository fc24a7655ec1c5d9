import { typeJson } from '../values/type.js';
import { attributeType } from './implied-type.js';
import { DESCRIPTION_KINDS, NESTING, SchemaError } from './from-message.js';
import type {
  Attribute,
  Block,
  Documentation,
  IdentitySchema,
  NestedBlock,
  NestedObject,
  Schema,
} from './model.js';
import type {
  AttributeMessage,
  BlockMessage,
  DocumentationMessage,
  IdentitySchemaMessage,
  NestedBlockMessage,
  ObjectMessage,
  SchemaMessage,
} from './messages.js';

const NO_BYTES = new Uint8Array();

/**
 * Encodes a schema as a message of a protocol [TFV-9]. Throws {@link SchemaError} for a nested attribute in protocol 5,
 * which has none.
 */
export function schemaMessage(schema: Schema, protocol: 5 | 6): SchemaMessage {
  return { version: schema.version, block: blockMessage(schema.block, protocol) };
}

function blockMessage(block: Block, protocol: 5 | 6): BlockMessage {
  return {
    version: 0,
    attributes: [...block.attributes].map(([name, each]) => attributeMessage(name, each, protocol)),
    blockTypes: [...block.blocks].map(([name, each]) => nestedBlockMessage(name, each, protocol)),
    ...documentationMessage(block),
  };
}

function attributeMessage(name: string, attribute: Attribute, protocol: 5 | 6): AttributeMessage {
  const { required, optional, computed, sensitive, writeOnly, nested } = attribute;
  if (nested !== undefined && protocol === 5) {
    throw new SchemaError(`attribute ${name}: protocol 5 has no attributes with attributes of their own`);
  }
  return {
    name,
    type: nested === undefined ? Buffer.from(typeJson(attributeType(attribute))) : NO_BYTES,
    nestedType: nested && objectMessage(nested, protocol),
    ...{ required, optional, computed, sensitive, writeOnly },
    ...documentationMessage(attribute),
  };
}

function objectMessage({ nesting, attributes }: NestedObject, protocol: 5 | 6): ObjectMessage {
  return {
    attributes: [...attributes].map(([name, each]) => attributeMessage(name, each, protocol)),
    nesting: NESTING.indexOf(nesting) as ObjectMessage['nesting'],
    minItems: 0,
    maxItems: 0,
  };
}

function nestedBlockMessage(typeName: string, nested: NestedBlock, protocol: 5 | 6): NestedBlockMessage {
  const { nesting, block, minItems, maxItems } = nested;
  const number = NESTING.indexOf(nesting) as NestedBlockMessage['nesting'];
  return { typeName, block: blockMessage(block, protocol), nesting: number, minItems, maxItems };
}

function documentationMessage(of: Documentation): DocumentationMessage {
  return {
    description: of.description ?? '',
    descriptionKind: DESCRIPTION_KINDS.indexOf(of.descriptionKind ?? 'plain') as 0 | 1,
    deprecated: of.deprecated ?? false,
    deprecationMessage: of.deprecationMessage ?? '',
  };
}

/** Encodes an identity schema as a message of either protocol. */
export function identitySchemaMessage({ version, attributes }: IdentitySchema): IdentitySchemaMessage {
  return {
    version,
    identityAttributes: [...attributes].map(([name, each]) => ({
      name,
      type: Buffer.from(typeJson(each.type)),
      requiredForImport: each.requiredForImport,
      optionalForImport: each.optionalForImport,
      description: each.description ?? '',
    })),
  };
}
