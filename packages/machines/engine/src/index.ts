export type {
  CallLimits,
  EngineClock,
  EnginePorts,
  Program,
  ProgramAddresses,
  ProviderLoader,
  ServedAddresses,
  ServiceAddresses,
  StackOutputs,
} from './ports.js';
export { createEngineEndpoint } from './monitor/engine-endpoint.js';
export { analyzeState } from './operation/analyze-state.js';
export { startOperation } from './operation/operation.js';
export type { PreviewClaims } from './model/claims.js';
export type { EngineEvent, OperationSummary } from './model/events.js';
export { doubtName } from './model/history.js';
export type { Continued, PastTask, DoubtResolution } from './model/history.js';
export type { GivenSettings, PolicyPackSpec, PolicySummary, Violation } from './model/policy.js';
export { changesNothing } from './model/changes-nothing.js';
export { reasonText } from './model/reason.js';
export type { Reason, ReasonSource } from './model/reason.js';
export type {
  RequestedImport,
  LimitSettings,
  DigestsRequest,
  OperationConfig,
  OperationIdentity,
  OperationKind,
  OperationPolicy,
  UnexpectedSteps,
  OperationRequest,
  SettledDigests,
} from './model/request.js';
export type { EngineResult, OutputsToTell, RunningOperation, WaitingTask } from './model/result.js';
export type { PlanOptions, SavedPlan } from './model/saved-plan.js';
export { STEP_KINDS } from './model/step-kinds.js';
export type { StepKind } from './model/step-kinds.js';
export { isCounted, isInternalStep } from './model/step-view.js';
export type { RefreshResult, StepView } from './model/step-view.js';
export { isRollingBack, toResume, toRollBack } from './recover/chosen-change.js';
export type { ChangeCandidates, DoneChange } from './recover/chosen-change.js';
export { continueFrom } from './recover/continue-from.js';
export type { EarlierChanges, RecoveryPlan } from './recover/continue-from.js';
export { chosenDoubt } from './recover/steps-in-doubt.js';
export type { NamedDoubt } from './recover/steps-in-doubt.js';
export type { OpenEntry } from './recover/read-past.js';
export {
  checkDepartures,
  noChangesDepartures,
  previewDepartures,
  replaceKeyDepartures,
  stableDepartures,
} from './contract/rules.js';
export { departuresText } from './contract/contract-diagnostic.js';
export { wantsReplacement } from './decide/replace-on-changes.js';
export { claimsOf } from './decide/claims.js';
export { answerFits } from './decide/in-doubt.js';
export { resumeSource } from './recover/resume-source.js';
export type { ResumeSource } from './recover/resume-source.js';
export { ProcessLimits } from './execute/limits/process-limits.js';
export { decodePlan } from './saved-plan/decode-plan.js';
export { encodePlan, holdsSecrets } from './saved-plan/encode-plan.js';
export { operationName } from './saved-plan/operation-names.js';
export { defaultProviderName } from './providers/default-names.js';
export { defaultProviderInputs } from './providers/defaults.js';
export { readPackage } from './providers/package-request.js';
export type { PackageRequest } from './providers/package-request.js';
export { createSchemas } from './monitor/schemas.js';
