/** Stacks, leases, history and journals over blob stores. */
export { ORGANIZATION, fullStackName, organizationOf } from './stack-id.js';
export type { StackId } from './stack-id.js';
export { bucketOf, noBucket } from './backend.js';
export { stackNotFound } from './model/stack-errors.js';
export type { Backend, BucketBackend, LostStateNote, StoredStackSummary, StackTags } from './backend.js';
export type { OpenCrypter } from './open-crypter.js';
export type { ControlMessage, MessageListener } from './model/control-message.js';
export { historyDetail } from './model/history-entry.js';
export type { HistoryEntry, HistoryRow } from './model/history-entry.js';
export type { UpdateKind } from './model/operation-kind.js';
export type {
  OperationEnd,
  OperationLog,
  OperationStart,
  ProgramDescription,
} from './model/operation-log.js';
export { BaseMovedError } from './model/base-moved.js';
export { isSameChange } from './model/past-change.js';
export type { MovingChange } from './model/past-change.js';
export { takePastMessages, takePastRecords } from './model/past-records.js';
export { openBackend } from './open-backend.js';
export { didNothing } from './model/change-row.js';
export type { ChangeRow, Continues, StoredChange } from './model/change-row.js';
export type { Upgrade, UpgradeSources } from './bucket/stacks/upgrade-store.js';
export { retentionOf, secondsOf } from './bucket/settings.js';
export type { Timer } from './timer.js';
export type { JournalEnd } from './model/change-facts.js';
export type { EndedChange, RecordedUpdate } from './bucket/state-texts.js';
export type { NotedState } from './bucket/checkpoint/noted-state.js';
export type { StateText } from './model/state-text.js';
export { isSealedDocument, openDocument } from './bucket/sealed/sealed-document.js';
export type { Migration, NewSeal } from './model/migration.js';
export type { LockHolder } from './model/lock-holder.js';
export type { DamagedState, RecordedStep, StateCopy, StrandedChange } from './model/repair.js';
export type { ChangeLineage } from './model/change-lineage.js';
export type { EditView, MoveEdit, MoveSide } from './model/edit.js';
export type { LeaseOptions, StackLease } from './model/stack-lease.js';
export { exchangedToken, isRefusedToken, secretService, serviceAccount } from './service/on-demand.js';
export type { ServiceAccount, TokenExchange } from './service/reach.js';
export { interruptedEnd, referencesIn, takeSentRecord, withEntries } from './model/sent-records.js';
export type { SentRecord } from './model/sent-records.js';
export { servedChangesToRemove } from './bucket/records/served-retention.js';
export { entryTextsOf, pieceOf, piecePartsOf } from './bucket/served/piece-parts.js';
export { openPieces, readPieces } from './bucket/served/pieces.js';
export type { PieceLog } from './bucket/served/pieces.js';
export { stateDigest } from './model/served-checkpoint.js';
export type {
  ScheduleContent,
  ScheduleKind,
  ServiceAccess,
  SettingsMembers,
  StackDriftRun,
  StackHook,
  StackHookDelivery,
  StackHookSettings,
  StackHooks,
  StackSchedule,
  StackSchedules,
  ServedSettings,
} from './service-part.js';
export { backendForStore, servedBackend, upgradeBucket } from './bucket/open-bucket.js';
export type { BackendPorts, SealingPorts } from './backend-ports.js';
