export { describeExit, startProcess } from './process-group.js';
export type { ExitStatus, OutputStream, ProcessGroup } from './process-group.js';
export { spawnProcess } from './spawn-process.js';
export { startWitness } from './witness.js';
export { within } from './within.js';
