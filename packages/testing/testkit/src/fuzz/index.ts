/** The fuzzer of the engine: random cases, their world, and the scenarios in its reports. */
export { fuzz, sampleCases } from './fuzz.js';
export { runCase } from './run-case.js';
export type { CaseStart } from './run-case.js';
export { patterns } from './concluding.js';
export type { FuzzCase, PriorEntry, WantedOperation, WantedResource } from './fuzz-case.js';
export { randomProgram } from './random-program.js';
export { priorSnapshot } from './prior-snapshot.js';
export { ScriptedWorld } from './scripted-world.js';
export { worldFaults } from './invariants.js';
export { snapshotOf } from './exported-stack.js';
