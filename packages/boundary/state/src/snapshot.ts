import type { Extension } from './extension.js';
import type { Snippet } from './snippet.js';
import type { ResourceEntry } from './resource-entry.js';

/** What a step that was begun and not ended was doing [STATE-4]. */
export type PendingOperationType = 'creating' | 'updating' | 'deleting' | 'reading' | 'importing';

/** A step begun and not ended, as the file format keeps it. */
export interface PendingOperation {
  readonly type: PendingOperationType;
  readonly resource: ResourceEntry;
}

/** A stack's choice of crypter with its saved settings; `state` is the exact JSON text (compared byte by byte). */
export interface SecretsProviderRecord {
  readonly type: string;
  readonly state: string | undefined;
}

/**
 * All entries of a stack at one moment. `resources` is in topological order; an entry's position is its base index in
 * journal entries of an operation that starts from this snapshot.
 */
export interface Snapshot {
  readonly resources: readonly ResourceEntry[];
  readonly pendingOperations: readonly PendingOperation[];
  readonly secretsProvider: SecretsProviderRecord | undefined;
  /** Versions of plugins by name, from files of old versions that noted them. Absent: none. */
  readonly pluginVersions?: Readonly<Record<string, string>> | undefined;
  /** Declarative resources that are kept in state. Absent: none. */
  readonly snippets?: readonly Snippet[] | undefined;
  /** Extensions of packages by reference, for entries with an `extensionRef`. Absent: none. */
  readonly extensions?: Readonly<Record<string, Extension>> | undefined;
}

/** The snapshot of a stack that has never been deployed. */
export const emptySnapshot: Snapshot = Object.freeze({
  resources: [],
  pendingOperations: [],
  secretsProvider: undefined,
});
