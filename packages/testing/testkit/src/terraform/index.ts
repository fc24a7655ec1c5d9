/** Scripted providers of Terraform's protocol, for tests. */
export { boxesProvider } from './boxes.js';
export type { BoxesOptions } from './boxes.js';
export type { TerraformDefinition } from './definition.js';
export { inProcessCaller } from './in-process.js';
export { DirectoryStore, MemoryStore } from './object-store.js';
export { serveProvider } from './process.js';
export type { ProcessScript } from './process.js';
export type { ScriptRule } from './rules.js';
export { ScriptedTerraformProvider } from './scripted-provider.js';
export type { RecordedCall } from './scripted-provider.js';
