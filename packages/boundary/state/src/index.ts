/** Snapshots, the deployment format, integrity rules, journal entries and replay. */
export { noTimeouts, resourceEntry, withEntry } from './resource-entry.js';
export type { CustomTimeouts, ResourceEntry, ResourceEntrySpec } from './resource-entry.js';
export { decodeExtensions, encodeExtension } from './extension.js';
export type { Extension } from './extension.js';
export { RESTORE_HINT } from './corrupt-state.js';
export { emptySnapshot } from './snapshot.js';
export type { PendingOperation, Snapshot } from './snapshot.js';
export { isPendingName, pendingName, pendingStep } from './pending-name.js';
export type { JournalEntry, JournalKind } from './journal-entry.js';
export { goJson, goJsonString, goStruct, indentJson, isJsonObject } from './go-json.js';
export type { Json, JsonObject } from './go-json.js';
export { emptyDeployment } from './serialized.js';
export type {
  Manifest,
  PendingOperationType,
  SecretsProviderRecord,
  SerializedDeployment,
  SerializedOperation,
  SerializedResource,
} from './serialized.js';
export type { Snippet } from './snippet.js';
export { ValueEncoder } from './encode-value.js';
export { decodeMap, decodeValue } from './decode-value.js';
export { resourceStruct } from './resource-format.js';
export { writtenPaths } from './path-texts.js';
export { decodeResource, encodeEntry } from './resource-codec.js';
export { decodeSnapshot, encodeSnapshot } from './snapshot-codec.js';
export { localTime, manifestMagic, newManifest, utcTime } from './manifest.js';
export { readCheckpoint, readUntypedDeployment } from './read-document.js';
export {
  checkpointBytes,
  checkpointPieces,
  formatVersion,
  untypedDeploymentPieces,
  untypedDeploymentText,
} from './write-document.js';
export { checkIntegrity } from './integrity.js';
export { eachReference, references, refersToAny } from './graph/references.js';
export type { ReferenceKind, Referring } from './graph/references.js';
export { changedReferences, renamedReferences } from './graph/change-references.js';
export type { ChangedReferences } from './graph/change-references.js';
export { entryGraph } from './graph/entry-graph.js';
export type { EntryGraph } from './graph/entry-graph.js';
export { closure, needsFirst, walk } from './graph/walk.js';
export type { Next } from './graph/walk.js';
export { toposort } from './graph/toposort.js';
export { deleteWaves } from './graph/waves.js';
export { encodeJournalEntry, takeJournalEntry } from './journal-codec.js';
export type { SerializedJournalEntry } from './journal-codec.js';
export {
  itemTexts,
  keptDeploymentText,
  memberTexts,
  readKeptDeployment,
  takeKeptEntry,
} from './kept-text.js';
export { Replayer } from './replayer.js';
export { inTurn } from './in-turn.js';
export { editedEntries, hasPlaintext } from './edits/compare-states.js';
export { deleteEntries } from './edits/delete-entries.js';
export { markEntries } from './edits/mark-entries.js';
export type { EntryMark, MarkRequest } from './edits/mark-entries.js';
export { moveEntries, withoutMoved } from './edits/move-entries.js';
export type { Move, MoveRequest } from './edits/move-entries.js';
export { renameEntry } from './edits/rename-entry.js';
export type { RenameRequest } from './edits/rename-entry.js';
export { renamedStack } from './edits/rename-stack.js';
export { resealedDeployment, sealedSnapshot } from './edits/reseal.js';
export { repairState } from './edits/repair.js';
export type { Repair } from './edits/repair.js';
export { copiesOf, describeCopy } from './edits/state-edit.js';
export type { EditedEntry, EntryName, StateEdit } from './edits/state-edit.js';
export { importedDeployment, revealSecrets } from './import-deployment.js';
