export { ChangeMachine, loadChange, openChange } from './machine.js';
export type { Handlers, MachineOptions, NewChange } from './machine.js';
export type { TaskResult } from './waiters.js';
export type { ChangeTx, NewTask } from './transaction.js';
export { EntryMaker } from './kinds.js';
export type { Outcome, StepContext, StepKind, StepKinds } from './kinds.js';
export type { ChangeEvent } from './events.js';
export type { BlockedPredicate } from './runner-ports.js';
export { BARE, PRODUCT } from './policies.js';
export type { OnError, Policies } from './policies.js';
export { STATUSES, isReady } from './status.js';
export type { Status, StatusEvent, WaitedStatus } from './status.js';
export type { TaskView } from './task.js';
export { idempotencyToken } from './token.js';
export type { TokenSource } from './token.js';
export { changeError } from './change-error.js';
export { replay } from './replay.js';
export type { ChangeView } from './change.js';
export { EVERYTHING, findConflict } from './claims.js';
export type { Claim, Conflict, HeldClaims } from './claims.js';
export type {
  ChangeOpened,
  ChangeRecord,
  ClaimRecord,
  Cleaned,
  Complete,
  DataMap,
  DataSet,
  Direction,
  EntryRecord,
  Intent,
  LogRecord,
  OutcomeRecord,
  OutcomeResult,
  Progress,
  ProgressId,
  RecordBody,
  RecordName,
  RecordStamp,
  Schedule,
  Seal,
  StatusRecord,
  TaskAdded,
} from './records.js';
export { decodeSegment, encodeRecords } from './frame.js';
export type { DecodedSegment, SegmentStart, TornTail } from './frame.js';
export { discardingStore, memoryStore } from './store.js';
export type { ChangeStore, MemoryStore } from './store.js';
export { FakeClock, systemClock } from './clock.js';
export type { Clock } from './clock.js';
export { NoEntryError, hasEntry, readEntry, requireEntry, toStored, withEntry } from './data.js';
export { unreadyLanes } from './abort.js';
export type { ChangeObserver, TaskObserver } from './observers.js';
export { KindRegistry } from './kind-registry.js';
export type { OptionalKind } from './kind-registry.js';
export { PRUNE_LIMITS, planPrune, pruneCandidate } from './prune.js';
export type { PruneCandidate, PruneLimits, PrunePlan } from './prune.js';
