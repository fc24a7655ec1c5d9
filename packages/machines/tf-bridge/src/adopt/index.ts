/** Terraform's states as parts of stacks, both ways. */
export { adoptInstance } from './adopt-object.js';
export type { AdoptedInstance } from './adopt-object.js';
export type { GivenObject } from './given-objects.js';
export { givenState } from './given-state.js';
export type { GivenState } from './given-state.js';
export { logicalName, providerName } from './names.js';
export { adoptingPackage, withAdopting } from './open-adopting.js';
export type { AdoptingPackage, AdoptingProvider } from './open-adopting.js';
export { stateContent, stateOutputs } from './state-content.js';
export type { StateObject } from './state-content.js';
