/** Snapshots, the deployment format, integrity rules, journal entries and replay. */
export { ENTRY_FIELDS, ENTRY_FIELD_LIST } from './document/entry-fields.js';
export type { EntryFields, EntryProperty, ReferenceKind } from './document/entry-fields.js';
export { BLANK_VALUES, blankEntry, noTimeouts, resourceEntry, withEntry } from './snapshot/resource-entry.js';
export type {
  CustomTimeouts,
  EntryValues,
  ResourceEntry,
  ResourceEntrySpec,
} from './snapshot/resource-entry.js';
export { decodeExtensions, encodeExtension } from './snapshot/extension.js';
export type { Extension } from './snapshot/extension.js';
export { RESTORE_HINT } from './document/corrupt-state.js';
export { emptySnapshot } from './snapshot/snapshot.js';
export type { PendingOperation, Snapshot } from './snapshot/snapshot.js';
export { isPendingName, pendingName, pendingStep } from './snapshot/pending-name.js';
export type { JournalEntry, JournalKind } from './journal/journal-entry.js';
export { goJson, goJsonString, goStruct, indentJson, isJsonObject } from './values/go-json.js';
export type { Json, JsonObject } from './values/go-json.js';
export { emptyDeployment } from './document/serialized.js';
export type {
  Manifest,
  PendingOperationType,
  SecretsProviderRecord,
  SerializedDeployment,
  SerializedOperation,
  SerializedResource,
} from './document/serialized.js';
export type { Snippet } from './document/snippet.js';
export { ValueEncoder } from './values/encode-value.js';
export { decodePropertyMap, decodeStateValue } from './values/decode-value.js';
export { resourceStruct } from './document/resource-format.js';
export { writtenPaths } from './values/path-texts.js';
export { decodeResource, encodeEntry } from './snapshot/resource-codec.js';
export { decodeSnapshot, encodeSnapshot } from './snapshot/snapshot-codec.js';
export { localTime, manifestMagic, newManifest, utcTime } from './document/manifest.js';
export { readCheckpoint, readUntypedDeployment } from './document/read-document.js';
export { readRoot } from './document/read-root.js';
export {
  checkpointBytes,
  checkpointPieces,
  formatVersion,
  untypedDeploymentPieces,
  untypedDeploymentText,
} from './document/write-document.js';
export type { CopySource } from './document/copied-resources.js';
export { checkIntegrity } from './document/integrity.js';
export { eachReference, references, refersToAny } from './graph/references.js';
export type { Referring } from './graph/references.js';
export { changedReferences, renamedReferences } from './graph/change-references.js';
export type { ChangedReferences } from './graph/change-references.js';
export { entryGraph } from './graph/entry-graph.js';
export type { EntryGraph } from './graph/entry-graph.js';
export { closure, needsFirst, walk } from './graph/walk.js';
export type { Next } from './graph/walk.js';
export { toposort } from './graph/toposort.js';
export { deleteWaves } from './graph/waves.js';
export { encodeJournalEntry, takeJournalEntry } from './journal/journal-codec.js';
export type { SerializedJournalEntry } from './journal/journal-codec.js';
export {
  itemTexts,
  knownItemTexts,
  keptDeploymentText,
  memberTexts,
  readKeptDeployment,
  takeKeptEntry,
  textItems,
  textLists,
  withResourceTexts,
} from './journal/kept-text.js';
export type { TextItem } from './journal/kept-text.js';
export { Replayer } from './journal/replayer.js';
export { inTurn } from './journal/in-turn.js';
export { editedEntries, hasPlaintext } from './edits/compare-states.js';
export { deleteEntries } from './edits/delete-entries.js';
export { markEntries } from './edits/mark-entries.js';
export type { EntryMark, MarkRequest } from './edits/mark-entries.js';
export { moveEntries, withoutMoved } from './edits/move-entries.js';
export type { Move, MoveRequest } from './edits/move-entries.js';
export { renameEntry } from './edits/rename-entry.js';
export type { EntryRename } from './edits/rename-entry.js';
export { renamedStack } from './edits/rename-stack.js';
export { resealedDeployment, sealedSnapshot } from './edits/reseal.js';
export { repairState } from './edits/repair.js';
export type { Repair } from './edits/repair.js';
export { copiesOf, describeCopy } from './edits/state-edit.js';
export type { EditedEntry, EntryName, StateEdit } from './edits/state-edit.js';
export { importedDeployment, revealSecrets } from './edits/import-deployment.js';
