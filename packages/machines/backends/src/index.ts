/** Stacks, leases, history and journals over blob stores. */
export { ORGANIZATION, fullStackName } from './stack-id.js';
export type { StackId } from './stack-id.js';
export type {
  Backend,
  EditView,
  LeaseOptions,
  MoveEdit,
  MoveSide,
  StackLease,
  StackSummary,
  StackTags,
} from './backend.js';
export type { Migration, NewSeal } from './stacks/migration.js';
export type { OpenCrypter } from './open-crypter.js';
export type { ControlMessage } from './control/control-message.js';
export type { MessageListener } from './control/listen.js';
export type { HistoryEntry, HistoryRow } from './history/history-entry.js';
export type { UpdateKind } from './records/operation-kind.js';
export type { LockHolder } from './locks/lock-file.js';
export type { OperationEnd, OperationLog, OperationStart } from './operation/operation-log.js';
export { backendForStore, openBackend, servedBackend, upgradeBackend } from './open-backend.js';
export type { BackendPorts } from './open-backend.js';
export type { DamagedState, StateCopy } from './recovery/restore.js';
export type { RecordedStep, StrandedChange } from './recovery/set-aside.js';
export type { ChangeLineage } from './records/change-lineage.js';
export { didNothing } from './records/change-row.js';
export type { ChangeRow, Continues, ContinuesHow, StoredChange } from './records/change-row.js';
export type { OperationKind } from './records/operation-kind.js';
export type { Upgrade, UpgradeSources } from './stacks/upgrade-store.js';
export { secondsOf } from './settings.js';
export type { Timer } from './timer.js';
export type { RecordedUpdate, StateDocument } from './state-texts.js';
export { isSealedDocument, openDocument } from './sealed/sealed-document.js';
export type { SealingPorts } from './sealed/sealing.js';
