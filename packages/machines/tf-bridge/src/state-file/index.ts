/** Terraform's state files: read and written. */
export {
  BUILT_IN,
  keyText,
  moduleText,
  parseResource,
  providerText,
  providerTypeOf,
  resourceText,
} from './address.js';
export type { InstanceKey, ModuleStep, ProviderAddress, ResourceAddress } from './address.js';
export { JsonNumber, JsonTreeError, jsonText, parseJson } from './json-tree.js';
export type { JsonMembers, JsonTree } from './json-tree.js';
export type {
  StateInstance,
  StateOutput,
  StatePath,
  StateResource,
  StateStep,
  TerraformState,
} from './model.js';
export { readState } from './read-state.js';
export { writeState } from './write-state.js';
