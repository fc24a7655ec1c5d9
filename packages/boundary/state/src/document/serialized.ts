import type { Json, JsonObject } from '../values/go-json.js';
import type { EntryFields, EntryKey } from './entry-fields.js';
import type { Snippet } from './snippet.js';

/** Types of stored values by kind. */
export interface StoredValues {
  text: string;
  label: string;
  flag: boolean;
  texts: readonly string[];
  urn: string;
  urns: readonly string[];
  urnLists: Readonly<Record<string, readonly string[] | null>>;
  textLists: Readonly<Record<string, readonly string[]>>;
  reference: string;
  paths: readonly string[];
  timeouts: Readonly<Partial<Record<'create' | 'update' | 'delete' | 'read', number>>>;
  properties: JsonObject;
  value: Json;
  trace: readonly { readonly sourcePosition?: string }[];
}

type StoredValue<K extends EntryKey> = StoredValues[EntryFields[K]['kind']];
type AlwaysStored<K extends EntryKey> = EntryFields[K] extends { readonly always: true } ? K : never;

/**
 * One resource in the form of a file: keys and texts of the format, with secrets still sealed [STATE-6]. An absent key
 * means the blank value. Code that only moves, folds or checks state works on this form and needs no passphrase.
 * Fields: `ENTRY_FIELDS`.
 */
export type SerializedResource = {
  readonly [K in keyof EntryFields as AlwaysStored<K>]: StoredValue<K>;
} & {
  readonly [K in keyof EntryFields as Exclude<K, AlwaysStored<K>>]?: StoredValue<K>;
};

/** Kinds of steps that were begun and not ended [STATE-4]. */
export type PendingOperationType = 'creating' | 'updating' | 'deleting' | 'reading' | 'importing';

/** Step that was begun and not ended, in the form of a file. */
export interface SerializedOperation {
  readonly resource: SerializedResource;
  readonly type: PendingOperationType;
}

/**
 * Author and time of a deployment. `time` is RFC 3339. `magic`: see `manifestMagic`. `plugins` is only kept from old
 * files.
 */
export interface Manifest {
  readonly time: string;
  readonly magic: string;
  readonly version: string;
  readonly plugins?: readonly Json[];
}

/** A stack's choice of crypter with its saved settings; `state` is the exact JSON text (compared byte by byte). */
export interface SecretsProviderRecord {
  readonly type: string;
  readonly state: string | undefined;
}

/** Findings of an integrity check at the last write [STATE-4]. */
export interface IntegrityErrorMetadata {
  readonly version?: string;
  readonly command?: string;
  readonly error?: string;
  /** Variables that were set. An operation or an import drops them, or writes its own. */
  readonly envVars?: Readonly<Record<string, string>>;
}

/**
 * Body of versions 3 and 4 of the format [STATE-4]. `resources` is in topological order, and an entry's position is its
 * base index in journals. Lists and maps are empty if the file has no key.
 */
export interface SerializedDeployment {
  readonly manifest: Manifest;
  readonly secretsProvider: SecretsProviderRecord | undefined;
  readonly resources: readonly SerializedResource[];
  readonly pendingOperations: readonly SerializedOperation[];
  readonly integrityError: IntegrityErrorMetadata | undefined;
  readonly snippets: readonly Snippet[];
  /** Blobs of extension parameterizations, by reference. */
  readonly extensions: Readonly<Record<string, Json>>;
  /** True if some string, maybe inside a secret, is not valid UTF-8. It is the only feature that sealed values hide. */
  readonly byteStrings: boolean;
}

/** Manifest of a deployment that has not been written yet. */
export const noManifest: Manifest = Object.freeze({ time: '0001-01-01T00:00:00Z', magic: '', version: '' });

/** A deployment without content. */
export const emptyDeployment: SerializedDeployment = Object.freeze({
  manifest: noManifest,
  secretsProvider: undefined,
  resources: [],
  pendingOperations: [],
  integrityError: undefined,
  snippets: [],
  extensions: {},
  byteStrings: false,
});
