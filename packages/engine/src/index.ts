export type {
  EngineClock,
  PluginSpec,
  Ports,
  Program,
  ProgramAddresses,
  ProviderLoader,
  StackOutputs,
} from './ports.js';
export type { EngineEvent, OperationSummary, StepView } from './events.js';
export { STEP_KINDS } from './steps/kinds.js';
export type { StepKind } from './steps/kinds.js';
export type {
  OperationConfig,
  OperationIdentity,
  OperationPolicy,
  OperationRequest,
  OperationScope,
} from './operation/request.js';
