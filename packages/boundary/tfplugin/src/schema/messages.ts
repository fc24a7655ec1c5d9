/** Schema in messages of both protocols. Protocol 5 has no nested attributes. */
export interface SchemaMessage {
  version: number;
  block: BlockMessage | undefined;
}

/** See {@link SchemaMessage}. */
export interface DocumentationMessage {
  description: string;
  descriptionKind: 0 | 1;
  deprecated: boolean;
  deprecationMessage: string;
}

/** See {@link SchemaMessage}. */
export interface BlockMessage extends DocumentationMessage {
  version: number;
  attributes: AttributeMessage[];
  blockTypes: NestedBlockMessage[];
}

/** See {@link SchemaMessage}. */
export interface AttributeMessage extends DocumentationMessage {
  name: string;
  type: Uint8Array;
  required: boolean;
  optional: boolean;
  computed: boolean;
  sensitive: boolean;
  nestedType?: ObjectMessage | undefined;
  writeOnly: boolean;
}

/** See {@link SchemaMessage}. */
export interface NestedBlockMessage {
  typeName: string;
  block: BlockMessage | undefined;
  nesting: 0 | 1 | 2 | 3 | 4 | 5;
  minItems: number;
  maxItems: number;
}

/** See {@link SchemaMessage}. */
export interface ObjectMessage {
  attributes: AttributeMessage[];
  nesting: 0 | 1 | 2 | 3 | 4;
  minItems: number;
  maxItems: number;
}

/** See {@link SchemaMessage}. */
export interface IdentitySchemaMessage {
  version: number;
  identityAttributes: {
    name: string;
    type: Uint8Array;
    requiredForImport: boolean;
    optionalForImport: boolean;
    description: string;
  }[];
}
