import type { ProviderReference, Urn } from '@cairn/addresses';
import { emptyMap } from '@cairn/values';
import type { PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';

/**
 * One resource's record in a snapshot, in memory: secrets are marked values, not ciphertexts. Entries are immutable; a
 * changed entry is a new object. Empty collections and `undefined` both mean "not in the file". Fields: [STATE-6].
 */
export interface ResourceEntry {
  readonly urn: Urn;
  readonly type: string;
  /** False for components. */
  readonly custom: boolean;
  /** The provider's id of the object; empty for components. */
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  readonly parent: Urn | undefined;
  readonly provider: ProviderReference | undefined;
  /** Pending delete: the object of a create-first replacement that still has to be deleted. */
  readonly delete: boolean;
  /** Pending replacement: deleted first and not recreated yet. */
  readonly pendingReplacement: boolean;
  readonly protect: boolean;
  readonly taint: boolean;
  /** True if the resource is read, not owned. */
  readonly external: boolean;
  readonly retainOnDelete: boolean;
  readonly refreshBeforeUpdate: boolean;
  readonly dependencies: readonly Urn[];
  /** A property without dependencies has an empty list, or {@link NULL_LIST} where the file says `null`. */
  readonly propertyDependencies: Readonly<Record<string, readonly Urn[]>>;
  readonly deletedWith: Urn | undefined;
  readonly replaceWith: readonly Urn[];
  readonly viewOf: Urn | undefined;
  readonly initErrors: readonly string[];
  readonly additionalSecretOutputs: readonly string[];
  /** The alias under which the prior entry was found; never written to a file. */
  readonly aliases: readonly Urn[];
  readonly customTimeouts: CustomTimeouts;
  readonly importId: string;
  /** RFC 3339 texts, kept as read. */
  readonly created: string | undefined;
  readonly modified: string | undefined;
  /** `project:///<path>#line[,column]`. */
  readonly sourcePosition: string | undefined;
  readonly stackTrace: readonly { readonly sourcePosition: string | undefined }[];
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  readonly hideDiffs: readonly PropertyPath[];
  readonly replacementTrigger: PropertyValue | undefined;
  readonly resourceHooks: Readonly<Record<string, readonly string[]>>;
  readonly extensionRef: string | undefined;
  readonly snippetId: string | undefined;
}

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

const blank: Omit<ResourceEntry, 'urn' | 'type' | 'custom'> = Object.freeze({
  id: '',
  inputs: emptyMap,
  outputs: emptyMap,
  parent: undefined,
  provider: undefined,
  delete: false,
  pendingReplacement: false,
  protect: false,
  taint: false,
  external: false,
  retainOnDelete: false,
  refreshBeforeUpdate: false,
  dependencies: [],
  propertyDependencies: {},
  deletedWith: undefined,
  replaceWith: [],
  viewOf: undefined,
  initErrors: [],
  additionalSecretOutputs: [],
  aliases: [],
  customTimeouts: noTimeouts,
  importId: '',
  created: undefined,
  modified: undefined,
  sourcePosition: undefined,
  stackTrace: [],
  ignoreChanges: [],
  replaceOnChanges: [],
  hideDiffs: [],
  replacementTrigger: undefined,
  resourceHooks: {},
  extensionRef: undefined,
  snippetId: undefined,
});

/** Fields to make an entry: identity, and every difference from a blank entry. */
export type ResourceEntrySpec = Pick<ResourceEntry, 'urn' | 'type' | 'custom'> & Partial<ResourceEntry>;

/** Makes an entry with every field present. Always make entries with this function, so that all have one shape. */
export function resourceEntry(spec: ResourceEntrySpec): ResourceEntry {
  return { ...blank, ...spec };
}

/** Returns the entry with some fields changed. */
export function withEntry(entry: ResourceEntry, changes: Partial<ResourceEntry>): ResourceEntry {
  return { ...entry, ...changes };
}
