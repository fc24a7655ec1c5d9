import type { ProviderReference, Urn } from '@cairn/addresses';
import { emptyMap } from '@cairn/values';
import type { PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';
import { ENTRY_FIELD_LIST } from '../document/entry-fields.js';
import type { EntryFields, EntryKey, EntryProperty, FieldKind } from '../document/entry-fields.js';

/** Types of values in memory by kind. */
export interface EntryValues {
  text: string;
  label: string | undefined;
  flag: boolean;
  texts: readonly string[];
  urn: Urn | undefined;
  urns: readonly Urn[];
  urnLists: Readonly<Record<string, readonly Urn[]>>;
  textLists: Readonly<Record<string, readonly string[]>>;
  reference: ProviderReference | undefined;
  paths: readonly PropertyPath[];
  timeouts: CustomTimeouts;
  properties: PropertyMap;
  value: PropertyValue | undefined;
  trace: readonly { readonly sourcePosition: string | undefined }[];
}

type EntryValue<K extends EntryKey> = EntryFields[K] extends { readonly always: true }
  ? NonNullable<EntryValues[EntryFields[K]['kind']]>
  : EntryValues[EntryFields[K]['kind']];

/**
 * One resource's record in a snapshot, in memory: secrets are marked values, not ciphertexts. Entries are immutable; a
 * changed entry is a new object. A blank value means "not in the file". Fields: `ENTRY_FIELDS` [STATE-6].
 */
export type ResourceEntry = {
  readonly [K in keyof EntryFields as EntryProperty<K>]: EntryValue<K>;
};

/**
 * The empty list that a file has as `null`. Its identity distinguishes it from others, so that it is written as it was
 * read [STATE-6].
 */
export const NULL_LIST: readonly Urn[] = Object.freeze([]);

/** Timeouts in seconds by operation; 0 means the provider's own. */
export interface CustomTimeouts {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly read: number;
}

/** Timeouts of a resource that sets none. */
export const noTimeouts: CustomTimeouts = Object.freeze({ create: 0, update: 0, delete: 0, read: 0 });

/** Values of fields that a document does not have, by kind. They are shared and never changed. */
export const BLANK_VALUES: { readonly [K in FieldKind]: EntryValues[K] } = {
  text: '',
  label: undefined,
  flag: false,
  texts: [],
  urn: undefined,
  urns: [],
  urnLists: {},
  textLists: {},
  reference: undefined,
  paths: [],
  timeouts: noTimeouts,
  properties: emptyMap,
  value: undefined,
  trace: [],
};

/**
 * Template of all entries. V8 copies it at once, because it has every field and is not frozen; else a new entry would
 * take five times the memory and ten times as long.
 */
const blank = {
  ...Object.fromEntries(ENTRY_FIELD_LIST.map(({ property, kind }) => [property, BLANK_VALUES[kind]])),
} as unknown as ResourceEntry;

/** Fields to make an entry: identity, and every difference from a blank entry. */
export type ResourceEntrySpec = Pick<ResourceEntry, 'urn' | 'type' | 'custom'> & Partial<ResourceEntry>;

/** Makes an entry with every field present. Always make entries with this function, so that all have one shape. */
export function resourceEntry(spec: ResourceEntrySpec): ResourceEntry {
  return { ...blank, ...spec };
}

/** Returns a new entry with blank values, to be filled by its caller. Its shape is that of {@link resourceEntry}. */
export function blankEntry(): ResourceEntry {
  return { ...blank };
}

/** Returns the entry with some fields changed. */
export function withEntry(entry: ResourceEntry, changes: Partial<ResourceEntry>): ResourceEntry {
  return { ...entry, ...changes };
}
