export type {
  EngineClock,
  PluginSpec,
  Ports,
  Program,
  ProgramAddresses,
  ProviderLoader,
  ServedAddresses,
  ServiceAddresses,
  StackOutputs,
} from './ports.js';
export type { AnalyzerLoader, GivenSettings, PolicyPackSpec } from './policy/pack-spec.js';
export type { SnippetOptions } from './snippets/plan-snippets.js';
export type { PolicySummary, Violation } from './policy/findings.js';
export type { EngineEvent, OperationSummary, StepView } from './events.js';
export { CallLimits } from './limits/call-limits.js';
export type { LimitSetting, LimitSettings } from './limits/limit-settings.js';
export { STEP_KINDS } from './steps/kinds.js';
export { isCounted, isInternalStep } from './steps/counted.js';
export type { StepKind } from './steps/kinds.js';
export type { PreviewClaims } from './contract/claims.js';
export { reasonText } from './steps/reason.js';
export type { Reason } from './steps/reason.js';
export type {
  OperationConfig,
  OperationIdentity,
  OperationKind,
  OperationPolicy,
  OperationRequest,
  OperationScope,
} from './operation/request.js';
export { decodePlan } from './saved-plan/decode-plan.js';
export type { PlanSource } from './saved-plan/decode-plan.js';
export { operationName } from './saved-plan/operation-names.js';
export { encodePlan, holdsSecrets } from './saved-plan/encode-plan.js';
export type { PlanCrypter, PlanFileOptions } from './saved-plan/encode-plan.js';
export type { ImportItem, ImportPackage } from './operation/import-list.js';
export type { PlanOptions } from './saved-plan/run-plan.js';
export type { PlannedGoal, PropertyPlan, ResourcePlan, SavedPlan } from './saved-plan/plan.js';
export { answerFits } from './decide/in-doubt.js';
export { resumeSource } from './decide/resume-source.js';
export type { ResumeSource } from './decide/resume-source.js';
export type { CompleteTranscript, Transcript } from './saved-plan/transcript.js';
export { startOperation } from './operation/start-operation.js';
export type { InDoubtStep, OperationResult, RunningOperation, WaitingTask } from './operation/result.js';
export type { RollbackOption } from './decide/rollback-option.js';
export { doubtName, taskKey } from './continue/past-tasks.js';
export type { Continued, Doubt, PastTask, Resolution } from './continue/past-tasks.js';
export { readPast } from './continue/read-past.js';
export type { OpenEntry, PastChange } from './continue/read-past.js';
export { stepsInDoubt } from './continue/steps-in-doubt.js';
export { continuedFrom } from './continue/continued-from.js';
export type { TouchingChange } from './continue/touched.js';
export { claimsOf } from './decide/claims.js';
export type { ClaimScope } from './decide/claims.js';
