/** Terraform's states as parts of stacks, both ways. */
export { adoptInstance } from './adopt-object.js';
export type { AdoptedInstance, Adopting } from './adopt-object.js';
export { groupOf } from './dependencies.js';
export { givenResources } from './given-objects.js';
export type { GivenObject, GivenResources } from './given-objects.js';
export { givenState } from './given-state.js';
export type { GivenStack, GivenState } from './given-state.js';
export { addressOfName, identifierLike, logicalName, providerName, providerOfName } from './names.js';
export { adoptingPackage, withAdopting } from './open-adopting.js';
export type { AdoptingPackage, AdoptingProvider, AdoptingQuery } from './open-adopting.js';
export { stateContent, stateOutputs } from './state-content.js';
export type { StateContent, StateObject } from './state-content.js';
