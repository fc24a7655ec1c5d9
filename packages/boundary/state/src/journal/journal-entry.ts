import type { Json } from '../values/go-json.js';
import type { PendingOperation } from '../snapshot/snapshot.js';
import type { ResourceEntry } from '../snapshot/resource-entry.js';
import type { SecretsProviderRecord, SerializedDeployment } from '../document/serialized.js';
import type { Snippet } from '../document/snippet.js';

/** Kinds of journal entries [JRN-1]; the exchange format numbers them in this order, from 0. */
export const JOURNAL_KINDS = [
  'begin',
  'success',
  'failure',
  'refresh-success',
  'outputs',
  'write',
  'secrets-manager',
  'rebuilt-base-state',
  'extension-parameterize',
  'snippets',
] as const;

/** Kind of a journal entry. */
export type JournalKind = (typeof JOURNAL_KINDS)[number];

/**
 * One mutation of the snapshot, in memory. `…Old` fields are base indexes into the snapshot from which the operation
 * started. `…New` fields are operation ids of the entry that added the resource [JRN-1]. Sequence ids start at 1 and
 * grow by order of writing. Operation ids are 0 if a kind has none.
 */
export interface JournalEntry {
  readonly kind: JournalKind;
  readonly sequenceId: number;
  readonly operationId: number;
  readonly removeOld?: number | undefined;
  readonly removeNew?: number | undefined;
  readonly pendingReplacementOld?: number | undefined;
  readonly pendingReplacementNew?: number | undefined;
  readonly deleteOld?: number | undefined;
  readonly deleteNew?: number | undefined;
  readonly state?: ResourceEntry | undefined;
  readonly operation?: PendingOperation | undefined;
  readonly isRefresh?: boolean | undefined;
  readonly secretsProvider?: SecretsProviderRecord | undefined;
  /** For `write`: the deployment that becomes the base, with secrets sealed. */
  readonly newSnapshot?: SerializedDeployment | undefined;
  /** For `snippets`: the full list. */
  readonly snippets?: readonly Snippet[] | undefined;
  /** For `extension-parameterize`: reference and blob. */
  readonly extensionRef?: string | undefined;
  readonly extension?: Json | undefined;
}
