/** Cairn as a library: stacks, configuration and operations in the caller's own process. */
export { newProject, openWorkspace, Workspace } from './workspace.js';
export type {
  AddedPackage,
  InstallOptions,
  InstalledPlugin,
  NewProjectOptions,
  PackageOptions,
  PluginOptions,
} from './projects.js';
export type { CreateOptions, RemoveOptions, StackSummary } from './workspace.js';
export type { InlineProject, LocalProject, WorkspaceOptions } from './project.js';
export type { InlineProgram, InlineRun } from './program.js';
export { Stack } from './stack.js';
export type { MarkOptions } from './stack.js';
export { StackConfig } from './config.js';
export type { ConfigValue, GivenConfig, KeyOptions } from './config.js';
export { Operation } from './operation.js';
export type { CancelHow } from './operation.js';
export type {
  CancelOptions,
  DestroyOptions,
  HistoryOptions,
  ImportOptions,
  OperationSettings,
  PreviewOptions,
  ProgramOptions,
  RefreshOptions,
  ResumeOptions,
  StepOptions,
  UpOptions,
} from './options.js';
export type {
  OperationEvent,
  OperationKind,
  ResourceView,
  OperationStep,
  OperationStepKind,
} from './events.js';
export type {
  InDoubt,
  OperationResult,
  PreviewResult,
  ResourceFailure,
  UpResult,
  Waiting,
} from './results.js';
export type { StackChange, DoubtAnswer, ImportItem, PastOperation, StateDocument } from './records.js';
export type { Outputs, PreviewOutputs } from './outputs.js';
export { StackOutput } from './values.js';
export type { JsonValue } from './values.js';
export {
  AutomationError,
  ConflictError,
  OperationError,
  StackExistsError,
  StackLockedError,
  StackNotFoundError,
} from './errors.js';
export type { OperationDiagnostic } from './diagnostic.js';
