/** Reads and writes Terraform's state files. */
export { providerText } from './address.js';
export type { StateProviderAddress } from './address.js';
export type { TerraformState } from './model.js';
export { readState } from './read-state.js';
export { writeState } from './write-state.js';
