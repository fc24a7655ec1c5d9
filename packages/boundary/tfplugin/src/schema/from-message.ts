import { parseType } from '../values/type.js';
import { namedMap } from './model.js';
import type {
  Attribute,
  Block,
  DescriptionKind,
  Documentation,
  IdentitySchema,
  NestedBlock,
  NestedObject,
  NestingMode,
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

/** Error: a schema of a provider has no meaning. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** Nesting modes by their number in messages. */
export const NESTING: readonly (NestingMode | undefined)[] = [
  undefined,
  'single',
  'list',
  'set',
  'map',
  'group',
];
/** Formats of descriptions, by their number in messages. */
export const DESCRIPTION_KINDS: readonly DescriptionKind[] = ['plain', 'markdown'];

/** Decodes the schema in a message of either protocol [TFV-9]. Throws {@link SchemaError}. */
export function decodeSchema(message: SchemaMessage): Schema {
  return Object.freeze({ version: message.version, block: blockOf(message.block, '') });
}

function blockOf(message: BlockMessage | undefined, place: string): Block {
  const attributes = (message?.attributes ?? []).map(
    (each) => [each.name, attributeOf(each, place)] as const,
  );
  const blocks = (message?.blockTypes ?? []).map(
    (each) => [each.typeName, nestedBlockOf(each, place)] as const,
  );
  return Object.freeze({
    attributes: unique(attributes, place),
    blocks: unique(blocks, place),
    ...(message && documentationOf(message)),
  });
}

function attributeOf(message: AttributeMessage, place: string): Attribute {
  const here = `${place}.${message.name}`;
  const { required, optional, computed, sensitive, writeOnly } = message;
  const flags = { required, optional, computed, sensitive, writeOnly, ...documentationOf(message) };
  return message.nestedType === undefined
    ? Object.freeze({ type: typeAt(message.type, here), ...flags })
    : Object.freeze({ nested: nestedOf(message.nestedType, here), ...flags });
}

function nestedOf(message: ObjectMessage, place: string): NestedObject {
  const nesting = nestingOf(message.nesting, place);
  if (nesting === 'group') throw new SchemaError(`${place}: the nesting group is for blocks only`);
  const attributes = message.attributes.map((each) => [each.name, attributeOf(each, place)] as const);
  return Object.freeze({ nesting, attributes: unique(attributes, place) });
}

function nestedBlockOf(message: NestedBlockMessage, place: string): NestedBlock {
  const here = `${place}.${message.typeName}`;
  const { minItems, maxItems } = message;
  return Object.freeze({
    nesting: nestingOf(message.nesting, here),
    block: blockOf(message.block, here),
    minItems,
    maxItems,
  });
}

function nestingOf(number: number, place: string): NestingMode {
  const mode = NESTING[number];
  if (mode === undefined) throw new SchemaError(`${place}: the nesting mode ${number} does not exist`);
  return mode;
}

function typeAt(bytes: Uint8Array, place: string) {
  try {
    return parseType(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw new SchemaError(`${place}: ${(error as Error).message}`, { cause: error });
  }
}

function unique<T>(entries: readonly (readonly [string, T])[], place: string): ReadonlyMap<string, T> {
  const map = namedMap(entries);
  if (map.size < entries.length)
    throw new SchemaError(`${place === '' ? 'root' : place}: a name is there twice`);
  return map;
}

function documentationOf(message: DocumentationMessage): Documentation {
  const { description, deprecated, deprecationMessage } = message;
  const descriptionKind = DESCRIPTION_KINDS[message.descriptionKind] ?? 'plain';
  return {
    ...(description !== '' && { description, descriptionKind }),
    ...(deprecated && { deprecated }),
    ...(deprecationMessage !== '' && { deprecationMessage }),
  };
}

/** Decodes the identity schema in a message of either protocol. Throws {@link SchemaError}. */
export function identitySchemaOf({ version, identityAttributes }: IdentitySchemaMessage): IdentitySchema {
  const attributes = identityAttributes.map(
    ({ name, type, requiredForImport, optionalForImport, description }) => {
      const parts = { type: typeAt(type, `.${name}`), requiredForImport, optionalForImport };
      return [name, Object.freeze({ ...parts, ...(description !== '' && { description }) })] as const;
    },
  );
  return Object.freeze({ version, attributes: unique(attributes, '') });
}
