/** Import of Terraform states into stacks, and export as Terraform states. */
export { adoptionOfState } from './terraform/adoption-of-state.js';
export type { AdoptionOfState } from './terraform/adoption-of-state.js';
export { exportedState } from './terraform/exported-state.js';
export { rememberState } from './terraform/remembered-state.js';
export { secretSettings } from './terraform/secret-settings.js';
