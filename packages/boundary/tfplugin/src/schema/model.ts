import type { TfType } from '../values/type.js';

/** How many times, and under which keys, a block or nested object can be there. */
export type NestingMode = 'single' | 'group' | 'list' | 'set' | 'map';

/** What a description is written in. */
export type DescriptionKind = 'plain' | 'markdown';

/** The schema of a resource type, data source or provider, with the version that states of it have. */
export interface Schema {
  readonly version: number;
  readonly block: Block;
}

/** Attributes and nested blocks; both in the order of their names, frozen. */
export interface Block extends Documentation {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly blocks: ReadonlyMap<string, NestedBlock>;
}

/** What is said of a part of a schema. */
export interface Documentation {
  readonly description?: string;
  readonly descriptionKind?: DescriptionKind;
  readonly deprecated?: boolean;
  readonly deprecationMessage?: string;
}

/** One argument or result. Its form is a `type`, or `nested` attributes of their own (protocol 6). */
export type Attribute = TypedAttribute | NestedAttribute;

/** What all attributes have. */
export interface AttributeFlags extends Documentation {
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly writeOnly: boolean;
}

/** An attribute with a type. */
interface TypedAttribute extends AttributeFlags {
  readonly type: TfType;
  readonly nested?: undefined;
}

/** An attribute that is an object, or a collection of objects, of attributes with flags of their own. */
interface NestedAttribute extends AttributeFlags {
  readonly type?: undefined;
  readonly nested: NestedObject;
}

/** The attributes of a nested attribute. */
export interface NestedObject {
  readonly nesting: Exclude<NestingMode, 'group'>;
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** A block type within a block. */
export interface NestedBlock {
  readonly nesting: NestingMode;
  readonly block: Block;
  readonly minItems: number;
  /** 0: any number. */
  readonly maxItems: number;
}

/** The schema of what identifies a resource apart from its state. */
export interface IdentitySchema {
  readonly version: number;
  readonly attributes: ReadonlyMap<string, IdentityAttribute>;
}

/** One attribute of an identity. */
interface IdentityAttribute {
  readonly type: TfType;
  readonly requiredForImport: boolean;
  readonly optionalForImport: boolean;
  readonly description?: string;
}

/** Entries in the order of their names, to be read only. */
export function namedMap<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, T> {
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
