/** Operations that are stopped at every instant, resumed and rolled back. */
export type { CutScenario } from './cut-scenario.js';
export { CutWorld, HELPS } from './cut-world.js';
export type { Help } from './cut-world.js';
export { goOn, startLine, stoppedAt } from './line.js';
export type { How, Line, WentOn } from './line.js';
export { fuzzCuts } from './fuzz-cuts.js';
export type { CutFuzzReport } from './fuzz-cuts.js';
export { runRandomCut } from './random-cut.js';
export type { RandomCut } from './random-cut.js';
export { cutScenario } from './run-cuts.js';
export type { CutChoice, CutFault, CutReport } from './run-cuts.js';
export { CUT_SCENARIOS } from './scenarios/index.js';
