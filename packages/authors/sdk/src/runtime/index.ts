/** Runtime of programs: for hosts, program runners, servers of dynamic providers and tests. */
export { DYNAMIC_PACKAGE } from '../dynamic/package-name.js';
export { definitionOf, isDynamicProvider } from '../dynamic/provider.js';
export { deployment, setDeployment } from './deployment.js';
export type { Deployment, DeploymentSettings } from './deployment.js';
export { entryFile } from './entry.js';
export { readEnvironment } from './environment.js';
export type { ProgramEnvironment } from './environment.js';
export { PROGRAM_EXIT, runProgram } from './run-program.js';
export type { ProgramPorts, StartedProgram } from './run-program.js';
export { runFunction } from './run-function.js';
export type { FunctionPorts, RunningFunction } from './run-function.js';
export { argumentsOf, constructComponent, inRemoteDeployment } from './construct.js';
export type { Construction, MakeComponent } from './construct.js';
