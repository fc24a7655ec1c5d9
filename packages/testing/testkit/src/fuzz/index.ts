/** The fuzzer of the engine: random cases, the world they run in, and the scenarios they are reported as. */
export { fuzz, sampleCases } from './fuzz.js';
export type { FuzzReport } from './fuzz.js';
export { runCase } from './run-case.js';
export type { CaseStart, Finding } from './run-case.js';
export type { FuzzCase } from './fuzz-case.js';
export { aliasOf } from './random-program.js';
export { priorSnapshot } from './prior-snapshot.js';
export { ScriptedWorld } from './scripted-world.js';
export { worldFaults } from './invariants.js';
export { exportedStack, snapshotOf } from './exported-stack.js';
export type { ExportedStack } from './exported-stack.js';
