/** Snapshots, the deployment format, integrity rules, journal entries and replay. */
export { noTimeouts, resourceEntry, withEntry } from './resource-entry.js';
export type { CustomTimeouts, ResourceEntry, ResourceEntrySpec } from './resource-entry.js';
export { decodeExtensions, encodeExtension } from './extension.js';
export type { Extension } from './extension.js';
export { emptySnapshot } from './snapshot.js';
export type { PendingOperation, PendingOperationType, SecretsProviderRecord, Snapshot } from './snapshot.js';
export { JOURNAL_KINDS } from './journal-entry.js';
export type { JournalEntry, JournalKind } from './journal-entry.js';
export { goJson, goJsonString, indentJson, isJsonObject } from './go-json.js';
export type { GoJsonOptions, Json, JsonObject } from './go-json.js';
export { jsonFault, lineAndColumn } from './json-scan.js';
export type { JsonFault } from './json-scan.js';
export { emptyDeployment } from './serialized.js';
export type {
  IntegrityErrorMetadata,
  Manifest,
  SerializedDeployment,
  SerializedOperation,
  SerializedResource,
  Snippet,
} from './serialized.js';
export { ValueEncoder } from './encode-value.js';
export type { EncodeOptions } from './encode-value.js';
export { ValueFault, decodeMap, decodeValue } from './decode-value.js';
export { decodeResource, encodeEntry } from './resource-codec.js';
export { decodeSnapshot, encodeSnapshot } from './snapshot-codec.js';
export { localTime, manifestMagic, newManifest } from './manifest.js';
export { NEWEST_VERSION, readCheckpoint, readUntypedDeployment } from './read-document.js';
export type { ReadDocument } from './read-document.js';
export { checkpointBytes, formatVersion, untypedDeploymentText } from './write-document.js';
export type { FormatVersion } from './write-document.js';
export { checkIntegrity } from './integrity.js';
export type { IntegrityResult, IntegrityRule, IntegritySide } from './integrity.js';
export { encodeJournalEntry, takeJournalEntry } from './journal-codec.js';
export type { SerializedJournalEntry } from './journal-codec.js';
export { Replayer } from './replayer.js';
export { editTaint } from './taint.js';
export type { TaintEdit } from './taint.js';
export { importedDeployment, revealSecrets } from './import-deployment.js';
export type { ImportTarget, ImportedDeployment } from './import-deployment.js';
