/** Providers of Terraform's protocol that do what a script says, for tests. */
export { boxesDefinition, boxesProvider } from './boxes.js';
export type { BoxesOptions } from './boxes.js';
export type {
  DataSourceDefinition,
  EphemeralDefinition,
  FunctionDefinition,
  ParameterDefinition,
  ResourceDefinition,
  TerraformDefinition,
} from './definition.js';
export { inProcessCaller } from './in-process.js';
export { OtherType } from './messages.js';
export type { CallAnswer, CallRequest, Said } from './messages.js';
export { DirectoryStore, MemoryStore } from './object-store.js';
export type { Effect, ObjectStore } from './object-store.js';
export { serveProvider } from './process.js';
export type { ProcessScript, StartScript } from './process.js';
export type { ScriptRule } from './rules.js';
export { ScriptedTerraformProvider } from './scripted-provider.js';
export type {
  ProviderCode,
  RecordedAnswer,
  RecordedCall,
  ScriptedProviderOptions,
} from './scripted-provider.js';
