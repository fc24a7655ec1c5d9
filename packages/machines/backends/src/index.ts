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
export type { Migration, NewSeal } from './bucket/stacks/migration.js';
export type { OpenCrypter } from './open-crypter.js';
export type { ControlMessage } from './model/control-message.js';
export type { MessageListener } from './bucket/control/listen.js';
export type { HistoryEntry, HistoryRow } from './model/history-entry.js';
export type { UpdateKind } from './model/operation-kind.js';
export type { LockHolder } from './bucket/locks/lock-file.js';
export type { OperationEnd, OperationLog, OperationStart } from './model/operation-log.js';
export { backendForStore, openBackend, servedBackend, upgradeBackend } from './open-backend.js';
export type { BackendPorts } from './open-backend.js';
export type { DamagedState, StateCopy } from './bucket/recovery/restore.js';
export type { RecordedStep, StrandedChange } from './bucket/recovery/set-aside.js';
export type { ChangeLineage } from './bucket/records/change-lineage.js';
export { didNothing } from './model/change-row.js';
export type { ChangeRow, Continues, ContinuesHow, StoredChange } from './model/change-row.js';
export type { OperationKind } from './model/operation-kind.js';
export type { Upgrade, UpgradeSources } from './bucket/stacks/upgrade-store.js';
export { secondsOf } from './bucket/settings.js';
export type { Timer } from './timer.js';
export type { RecordedUpdate, StateDocument } from './bucket/state-texts.js';
export { isSealedDocument, openDocument } from './bucket/sealed/sealed-document.js';
export type { SealingPorts } from './bucket/sealed/sealing.js';
