import type { TfType } from '../values/type.js';

/** Number of occurrences, and kind of keys, of a block or nested object. */
export type NestingMode = 'single' | 'group' | 'list' | 'set' | 'map';

/** Format of a description. */
export type DescriptionKind = 'plain' | 'markdown';

/** Schema of a resource type, data source or provider, with the version of its states. */
export interface Schema {
  readonly version: number;
  readonly block: Block;
}

/** Attributes and nested blocks; both in the order of their names, frozen. */
export interface Block extends Documentation {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly blocks: ReadonlyMap<string, NestedBlock>;
}

/** Documentation of a part of a schema. */
export interface Documentation {
  readonly description?: string;
  readonly descriptionKind?: DescriptionKind;
  readonly deprecated?: boolean;
  readonly deprecationMessage?: string;
}

/** Argument or result. Its form is a `type`, or `nested` attributes of their own (protocol 6). */
export type Attribute = TypedAttribute | NestedAttribute;

/** Properties of all attributes. */
export interface AttributeFlags extends Documentation {
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly writeOnly: boolean;
}

/** Attribute with a type. */
interface TypedAttribute extends AttributeFlags {
  readonly type: TfType;
  readonly nested?: undefined;
}

/** Attribute that is an object, or a collection of objects, of attributes with flags of their own. */
interface NestedAttribute extends AttributeFlags {
  readonly type?: undefined;
  readonly nested: NestedObject;
}

/** Attributes of a nested attribute. */
export interface NestedObject {
  readonly nesting: Exclude<NestingMode, 'group'>;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** Block type within a block. */
export interface NestedBlock {
  readonly nesting: NestingMode;
  readonly block: Block;
  readonly minItems: number;
  /** Maximum number; 0 means no limit. */
  readonly maxItems: number;
}

/** Schema of the identity of a resource, apart from its state. */
export interface IdentitySchema {
  readonly version: number;
  readonly attributes: ReadonlyMap<string, IdentityAttribute>;
}

/** Attribute of an identity. */
interface IdentityAttribute {
  readonly type: TfType;
  readonly requiredForImport: boolean;
  readonly optionalForImport: boolean;
  readonly description?: string;
}

/** Returns a read-only map with entries in the order of their names. */
export function namedMap<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T> {
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
