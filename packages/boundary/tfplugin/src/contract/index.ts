export type { Action, ReplaceReason } from './action.js';
export { afterApply } from './after-apply.js';
export type { ApplyAnswer, ApplyOutcome, ApplyQuestion } from './after-apply.js';
export {
  afterDataRead,
  afterImport,
  afterImportRead,
  afterRead,
  afterUpgrade,
  beforeUpgrade,
} from './after-read.js';
export type { FindingCode } from './codes.js';
export { compatible } from './compatible.js';
export { findingAt } from './finding.js';
export type { ContractFinding } from './finding.js';
export { ignoreAttributes } from './ignore-changes.js';
export type { Ignored } from './ignore-changes.js';
export { initialVersusFinal } from './initial-final.js';
export { normalizeLegacy } from './legacy.js';
export { planOutcome, secondPlanOutcome, toldOf } from './outcome.js';
export type { PlanAnswer, PlanOutcome, PlanQuestion } from './outcome.js';
export { planValidity } from './plan-validity.js';
export { plannedUnknownObject, proposedNew } from './proposed.js';
export { withoutUnknownAttributes } from './strip.js';
export { violation } from './violation.js';
export { writeOnlyPaths } from './write-only.js';
