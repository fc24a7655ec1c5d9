export { createMonitor } from './create-monitor.js';
export type { MonitorOptions, ProgramMonitor } from './create-monitor.js';
export { createEngineService } from './engine-service.js';
export { programRun } from './program-run.js';
export type { ProgramRun, ProgramRunOptions } from './program-run.js';
export { serveMonitor } from './serve-monitor.js';
export type { ServedPeers } from './serve-peers.js';
export type {
  Goal,
  PostRegistration,
  ReadGoal,
  ReadResult,
  RegisterResult,
  Registration,
  Reply,
} from './registration.js';
