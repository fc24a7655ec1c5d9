export { ChangeMachine, loadChange, openChange } from './machine.js';
export type { MachineOptions, NewChange, TaskResult } from './machine.js';
export type { ChangeTx, NewTask } from './transaction.js';
export type { Outcome, StepContext, StepKind, StepKinds } from './kinds.js';
export type { ChangeEvent } from './events.js';
export type { BlockedPredicate } from './runner-ports.js';
export { BARE, PRODUCT } from './policies.js';
export type { OnError, Policies } from './policies.js';
export { STATUSES, TRANSITIONS, effectiveStatus, isReady, isStatus, transition } from './status.js';
export type { Status, StatusEvent, WaitedStatus } from './status.js';
export type { TaskView } from './task.js';
export { idempotencyToken } from './token.js';
export type { TokenSource } from './token.js';
export { changeError } from './describe-change.js';
export { replay } from './replay.js';
export type { ChangeView } from './change.js';
export { findCycle } from './cycles.js';
export type { DependencyCycle, DependencyNode } from './cycles.js';
export { EVERYTHING, findConflict } from './claims.js';
export type { Claim, Conflict, HeldClaims } from './claims.js';
export { LOG_VERSION, isRecordName } from './records.js';
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
export { groupCommit, segmentStore } from './group-commit.js';
export type { GroupCommit, SegmentWriter } from './group-commit.js';
export { discardingStore, memoryStore } from './store.js';
export type { ChangeStore, MemoryStore } from './store.js';
export { FakeClock, systemClock } from './clock.js';
export type { Clock } from './clock.js';
export { NoEntryError, hasEntry, readEntry, requireEntry } from './data.js';
export type { ChangeObserver, TaskObserver } from './observers.js';
export { KindRegistry } from './kind-registry.js';
export type { OptionalKind } from './kind-registry.js';
export { PlannedTask, TaskSet } from './task-set.js';
export { succeed } from './successor.js';
export type { Succession, TakenTask } from './successor.js';
export { Managers } from './ensure/managers.js';
export type { Manager } from './ensure/managers.js';
export { EnsureLoop } from './ensure/ensure-loop.js';
export type { LoopOptions } from './ensure/ensure-loop.js';
export { RunnerManager } from './ensure/runner-manager.js';
export { NOTICE_TYPES, noticeToJson } from './notices/notice.js';
export type { Notice, NoticeFilter, NoticeJson, NoticeType, Occurrence } from './notices/notice.js';
export { Notices } from './notices/notices.js';
export type { NoticesJson } from './notices/notices.js';
export { Warnings } from './notices/warnings.js';
export type { Warning, WarningJson } from './notices/warnings.js';
export { keepChangeNotice } from './notices/change-notices.js';
export type { NoticedChange } from './notices/change-notices.js';
export { formatMicros, microsOf, parseMicros } from './notices/instant.js';
export type { Micros } from './notices/instant.js';
export { affectedBy, refuseConflict } from './upkeep/conflicts.js';
export type { AffectingTask, ConflictRules, Refusal, RunningChange, Wanted } from './upkeep/conflicts.js';
export { PRUNE_LIMITS, planPrune, pruneCandidate } from './upkeep/prune.js';
export type { PruneCandidate, PruneLimits, PrunePlan } from './upkeep/prune.js';
export { applyPatches, highestLevel } from './upkeep/patches.js';
export type { Patch, PatchLevel, Patches } from './upkeep/patches.js';
export { openRegister } from './upkeep/register.js';
export type { Register, RegisterPorts, RegisterTx } from './upkeep/register.js';
export type { RegisterDocument } from './upkeep/register-document.js';
export { PATIENCE } from './upkeep/document-writer.js';
export type { DocumentStore, Patience } from './upkeep/document-writer.js';
