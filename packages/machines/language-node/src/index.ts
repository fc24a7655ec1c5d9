export { createNodeLanguageHost, startProgramEarly } from './language-host.js';
export type { NodeLanguageHost, NodeLanguageHostOptions } from './language-host.js';
export type { WaitingProgram } from './waiting-program.js';
export type { TypecheckCause } from './typecheck/decide-typecheck.js';
