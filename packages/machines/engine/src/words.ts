/** Words for steps, which the terminal and the console both use. Without the engine. */
export { STEP_KINDS, isStepKind } from './model/step-kinds.js';
export { STEP_MARKS, STEP_PHRASES } from './model/step-words.js';
export { UNDO_PART } from './model/undo-part.js';
