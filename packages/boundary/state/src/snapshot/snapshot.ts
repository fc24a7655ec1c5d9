import type { Extension } from './extension.js';
import type { Snippet } from '../document/snippet.js';
import type { ResourceEntry } from './resource-entry.js';
import type { PendingOperationType, SecretsProviderRecord } from '../document/serialized.js';

/** Step that was begun and not ended, in the form of the file format. */
export interface PendingOperation {
  readonly type: PendingOperationType;
  readonly resource: ResourceEntry;
}

/**
 * All entries of a stack at one moment. `resources` is in topological order. An entry's position is its base index in
 * journal entries of an operation that starts from this snapshot.
 */
export interface Snapshot {
  readonly resources: readonly ResourceEntry[];
  readonly pendingOperations: readonly PendingOperation[];
  readonly secretsProvider: SecretsProviderRecord | undefined;
  /** Versions of plugins by name, from files of old versions that recorded them. Defaults to none. */
  readonly pluginVersions?: Readonly<Record<string, string>> | undefined;
  /** Declarative resources that are kept in state. Defaults to none. */
  readonly snippets?: readonly Snippet[] | undefined;
  /** Extensions of packages by reference, for entries with an `extensionRef`. Defaults to none. */
  readonly extensions?: Readonly<Record<string, Extension>> | undefined;
}

/** The snapshot of a stack that has never been deployed. */
export const emptySnapshot: Snapshot = Object.freeze({
  resources: [],
  pendingOperations: [],
  secretsProvider: undefined,
});
