export type {
  EngineClock,
  PluginSpec,
  Ports,
  Program,
  ProgramAddresses,
  ProviderLoader,
  ServedAddresses,
  StackOutputs,
} from './ports.js';
export type { AnalyzerLoader, GivenSettings, PolicyPackSpec } from './policy/pack-spec.js';
export type { SnippetOptions } from './snippets/plan-snippets.js';
export type { PolicySummary, Violation } from './policy/findings.js';
export type { EngineEvent, OperationSummary, StepView } from './events.js';
export { STEP_KINDS } from './steps/kinds.js';
export type { StepKind } from './steps/kinds.js';
export type { PreviewClaims } from './contract/claims.js';
export { reasonText } from './steps/reason.js';
export type { Reason } from './steps/reason.js';
export type {
  OperationConfig,
  OperationIdentity,
  OperationPolicy,
  OperationRequest,
  OperationScope,
} from './operation/request.js';
export { decodePlan } from './saved-plan/decode-plan.js';
export type { PlanSource } from './saved-plan/decode-plan.js';
export { encodePlan, holdsSecrets } from './saved-plan/encode-plan.js';
export type { PlanCrypter, PlanFileOptions } from './saved-plan/encode-plan.js';
export type { ImportItem, ImportPackage } from './operation/import-list.js';
export type { PlanOptions } from './saved-plan/run-plan.js';
export type { PlannedGoal, PropertyPlan, ResourcePlan, SavedPlan } from './saved-plan/plan.js';
export { startOperation } from './operation/start-operation.js';
export type { InDoubtStep, OperationResult, RunningOperation } from './operation/result.js';
