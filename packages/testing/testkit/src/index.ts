/** A world for tests: providers, programs, clocks and stores in memory, and the plugin that end-to-end tests start. */
export { gate } from './provider/mock-objects.js';
export type { Gate } from './provider/mock-objects.js';
export { MockWorld } from './provider/mock-world.js';
export type { MockPlugin } from './provider/mock-world.js';
export { MockObjects } from './provider/mock-objects.js';
export type { LiveObject, MockCall, MockInstance, MockMethod } from './provider/mock-objects.js';
export { MockProvider, diffAnswer } from './provider/mock-provider.js';
export type { MockBehaviour, MockContext } from './provider/mock-provider.js';
export { WireLoader } from './provider/wire-loader.js';
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
export { countedBytes, sequentialIds, steppingClock } from './world/clock.js';
export { complaints, resourceTrace, trace } from './world/trace.js';
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
