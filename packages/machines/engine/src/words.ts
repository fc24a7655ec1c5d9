/** Words for steps and their reasons, which the terminal and the console both use. Without the engine. */
export { reasonText } from './model/reason.js';
export type { Reason } from './model/reason.js';
export { STEP_KINDS, isStepKind } from './model/step-kinds.js';
export type { StepKind } from './model/step-kinds.js';
export { STEP_MARKS, STEP_PHRASES } from './model/step-words.js';
