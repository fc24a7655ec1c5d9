export { noTimeouts, resourceEntry, withEntry } from './resource-entry.js';
export type { CustomTimeouts, ResourceEntry, ResourceEntrySpec } from './resource-entry.js';
export { emptySnapshot } from './snapshot.js';
export type { PendingOperation, PendingOperationType, SecretsProviderRecord, Snapshot } from './snapshot.js';
export { JOURNAL_KINDS } from './journal-entry.js';
export type { JournalEntry, JournalKind } from './journal-entry.js';
export { goJson, goJsonString, indentJson, isJsonObject } from './go-json.js';
export type { GoJsonOptions, Json, JsonObject } from './go-json.js';
export { emptyDeployment } from './serialized.js';
export type {
  IntegrityErrorMetadata,
  Manifest,
  SerializedDeployment,
  SerializedOperation,
  SerializedResource,
  Snippet,
} from './serialized.js';
