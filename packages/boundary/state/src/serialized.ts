import type { Json, JsonObject } from './go-json.js';
import type { Snippet } from './snippet.js';
import type { PendingOperationType, SecretsProviderRecord } from './snapshot.js';

/**
 * One resource as it stands in a file: keys and texts of the format, secrets still sealed [STATE-6]. An absent key
 * means the empty value. Everything that only moves, folds or checks state works on this form and needs no passphrase.
 */
export interface SerializedResource {
  readonly urn: string;
  readonly custom: boolean;
  readonly delete?: boolean;
  readonly id?: string;
  readonly type: string;
  readonly inputs?: JsonObject;
  readonly outputs?: JsonObject;
  readonly parent?: string;
  readonly protect?: boolean;
  readonly taint?: boolean;
  readonly external?: boolean;
  readonly dependencies?: readonly string[];
  readonly initErrors?: readonly string[];
  readonly provider?: string;
  readonly propertyDependencies?: Readonly<Record<string, readonly string[] | null>>;
  readonly pendingReplacement?: boolean;
  readonly additionalSecretOutputs?: readonly string[];
  readonly aliases?: readonly string[];
  /** Seconds. */
  readonly customTimeouts?: Readonly<Partial<Record<'create' | 'update' | 'delete' | 'read', number>>>;
  readonly importID?: string;
  readonly retainOnDelete?: boolean;
  readonly deletedWith?: string;
  readonly replaceWith?: readonly string[];
  readonly created?: string;
  readonly modified?: string;
  readonly sourcePosition?: string;
  readonly stackTrace?: readonly { readonly sourcePosition?: string }[];
  readonly ignoreChanges?: readonly string[];
  /** Texts of property paths. */
  readonly hideDiff?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly replacementTrigger?: Json;
  readonly refreshBeforeUpdate?: boolean;
  readonly viewOf?: string;
  readonly resourceHooks?: Readonly<Record<string, readonly string[]>>;
  readonly extensionRef?: string;
  readonly snippetID?: string;
}

/** A step begun and not ended, as it stands in a file. */
export interface SerializedOperation {
  readonly resource: SerializedResource;
  readonly type: PendingOperationType;
}

/**
 * Who wrote a deployment and when. `time`: RFC 3339. `magic`: see `manifestMagic`. `plugins`: kept from old files only.
 */
export interface Manifest {
  readonly time: string;
  readonly magic: string;
  readonly version: string;
  readonly plugins?: readonly Json[];
}

/** What an integrity check found at the last write [STATE-4]. */
export interface IntegrityErrorMetadata {
  readonly version?: string;
  readonly command?: string;
  readonly error?: string;
  /** Variables that were set; an operation or an import drops them, or writes its own. */
  readonly envVars?: Readonly<Record<string, string>>;
}

/**
 * The body of versions 3 and 4 of the format [STATE-4]. `resources` is in topological order and an entry's position is
 * its base index in journals. Lists and maps are empty where the file has no key.
 */
export interface SerializedDeployment {
  readonly manifest: Manifest;
  readonly secretsProvider: SecretsProviderRecord | undefined;
  readonly resources: readonly SerializedResource[];
  readonly pendingOperations: readonly SerializedOperation[];
  readonly integrityError: IntegrityErrorMetadata | undefined;
  readonly snippets: readonly Snippet[];
  /** Ref to blob of an extension parameterization. */
  readonly extensions: Readonly<Record<string, Json>>;
  /** Some string somewhere, maybe inside a secret, is not valid UTF-8: the one feature that sealed values hide. */
  readonly byteStrings: boolean;
}

/** The manifest of a deployment that nobody has written yet. */
export const noManifest: Manifest = Object.freeze({ time: '0001-01-01T00:00:00Z', magic: '', version: '' });

/** A deployment with nothing in it. */
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
