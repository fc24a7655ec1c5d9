/** Unit tests of programs, without an engine or a network. */
export { testProgram } from './test-program.js';
export type { TestOptions, TestedProgram, TestedResource } from './test-program.js';
export type { MockedCall, MockedResource, Mocks } from './test-engine.js';
export { unknown } from './plain.js';
