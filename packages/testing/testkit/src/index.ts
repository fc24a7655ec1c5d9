/** A world for tests: providers, programs, clocks and stores in memory, and the plugin that end-to-end tests start. */
export { gate } from './provider/mock-objects.js';
export { MockWorld } from './provider/mock-world.js';
export type { MockInstance } from './provider/mock-objects.js';
export { diffAnswer } from './provider/mock-provider.js';
export type { MockBehaviour, MockContext } from './provider/mock-provider.js';
export {
  callRequest,
  importItem,
  invokeRequest,
  noSelector,
  readRequest,
  registerRequest,
} from './program/requests.js';
export { hooksOf } from './program/program-callbacks.js';
export { programOf } from './program/program-of.js';
export type { ProgramContext, ProgramFunction, Properties } from './program/program-of.js';
export { sdkProgram } from './program/sdk-program.js';
export { MockPack, policyDiagnostic, remediation } from './policy/mock-pack.js';
export type { PackBehaviour } from './policy/mock-pack.js';
export { SnapshotBuilder } from './world/snapshots.js';
export { runScenario } from './world/scenario.js';
export type { Outcome, Scenario } from './world/scenario.js';
export { Story } from './world/story.js';
export type { Chapter } from './world/story.js';
export { ItemProvider } from './plugin/item-provider.js';
export { MockStack, replaceOn, urnOf } from './world/mock-stack.js';
export type {
  BareProgram,
  BareProgramFunction,
  Inputs,
  Options,
  RequestOptions,
  StackBehaviour,
  StackRun,
} from './world/mock-stack.js';
