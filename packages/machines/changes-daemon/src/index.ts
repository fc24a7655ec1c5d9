/** Parts that a long-running process with many changes needs on top of the change machine. */
export { Managers } from './ensure/managers.js';
export type { Manager } from './ensure/managers.js';
export { EnsureLoop } from './ensure/ensure-loop.js';
export type { LoopOptions } from './ensure/ensure-loop.js';
export { NOTICE_TYPES, noticeKey, noticeToJson } from './notices/notice.js';
export type { StoredNotice, NoticeFilter, NoticeJson, NoticeType, Occurrence } from './notices/notice.js';
export { Notices } from './notices/notices.js';
export type { NoticesJson } from './notices/notices.js';
export { Warnings } from './notices/warnings.js';
export type { Warning, WarningJson } from './notices/warnings.js';
export { keepChangeNotice } from './notices/change-notices.js';
export type { NoticedChange } from './notices/change-notices.js';
export { parseNoticeDuration } from './notices/duration.js';
export { formatMicros, microsOf, parseMicros } from './notices/instant.js';
export type { Micros } from './notices/instant.js';
export { PlannedTask, TaskSet } from './task-set.js';
export { findCycle } from './cycles.js';
export type { DependencyCycle, DependencyNode } from './cycles.js';
export { applyPatches, highestLevel } from './upkeep/patches.js';
export type { Patch, PatchLevel, Patches } from './upkeep/patches.js';
export { openRegister } from './upkeep/register.js';
export type { Register, RegisterPorts, RegisterTx } from './upkeep/register.js';
export type { RegisterDocument } from './upkeep/register-document.js';
export { decodeRegister, logRegisterStore } from './upkeep/register-log.js';
export type { RegisterLog } from './upkeep/register-log.js';
export type { RegisterChanges, RegisterHead, RegisterStore } from './upkeep/register-store.js';
export { PATIENCE } from './upkeep/retried-writer.js';
export type { WriteSchedule } from './upkeep/retried-writer.js';
export { decidePlan } from './policy/decide.js';
export { POLICY_STEP_KINDS, WEEKDAYS } from './policy/policy.js';
export type {
  ApprovalPolicy,
  HoursOfDay,
  PlannedStep,
  PolicyAnswer,
  PolicyRule,
  PolicyStepKind,
  RuleConditions,
} from './policy/policy.js';
export { answerApprovalLink, linkedApproval } from './approvals/answer-link.js';
export type { LinkAnswer, LinkPorts } from './approvals/answer-link.js';
export { approvalClaims, signApprovalLink } from './approvals/approval-link.js';
export type { ApprovalClaims } from './approvals/approval-link.js';
export { PAGE_HEADERS } from './approvals/approval-page.js';
export { approvalProblem, approvedRun, deniedRun } from './runs/approval.js';
export { driftNames, driftOfEvents, driftSince, endedSteps } from './runs/drift.js';
export type { EventParts } from './runs/drift.js';
export { movedRun, runOfRequest } from './runs/new-run.js';
export { isQueued, mustWait, newerRequest, placeRequest, queuePlaces } from './runs/queue.js';
export { REQUEST_KINDS, isDriftRow, isRequestRow, isRunRow, isStackMarks } from './runs/rows.js';
export type {
  ApprovalRow,
  DriftRow,
  DriftedResource,
  RequestKind,
  RequestRow,
  RunRow,
  StackMarks,
} from './runs/rows.js';
export {
  RUN_TRANSITIONS,
  hasRunEnded,
  isRunReachable,
  nextRunStatus,
  occupiesStack,
} from './runs/run-status.js';
export type { RunCall, RunStatus } from './runs/run-status.js';
export { DueTimes } from './schedule/due-times.js';
export { cronProblem, lookAtSchedule, nextTime, zoneProblem } from './schedule/schedule.js';
export type { Schedule, ScheduleMark } from './schedule/schedule.js';
